/** Writes the service worker, with the list of all that was built. */
import { createHash } from "node:crypto";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Plugin } from "vite";
import { filesIn } from "./files.ts";

const SOURCE = new URL("../src/sw.js", import.meta.url);
const EMPTY = 'const SHELL = { version: "", files: [] };';

/** The addresses of what the worker keeps; the page's own is `/`. */
export function kept(names: readonly string[]): string[] {
  return names.filter((name) => name !== "sw.js").map((name) => (name === "index.html" ? "/" : `/${name}`));
}

/** The worker's text, with what it keeps filled in. */
export function filled(source: string, version: string, files: readonly string[]): string {
  if (!source.includes(EMPTY)) throw new Error(`sw.js has no line ${EMPTY}`);
  return source.replace(EMPTY, `const SHELL = ${JSON.stringify({ version, files })};`);
}

export function offline(): Plugin {
  let folder = "";
  return {
    name: "offline",
    apply: "build",
    writeBundle(options) {
      folder = options.dir ?? "";
    },
    closeBundle() {
      if (!folder) return;
      const names = filesIn(folder);
      const digest = createHash("sha256");
      names.forEach((name) => digest.update(name).update(readFileSync(join(folder, name))));
      const version = digest.digest("hex").slice(0, 16);
      writeFileSync(join(folder, "sw.js"), filled(readFileSync(SOURCE, "utf8"), version, kept(names)));
    },
  };
}
