/** What the page may weigh, and that it asks nobody else for anything; a build that breaks either fails. */
import { readFileSync } from "node:fs";
import { extname, join } from "node:path";
import { gzipSync } from "node:zlib";
import type { Plugin } from "vite";
import { filesIn } from "./files.ts";

/** Bytes, packed by gzip. */
export const LIMITS = { first: 60 * 1024, all: 120 * 1024 };
/** Addresses that are names, and are never fetched. */
const NAMES = [/^https?:\/\/www\.w3\.org\//, /^https:\/\/svelte\.dev\/e\//];
const ADDRESS = /https?:\/\/[^\s"'`<>)\\]+/g;

export interface Script {
  name: string;
  size: number;
  /** Whether the page asks for it by itself. */
  entry: boolean;
  /** Those that are loaded before it runs. */
  imports: readonly string[];
}

/** The scripts that are loaded before anything is seen: the entries, and all that these import. */
export function firstLoad(scripts: readonly Script[]): Script[] {
  const wanted = new Set<string>();
  const want = (name: string): void => {
    if (wanted.has(name)) return;
    wanted.add(name);
    scripts.find((script) => script.name === name)?.imports.forEach(want);
  };
  scripts.filter((script) => script.entry).forEach((script) => want(script.name));
  return scripts.filter((script) => wanted.has(script.name));
}

export function total(files: readonly { size: number }[]): number {
  return files.reduce((sum, file) => sum + file.size, 0);
}

/** The addresses of elsewhere in a text. */
export function foreign(text: string): string[] {
  return (text.match(ADDRESS) ?? []).filter((address) => !NAMES.some((name) => name.test(address)));
}

/** What is wrong with a build; nothing is if it is empty. */
export function faults(scripts: readonly Script[], texts: Readonly<Record<string, string>>): string[] {
  const found = Object.entries(texts).flatMap(([name, text]) => foreign(text).map((address) => `${name} names ${address}`));
  const first = total(firstLoad(scripts));
  const all = total(scripts);
  if (first === 0) found.push("the page asks for no script");
  if (first > LIMITS.first) found.push(`the first load is ${first - LIMITS.first} bytes too heavy`);
  if (all > LIMITS.all) found.push(`all scripts together are ${all - LIMITS.all} bytes too heavy`);
  return found;
}

function packed(bytes: Buffer | string): number {
  return gzipSync(bytes, { level: 9 }).length;
}

function line(name: string, bytes: number, limit?: number): string {
  const kilobytes = (value: number): string => `${(value / 1024).toFixed(1)} KB`;
  return `${name.padEnd(44)} ${kilobytes(bytes).padStart(10)}${limit ? ` of ${kilobytes(limit)}` : ""}`;
}

function table(scripts: readonly Script[], files: readonly { name: string; size: number }[]): string {
  const first = firstLoad(scripts);
  const ends = (...wanted: string[]) => files.filter(({ name }) => wanted.includes(extname(name)));
  const rows = [...scripts].sort((a, b) => b.size - a.size);
  return [
    "packed by gzip",
    ...rows.map((script) => line(`${first.includes(script) ? "*" : " "} ${script.name}`, script.size)),
    line("* the first load", total(first), LIMITS.first),
    line("all scripts", total(scripts), LIMITS.all),
    line("style sheets", total(ends(".css"))),
    line("texts that are fetched", total(ends(".json"))),
    line("pictures (cards and icons)", total(ends(".svg", ".png", ".webp"))),
  ].join("\n");
}

/** Weighs what was built. */
export function budget(): Plugin {
  let chunks: Omit<Script, "entry">[] = [];
  let folder = "";
  return {
    name: "budget",
    apply: "build",
    writeBundle(options, bundle) {
      folder = options.dir ?? "";
      const built = Object.values(bundle).filter((file) => file.type === "chunk");
      chunks = built.map(({ fileName, code, imports }) => ({ name: fileName, size: packed(code), imports }));
    },
    closeBundle: {
      order: "post", // all that is wanted has been written before a build fails
      sequential: true,
      handler() {
        if (!folder) return; // the build failed before it wrote anything
        const names = filesIn(folder);
        const texts = names.filter((name) => [".js", ".css", ".html"].includes(extname(name)));
        const page = readFileSync(join(folder, "index.html"), "utf8");
        const scripts = chunks.map((chunk) => ({ ...chunk, entry: page.includes(chunk.name) }));
        console.info(table(scripts, names.map((name) => ({ name, size: packed(readFileSync(join(folder, name))) }))));
        const found = faults(scripts, Object.fromEntries(texts.map((name) => [name, readFileSync(join(folder, name), "utf8")])));
        if (found.length > 0) this.error(`over budget: ${found.join("; ")}`);
      },
    },
  };
}
