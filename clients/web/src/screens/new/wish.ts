/** What was chosen on the form of a new game, and the request that it makes. */
import type { NewSession } from "../../sdk/index.ts";

export type DealKind = "random" | "winnable" | "secret" | "number";
export type Difficulty = NonNullable<NewSession["difficulty"]>;

export interface Wish {
  rules: string;
  deal: DealKind;
  difficulty: Difficulty | "any";
  number: string;
  position: string;
  mode: NonNullable<NewSession["mode"]>;
  seats: number;
  spectators: boolean;
}

export const DIFFICULTIES: readonly Wish["difficulty"][] = ["any", "gentle", "steady", "testing", "fierce"];
export const MODES: readonly Wish["mode"][] = ["solo", "free_hands", "turns", "departments"];
export const SEATS = [2, 3, 4];

/** Whether the deal's number is needed and not there. */
export function lacksNumber(wish: Wish): boolean {
  return wish.deal === "number" && !wish.number.trim() && !wish.position.trim();
}

/** The request; a position goes before any deal. */
export function requestOf(wish: Wish): NewSession {
  const { rules, mode, spectators } = wish;
  const seats = mode === "solo" ? 1 : wish.seats;
  return { rules, mode, seats, spectators, ...dealOf(wish) };
}

function dealOf({ deal, difficulty, number, position }: Wish): Pick<NewSession, "deal" | "winnable" | "difficulty"> {
  if (position.trim()) return { deal: position.trim(), winnable: false };
  if (deal === "number") return { deal: number.trim(), winnable: false };
  if (deal !== "winnable") return { deal, winnable: false };
  return { deal: "random", winnable: true, difficulty: difficulty === "any" ? null : difficulty };
}
