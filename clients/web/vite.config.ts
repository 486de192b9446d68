import { svelte } from "@sveltejs/vite-plugin-svelte";
import { svelteTesting } from "@testing-library/svelte/vite";
import { defineConfig } from "vitest/config";
import { budget } from "./scripts/budget.ts";
import { offline } from "./scripts/offline.ts";
import { packing } from "./scripts/packing.ts";

const service = process.env["SERVICE"] ?? "http://127.0.0.1:8000";
/** As strict as the service's own, so that a preview shows what it would refuse. */
const policy =
  "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; manifest-src 'self'; worker-src 'self'; base-uri 'none'; form-action 'none'";

export default defineConfig({
  plugins: [svelte(), svelteTesting(), offline(), packing(), budget()],
  build: {
    outDir: "../../service/web/client",
    emptyOutDir: true,
    target: "es2022",
    assetsInlineLimit: 0, // the page's policy takes no data: addresses
    modulePreload: { polyfill: false }, // every browser that runs the page has it
    rolldownOptions: { output: { codeSplitting: { groups: [{ name: "first", test: /src\/main\.ts$/ }] } } }, // all that is loaded first, in one file
    reportCompressedSize: false, // the budget's table says more
  },
  server: { proxy: { "/v1": { target: service, ws: true } } },
  preview: { headers: { "Content-Security-Policy": policy } },
  test: { environment: "happy-dom", include: ["tests/**/*.test.ts"] },
});
