/** What a build checks of itself, and what it keeps for when there is no network. */
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, expect, test } from "vitest";
import { faults, firstLoad, foreign, LIMITS, total, type Script } from "../../scripts/budget.ts";
import { filesIn } from "../../scripts/files.ts";
import { filled, kept } from "../../scripts/offline.ts";

const ENTRY: Script = { name: "index.js", size: 10, entry: true, imports: ["svelte.js", "words.js"] };
const SCRIPTS: Script[] = [
  ENTRY,
  { name: "svelte.js", size: 20, entry: false, imports: ["words.js"] },
  { name: "words.js", size: 30, entry: false, imports: ["svelte.js"] },
  { name: "daily.js", size: 400, entry: false, imports: ["index.js"] },
];

test("the first load is the entry with all that it imports, once each", () => {
  expect(total(firstLoad(SCRIPTS))).toBe(60);
});

test("a build within its limits has no faults", () => {
  expect(faults(SCRIPTS, { "index.js": 'fetch("/v1/sessions")' })).toEqual([]);
});

test("one byte too many is told", () => {
  expect(faults([{ ...ENTRY, size: LIMITS.first + 1 }], {})).toEqual(["the first load is 1 bytes too heavy"]);
  expect(faults([ENTRY, { ...ENTRY, name: "late.js", entry: false, size: LIMITS.all }], {})).toEqual(["all scripts together are 10 bytes too heavy"]);
});

test("a first load of nothing is a fault of the measure", () => {
  expect(faults([{ ...ENTRY, entry: false }], {})).toEqual(["the page asks for no script"]);
});

test("addresses of elsewhere are told; names that look like addresses are none", () => {
  expect(foreign('a="https://fonts.example/x.css",b="http://www.w3.org/2000/svg",c="https://svelte.dev/e/x"')).toEqual(["https://fonts.example/x.css"]);
  expect(faults([ENTRY], { "a.css": "@import url(https://fonts.example/x.css)" })).toEqual(["a.css names https://fonts.example/x.css"]);
});

let folder = "";
afterEach(() => rmSync(folder, { recursive: true, force: true }));

test("the files of a build are listed without their packed forms", () => {
  folder = mkdtempSync(join(tmpdir(), "build-"));
  mkdirSync(join(folder, "assets"));
  for (const name of ["index.html", "sw.js", "sw.js.br", "assets/index-1f.js", "assets/index-1f.js.gz"]) writeFileSync(join(folder, name), "");
  expect(filesIn(folder)).toEqual(["assets/index-1f.js", "index.html", "sw.js"]);
});

test("the page is kept under its address, and the worker does not keep itself", () => {
  expect(kept(["assets/index-1f.js", "icon.svg", "index.html", "sw.js"])).toEqual(["/assets/index-1f.js", "/icon.svg", "/"]);
});

test("the worker is told what to keep", () => {
  const source = readFileSync("src/sw.js", "utf8");
  expect(filled(source, "5f2a", ["/"])).toContain('const SHELL = {"version":"5f2a","files":["/"]};');
  expect(() => filled("nothing", "5f2a", [])).toThrow("no line");
});
