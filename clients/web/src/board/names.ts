/** How cards, places and cells are called in the language that is spoken. */
import { columnOf, rowOf } from "../game/places.ts";
import type { BoardView, Card, Place } from "../game/types.ts";
import { i18n } from "../words/words.svelte.ts";
import { depthOf, FOUNDATIONS, rankOf, suitOf, topOf } from "./piles.ts";

/** "six of clubs" */
export function cardName(card: Card): string {
  return i18n.words.cards.card(rankOf(card), suitOf(card));
}

/** "Privy Council 2", "Stock" */
export function placeName(place: Place): string {
  const { government, stock, waste, rows } = i18n.words.cards;
  if (place === "G") return government;
  if (place === "S") return stock;
  if (place === "W") return waste;
  return `${rows[rowOf(place) - 1] ?? ""} ${columnOf(place)}`;
}

/** What a cell is called: "six of clubs, Privy Council 2, 3 cards"; a foundation is told by its column, 1 to 8. */
export function cellName(view: BoardView, place: Place, column = 1): string {
  const words = i18n.words.board;
  if (place === "S") return words.stock(view.stock);
  if (place === "G") return foundationName(view, column);
  return pileName(place, place === "W" ? view.waste : (view.rows[rowOf(place) - 1]?.[columnOf(place) - 1] ?? ""), view.must_fill);
}

function foundationName(view: BoardView, column: number): string {
  const { suits, ranks } = i18n.words.cards;
  const suit = suits[FOUNDATIONS[column - 1] ?? "C"];
  return i18n.words.board.foundation(capital(suit), ranks[view.foundations[column - 1] ?? 0] ?? "");
}

/** What a pile of such cards at that place is called. */
export function pileName(place: Place, pile: string, mustFill: Place | null): string {
  const words = i18n.words.board;
  const name = placeName(place);
  if (pile) return words.pile(cardName(topOf(pile)), name, depthOf(pile));
  if (place === mustFill) return words.toFill(name);
  return place === "W" || place.endsWith("4") ? words.empty(name) : words.vacancy(name);
}

const capital = (text: string): string => text.charAt(0).toLocaleUpperCase(i18n.language) + text.slice(1);
