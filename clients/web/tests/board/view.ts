import type { BoardView } from "../../src/game/types.ts";

const low = ["2C", "3D", "4S", "5H", "6C", "7D", "8S", "9H"];

/** A board to draw in tests; what matters to one is given. */
export function board(change: Partial<BoardView> = {}): BoardView {
  return {
    rules: "modern",
    rows: [["9S8D7C", ...low.slice(1)], [...low], [...low], [...low]],
    foundations: [6, 1, 1, 1, 1, 1, 2, 1],
    stock: 48,
    waste: "",
    must_fill: null,
    legal: [],
    ...change,
  };
}
