/** The boards of the rules pages, each a position that can be reached, and the move that it shows. */
import type { BoardView, Marks, Place } from "../../game/types.ts";
import data from "./examples.json";

export type ExampleName = keyof typeof data;
export const EXAMPLES: readonly ExampleName[] = Object.keys(data) as ExampleName[];

/** What the board component draws of an example. */
export function boardOf(name: ExampleName): BoardView {
  const { rules, view } = data[name];
  return { rules, ...view, legal: [] };
}

/** The move to come, else the one that led here. */
export function marksOf(name: ExampleName): Marks {
  const { moves, next } = data[name];
  if (next) return { hint: ends(next) };
  const last = moves.at(-1);
  return last ? { last: ends(last) } : {};
}

function ends(move: string): [Place, Place] {
  return move === "S" ? ["S", "W"] : [move.slice(0, -place(move).length), place(move)];
}

/** Where a move goes to: the last place that it names. */
function place(move: string): Place {
  return move.endsWith("G") ? "G" : move.slice(-2);
}
