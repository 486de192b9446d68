/** What the board draws, and what a person wants of it. */
import type { LegalMove } from "../sdk/index.ts";

export type Suit = "C" | "D" | "H" | "S";
/** Two characters: rank `A23456789TJ` and suit, as in `TH`. */
export type Card = string;
/** `a1` to `h4` (column and row; row 1 is the Privy Council), `W` the waste, `S` the stock, `G` the Government. */
export type Place = string;

/** All that the board component draws; a session is one. */
export interface BoardView {
  rules: string;
  rows: readonly (readonly string[])[];
  foundations: readonly number[];
  stock: number;
  waste: string;
  must_fill: Place | null;
  legal: readonly LegalMove[];
}

/** What lights up on a board beyond its cards. */
export interface Marks {
  /** The place whose card is picked up. */
  picked?: Place | null;
  /** The last move, from where and to where. */
  last?: readonly [Place, Place] | null;
  /** Where a hint points, as far as it says. */
  hint?: readonly Place[];
  /** A card that waits for its answer, drawn where it was put: from, to. */
  pending?: readonly [Place, Place] | null;
}

/**
 * What a person wants, from whatever hand it comes: pointer, keys, command line or buttons.
 * Nothing else reaches `update`; what it means on this board is decided there.
 */
export type Intent =
  | { kind: "choose"; place: Place } // tap, Enter or Space: picks, places, fills, turns or moves
  | { kind: "move"; from: Place; to: Place } // a drop, or a text of two places
  | { kind: "promote"; place: Place | null } // a double tap or F; null: whatever can go up
  | { kind: "fill"; column: number } // 1 to 8, the answer to a vacancy
  | { kind: "turn" }
  | { kind: "cancel" }
  | { kind: "undo"; by: "group" | "step" }
  | { kind: "redo"; by: "group" | "step" }
  | { kind: "restart" }
  | { kind: "resign" }
  | { kind: "hint" }
  | { kind: "ask" } // whether it can still be won
  | { kind: "finish" } // all that is left goes up
  | { kind: "focus"; place: Place }
  | { kind: "next" } // the next pile that can move
  | { kind: "tell"; what: "legal" | "last" | "status" | "stock" | "pile" }
  | { kind: "notation"; text: string }; // the command line
