import { describe, expect, it } from "vitest";
import { cellOf, intentOf, placeOf, walk, type Key } from "../../src/board/keys.ts";

const key = (code: string, change: Partial<Key> = {}): Key => ({
  code,
  ctrlKey: false,
  metaKey: false,
  altKey: false,
  shiftKey: false,
  repeat: false,
  ...change,
});

describe("keys", () => {
  it.each([
    ["Digit3", { kind: "fill", column: 3 }],
    ["Numpad8", { kind: "fill", column: 8 }],
    ["Enter", { kind: "choose", place: "c2" }],
    ["Space", { kind: "choose", place: "c2" }],
    ["Escape", { kind: "cancel" }],
    ["KeyN", { kind: "next" }],
    ["KeyF", { kind: "promote", place: "c2" }],
    ["KeyD", { kind: "turn" }],
    ["KeyU", { kind: "undo", by: "group" }],
    ["KeyY", { kind: "redo", by: "group" }],
    ["KeyH", { kind: "hint" }],
    ["KeyR", { kind: "restart" }],
    ["KeyM", { kind: "tell", what: "legal" }],
    ["KeyL", { kind: "tell", what: "last" }],
    ["KeyS", { kind: "tell", what: "status" }],
    ["KeyT", { kind: "tell", what: "stock" }],
    ["KeyO", { kind: "tell", what: "pile" }],
  ])("%s", (code, intent) => {
    expect(intentOf(key(code), "c2")).toEqual(intent);
  });

  it("know the habits of other programs", () => {
    expect(intentOf(key("KeyZ", { ctrlKey: true }), "a1")).toEqual({ kind: "undo", by: "group" });
    expect(intentOf(key("KeyZ", { metaKey: true }), "a1")).toEqual({ kind: "undo", by: "group" });
    expect(intentOf(key("KeyZ", { ctrlKey: true, shiftKey: true }), "a1")).toEqual({ kind: "redo", by: "group" });
    expect(intentOf(key("KeyU", { shiftKey: true }), "a1")).toEqual({ kind: "undo", by: "step" });
    expect(intentOf(key("KeyY", { shiftKey: true }), "a1")).toEqual({ kind: "redo", by: "step" });
  });

  it("leave the browser's own alone", () => {
    for (const change of [{ ctrlKey: true }, { metaKey: true }, { altKey: true }, { shiftKey: true }, { repeat: true }]) {
      expect(intentOf(key("KeyR", change), "a1")).toBeNull();
    }
    expect(intentOf(key("Digit9"), "a1")).toBeNull();
    expect(intentOf(key("Tab"), "a1")).toBeNull();
    expect(intentOf(key("KeyZ"), "a1")).toBeNull();
  });

  it("walk the grid and stop at its edges", () => {
    const from = (place: string, code: string, last = 2, column = 0) => {
      const cell = walk(code, cellOf(place, column), last);
      return cell && placeOf(cell);
    };
    expect(from("c2", "ArrowLeft")).toBe("b2");
    expect(from("a2", "ArrowLeft")).toBe("a2");
    expect(from("h2", "ArrowRight")).toBe("h2");
    expect(from("c1", "ArrowUp")).toBe("G");
    expect(from("h4", "ArrowDown")).toBe("W");
    expect(from("h4", "ArrowDown", 1)).toBe("S");
    expect(from("S", "ArrowRight", 1)).toBe("S");
    expect(from("W", "ArrowUp")).toBe("b4");
    expect(from("G", "ArrowDown", 2, 5)).toBe("f1");
    expect(from("e3", "Home")).toBe("a3");
    expect(from("S", "End")).toBe("W");
    expect(from("e3", "KeyN")).toBeNull();
  });
});
