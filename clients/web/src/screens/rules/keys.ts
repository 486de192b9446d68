/** The keys of the board, by `code`, as the table of the rules pages lists them. */
import type { Text } from "./chapters.ts";

export interface KeyRow {
  does: keyof Text["keys"]["rows"];
  /** Each is one way: codes that are pressed together. */
  ways: readonly (readonly string[])[];
}

export const KEYS: readonly KeyRow[] = [
  { does: "arrows", ways: [["Arrows"]] },
  { does: "edges", ways: [["Home"], ["End"]] },
  { does: "digits", ways: [["Digits"]] },
  { does: "choose", ways: [["Enter"], ["Space"]] },
  { does: "cancel", ways: [["Escape"]] },
  { does: "next", ways: [["KeyN"]] },
  { does: "promote", ways: [["KeyF"]] },
  { does: "turn", ways: [["KeyD"]] },
  { does: "undo", ways: [["KeyU"], ["Control", "KeyZ"]] },
  { does: "redo", ways: [["KeyY"], ["Control", "Shift", "KeyZ"]] },
  { does: "step", ways: [["Shift", "KeyU"], ["Shift", "KeyY"]] },
  { does: "hint", ways: [["KeyH"]] },
  { does: "restart", ways: [["KeyR"]] },
  { does: "legal", ways: [["KeyM"]] },
  { does: "last", ways: [["KeyL"]] },
  { does: "status", ways: [["KeyS"]] },
  { does: "stock", ways: [["KeyT"]] },
  { does: "pile", ways: [["KeyO"]] },
  { does: "command", ways: [["Slash"]] },
];

/** What is printed on a key. */
export function keyName(code: string, names: Text["keys"]["names"]): string {
  switch (code) {
    case "Arrows":
      return names.arrows;
    case "Digits":
      return "1–8";
    case "Enter":
      return names.enter;
    case "Space":
      return names.space;
    case "Escape":
      return names.escape;
    case "Home":
      return names.home;
    case "End":
      return names.end;
    case "Control":
      return "Ctrl";
    case "Slash":
      return "/";
    default:
      return code.replace(/^Key/, "");
  }
}
