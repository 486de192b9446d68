/** The piles of a board as they are drawn, and what of them moved. */
import type { BoardView, Card, Place, Suit } from "../game/types.ts";

export const COLUMNS = ["a", "b", "c", "d", "e", "f", "g", "h"] as const;
/** The suit of each foundation, from left to right. */
export const FOUNDATIONS: readonly Suit[] = ["C", "C", "S", "S", "H", "H", "D", "D"];
const RANKS = "A23456789TJ";

/** A pile's name among the piles: its place, and of a foundation its number, as in `G3`. */
export type Key = string;
/** The cards of every pile, joined, the top last. The stock's are not known. */
export type Piles = Readonly<Record<Key, string>>;

export const topOf = (pile: string): Card => pile.slice(-2);
/** The card that comes to light when the top one goes. */
export const underOf = (pile: string): Card => pile.slice(-4, -2);
export const depthOf = (pile: string): number => pile.length / 2;
export const cardsOf = (pile: string): Card[] => pile.match(/../g) ?? [];
export const rankOf = (card: Card): number => RANKS.indexOf(card.charAt(0)) + 1;
export const suitOf = (card: Card): Suit => card.charAt(1) as Suit;

/** A foundation's cards, from its ace to its top. */
const founded = (suit: Suit, rank: number): string => [...RANKS.slice(0, rank)].map((each) => each + suit).join("");

/** The piles of a view, with a card that waits for its answer already where it was put. */
export function pilesOf(view: BoardView, pending: readonly [Place, Place] | null): Piles {
  const piles: Record<Key, string> = { W: view.waste };
  view.rows.forEach((row, index) => row.forEach((pile, column) => (piles[`${COLUMNS[column] ?? ""}${index + 1}`] = pile)));
  view.foundations.forEach((rank, index) => (piles[`G${index + 1}`] = founded(FOUNDATIONS[index] ?? "C", rank)));
  return pending ? moved(piles, pending) : piles;
}

function moved(piles: Piles, [from, to]: readonly [Place, Place]): Piles {
  const source = piles[from] ?? "";
  const card = topOf(source);
  const target = to === "G" ? foundationFor(piles, card) : to;
  if (!card || target === null) return piles;
  return { ...piles, [from]: source.slice(0, -2), [target]: (piles[target] ?? "") + card };
}

/** Where in the Government a card would lie; null if nowhere. */
export function foundationFor(piles: Piles, card: Card): Key | null {
  const index = FOUNDATIONS.findIndex((suit, at) => suit === suitOf(card) && depthOf(piles[`G${at + 1}`] ?? "") === rankOf(card) - 1);
  return index < 0 ? null : `G${index + 1}`;
}

/** What moved between two boards: cards by where they were and are; new ones come from the stock. */
export function journeys(before: Piles, after: Piles): [Key, Key][] {
  const gone = new Map<Card, Key[]>();
  const came: [Card, Key][] = [];
  for (const key of Object.keys(after)) {
    const was = before[key] ?? "";
    const is = after[key] ?? "";
    if (was === is) continue;
    const kept = common(was, is);
    for (const card of cardsOf(was.slice(kept))) gone.set(card, [...(gone.get(card) ?? []), key]);
    if (is.length > kept) came.push([topOf(is), key]);
  }
  return came.map(([card, to]) => [gone.get(card)?.shift() ?? "S", to]);
}

function common(one: string, other: string): number {
  let length = 0;
  while (length < one.length && one.slice(length, length + 2) === other.slice(length, length + 2)) length += 2;
  return length;
}
