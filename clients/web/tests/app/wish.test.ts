import { expect, test } from "vitest";
import { lacksNumber, requestOf, type Wish } from "../../src/screens/new/wish.ts";

const WISH: Wish = { rules: "modern", deal: "random", difficulty: "gentle", number: " 42 ", position: "", mode: "solo", seats: 3, spectators: true };
const ALONE = { rules: "modern", mode: "solo", seats: 1, spectators: true };

test.each<[Partial<Wish>, object]>([
  [{}, { deal: "random", winnable: false }],
  [{ deal: "secret" }, { deal: "secret", winnable: false }],
  [{ deal: "number" }, { deal: "42", winnable: false }],
  [{ deal: "winnable" }, { deal: "random", winnable: true, difficulty: "gentle" }],
  [{ deal: "winnable", difficulty: "any" }, { deal: "random", winnable: true, difficulty: null }],
  [{ deal: "winnable", position: " position:9S " }, { deal: "position:9S", winnable: false }],
])("%j is asked for", (change, asked) => {
  expect(requestOf({ ...WISH, ...change })).toEqual({ ...ALONE, ...asked });
});

test("there are as many seats as were wished where others play too", () => {
  expect(requestOf({ ...WISH, mode: "turns" })).toMatchObject({ mode: "turns", seats: 3 });
});

test("a deal by number needs one, but not beside a position", () => {
  expect(lacksNumber({ ...WISH, deal: "number", number: " " })).toBe(true);
  expect(lacksNumber({ ...WISH, deal: "number", number: "", position: "position:9S" })).toBe(false);
  expect(lacksNumber({ ...WISH, number: "" })).toBe(false);
});
