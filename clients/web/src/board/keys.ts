/** What keys mean on the board. By `code`, the key's place on the keyboard, so that a Cyrillic layout plays alike. */
import type { Intent, Place } from "../game/types.ts";
import { COLUMNS, type Key as Pile } from "./piles.ts";

export type Key = Pick<KeyboardEvent, "code" | "ctrlKey" | "metaKey" | "altKey" | "shiftKey" | "repeat">;

/** The intent of a key, with the focus at that place; null where it means nothing. */
export function intentOf(key: Key, focus: Place): Intent | null {
  if (key.altKey || key.repeat) return null;
  if (key.ctrlKey || key.metaKey) return withControl(key);
  if (key.code === "KeyU") return { kind: "undo", by: key.shiftKey ? "step" : "group" };
  if (key.code === "KeyY") return { kind: "redo", by: key.shiftKey ? "step" : "group" };
  if (key.shiftKey) return null;
  const digit = /^(?:Digit|Numpad)([1-8])$/.exec(key.code);
  if (digit) return { kind: "fill", column: Number(digit[1]) };
  return plain(key.code, focus);
}

function withControl(key: Key): Intent | null {
  if (key.code === "KeyZ") return key.shiftKey ? { kind: "redo", by: "group" } : { kind: "undo", by: "group" };
  return null;
}

function plain(code: string, focus: Place): Intent | null {
  switch (code) {
    case "Enter":
    case "NumpadEnter":
    case "Space":
      return { kind: "choose", place: focus };
    case "Escape":
      return { kind: "cancel" };
    case "KeyN":
      return { kind: "next" };
    case "KeyF":
      return { kind: "promote", place: focus };
    case "KeyD":
      return { kind: "turn" };
    case "KeyH":
      return { kind: "hint" };
    case "KeyR":
      return { kind: "restart" };
    case "KeyM":
      return { kind: "tell", what: "legal" };
    case "KeyL":
      return { kind: "tell", what: "last" };
    case "KeyS":
      return { kind: "tell", what: "status" };
    case "KeyT":
      return { kind: "tell", what: "stock" };
    case "KeyO":
      return { kind: "tell", what: "pile" };
    default:
      return null;
  }
}

/** A cell by its line (0 the Government, 1 to 4 the rows, 5 stock and waste) and column (0 to 7). */
export interface Cell {
  line: number;
  column: number;
}

export const placeOf = ({ line, column }: Cell): Place => {
  if (line === 0) return "G";
  if (line === 5) return column === 0 ? "S" : "W";
  return `${COLUMNS[column] ?? "a"}${line}`;
};

export const pileAt = (cell: Cell): Pile => (cell.line === 0 ? `G${cell.column + 1}` : placeOf(cell));

/** The cell of a place; the Government's is told by the column that one was last in. */
export function cellOf(place: Place, column: number): Cell {
  if (place === "G") return { line: 0, column };
  if (place === "S" || place === "W") return { line: 5, column: place === "S" ? 0 : 1 };
  return { line: Number(place.charAt(1)), column: Math.max(0, COLUMNS.findIndex((letter) => letter === place.charAt(0))) };
}

/** The cell that a key leads to from another; null if the key is none that walks. The last line has as many cells as told. */
export function walk(code: string, from: Cell, last: number): Cell | null {
  const width = from.line === 5 ? last : 8;
  const at = (line: number, column: number): Cell => ({ line, column: Math.min(column, line === 5 ? last - 1 : 7) });
  switch (code) {
    case "ArrowLeft":
      return at(from.line, Math.max(0, from.column - 1));
    case "ArrowRight":
      return at(from.line, Math.min(width - 1, from.column + 1));
    case "ArrowUp":
      return at(Math.max(0, from.line - 1), from.column);
    case "ArrowDown":
      return at(Math.min(5, from.line + 1), from.column);
    case "Home":
      return at(from.line, 0);
    case "End":
      return at(from.line, width - 1);
    default:
      return null;
  }
}
