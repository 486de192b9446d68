/** Lays packed forms beside the texts of a build, so that the service need not pack anything. */
import { readFileSync, writeFileSync } from "node:fs";
import { extname, join } from "node:path";
import { brotliCompressSync, constants, gzipSync } from "node:zlib";
import type { Plugin } from "vite";
import { filesIn } from "./files.ts";

const TEXTS = [".js", ".css", ".html", ".svg", ".json", ".webmanifest"];
const WORTH_IT = 1024; // bytes

export function packing(): Plugin {
  let folder = "";
  return {
    name: "packing",
    apply: "build",
    writeBundle(options) {
      folder = options.dir ?? "";
    },
    closeBundle: {
      order: "post", // the service worker's file is written before
      sequential: true,
      handler() {
        if (folder) filesIn(folder).filter((name) => TEXTS.includes(extname(name))).forEach((name) => pack(join(folder, name)));
      },
    },
  };
}

function pack(path: string): void {
  const bytes = readFileSync(path);
  if (bytes.length < WORTH_IT) return;
  const params = { [constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MAX_QUALITY, [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length };
  writeFileSync(`${path}.br`, brotliCompressSync(bytes, { params }));
  writeFileSync(`${path}.gz`, gzipSync(bytes, { level: constants.Z_BEST_COMPRESSION }));
}
