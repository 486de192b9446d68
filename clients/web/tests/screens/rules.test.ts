import { describe, expect, it } from "vitest";
import { intentOf, walk } from "../../src/board/keys.ts";
import { BOARDS, CHAPTERS, MOVES, PRESETS, versionsOf } from "../../src/screens/rules/chapters.ts";
import { boardOf, EXAMPLES, marksOf } from "../../src/screens/rules/examples.ts";
import { keyName, KEYS } from "../../src/screens/rules/keys.ts";
import en from "../../src/words/en/rules.json";
import es from "../../src/words/es/rules.json";
import ru from "../../src/words/ru/rules.json";

/** Every text with the way to it. */
function texts(value: unknown, path = ""): [string, string][] {
  if (typeof value === "string") return [[path, value]];
  return Object.entries(value as object).flatMap(([name, part]) => texts(part, `${path}.${name}`));
}

describe.each([
  ["es", es],
  ["ru", ru],
])("the rules in %s", (_, text) => {
  it("have what the English ones have", () => {
    expect(texts(text).map(([path]) => path)).toEqual(texts(en).map(([path]) => path));
  });
  it("fill in the same", () => {
    const filled = (all: typeof en) => texts(all).map(([, said]) => said.match(/\{\w+\}/g) ?? []);
    expect(filled(text)).toEqual(filled(en));
  });
  it("are translated", () => {
    const english = new Map(texts(en));
    const same = texts(text).filter(([path, said]) => said.length > 15 && english.get(path) === said);
    expect(same).toEqual([]);
  });
});

it.each([
  ["en", en],
  ["es", es],
  ["ru", ru],
])("no text in %s is empty or has a stray space", (_, text) => {
  for (const [path, said] of texts(text)) expect(said, path).toMatch(/^\S(?:(?! {2}).)*$/);
  for (const [path, said] of texts(text)) expect(said.trimEnd(), path).toBe(said);
});

it("has every chapter once, and a caption for every board", () => {
  expect([...CHAPTERS].sort()).toEqual(Object.keys(en.sections).sort());
  expect(Object.keys(en.boards).sort()).toEqual([...EXAMPLES].sort());
  expect(MOVES.map(({ name }) => name).sort()).toEqual(Object.keys(en.moves).sort());
});

it("shows every example somewhere", () => {
  const shown = [...Object.values(BOARDS).flat(), ...MOVES.flatMap(({ boards }) => boards), "layout", "cadogan"];
  expect([...new Set(shown)].sort()).toEqual([...EXAMPLES].sort());
});

it("says as much of each version, preset and switch", () => {
  expect(en.modern.length).toBe(en.aspects.length);
  expect(en.cadogan.length).toBe(en.aspects.length);
  for (const switches of Object.values(PRESETS)) expect(switches.length).toBe(en.presets.switches.length);
});

it("marks the move to come, else the last one", () => {
  expect(marksOf("promote")).toEqual({ hint: ["b1", "G"] });
  expect(marksOf("turn")).toEqual({ hint: ["S", "W"] });
  expect(marksOf("people")).toEqual({ hint: ["W", "b4"] });
  expect(marksOf("settled")).toEqual({ last: ["a4", "b3"] });
  expect(marksOf("finish")).toEqual({});
  expect(boardOf("vacancy")).toMatchObject({ rules: "modern", must_fill: "b1", legal: [] });
});

it("shows the versions that are asked for", () => {
  expect(versionsOf("modern")).toEqual(["modern"]);
  expect(versionsOf("cadogan-1914")).toEqual(["cadogan"]);
  expect(versionsOf(undefined)).toEqual(["modern", "cadogan"]);
  expect(versionsOf("whist")).toEqual(["modern", "cadogan"]);
});

describe("the table of keys", () => {
  const none = { ctrlKey: false, metaKey: false, altKey: false, shiftKey: false, repeat: false };
  const LETTERS = [..."ABCDEFGHIJKLMNOPQRSTUVWXYZ"].map((letter) => `Key${letter}`);
  const listed = KEYS.flatMap(({ ways }) => ways);

  it("lists only keys that do something", () => {
    const letters = listed.filter((way) => way.at(-1)?.startsWith("Key"));
    for (const way of letters) {
      const key = { ...none, code: way.at(-1) ?? "", ctrlKey: way.includes("Control"), shiftKey: way.includes("Shift") };
      expect(intentOf(key, "a1"), way.join("+")).not.toBeNull();
    }
    for (const code of ["Home", "End", "ArrowUp"]) expect(walk(code, { line: 2, column: 3 }, 2), code).not.toBeNull();
  });
  it("lists every letter that does something", () => {
    const alone = LETTERS.filter((code) => intentOf({ ...none, code }, "a1"));
    expect(listed.filter((way) => way.length === 1).flat()).toEqual(expect.arrayContaining(alone));
  });
  it("names keys as they are printed", () => {
    expect(keyName("KeyF", en.keys.names)).toBe("F");
    expect(keyName("Space", ru.keys.names)).toBe("Пробел");
  });
});
