/** Moves and places as texts. Nothing here knows what is legal. */
import type { LegalMove } from "../sdk/index.ts";
import type { BoardView, Card, Place } from "./types.ts";

const MOVE = /^(?:S|(?:[a-h][1-4]|W)(?:[a-h][1-4]|G))$/;
const COLUMNS = "abcdefgh";

/** Every place from which a card can come, in reading order. */
export const PLACES: readonly Place[] = [..."1234"].flatMap((row) => [...COLUMNS].map((column) => column + row)).concat("S", "W");

/** From where and to where a move goes: `c2f1` is c2 and f1, `S` is from the stock to the waste. */
export function endsOf(move: string): readonly [Place, Place] {
  if (move === "S") return ["S", "W"];
  const from = move.startsWith("W") ? "W" : move.slice(0, 2);
  return [from, move.slice(from.length)];
}

/** The text of a move between two places; null where there is no such text. */
export function moveOf(from: Place, to: Place): string | null {
  const move = from === "S" ? "S" : from + to;
  return MOVE.test(move) ? move : null;
}

/** The move that somebody wrote, in capitals or not; null where it is none. */
export function moveIn(text: string): string | null {
  const move = text.toLowerCase().replace(/^[ws]|g$/g, (end) => end.toUpperCase());
  return MOVE.test(move) ? move : null;
}

export function legalFrom(view: BoardView, place: Place): LegalMove[] {
  return view.legal.filter(({ move }) => endsOf(move)[0] === place);
}

export function isLegal(view: BoardView, move: string): boolean {
  return view.legal.some((legal) => legal.move === move);
}

/** A pile's cards, bottom to top. */
export function cardsAt(view: BoardView, place: Place): Card[] {
  const pile = place === "W" ? view.waste : (view.rows[rowOf(place) - 1]?.[columnOf(place) - 1] ?? "");
  return pile.match(/../g) ?? [];
}

export function topCard(view: BoardView, place: Place): Card | null {
  return cardsAt(view, place).at(-1) ?? null;
}

/** 1 to 4; not a number for what is not on the tableau. */
export function rowOf(place: Place): number {
  return Number(place[1]);
}

/** 1 to 8; 0 for what is not on the tableau. */
export function columnOf(place: Place): number {
  return place.length === 2 ? COLUMNS.indexOf(place.charAt(0)) + 1 : 0;
}

export function placeAt(column: number, row: number): Place {
  return COLUMNS.charAt(column - 1) + String(row);
}
