/** What the board says of itself. */
import { plural } from "../language.ts";

const cards = (count: number): string => plural("en", count, { one: "# card", other: "# cards" });

export const board = {
  board: "Board",
  /** "six of clubs, Privy Council 2, 3 cards" */
  pile: (card: string, place: string, count: number): string => (count > 1 ? `${card}, ${place}, ${cards(count)}` : `${card}, ${place}`),
  vacancy: (place: string): string => `${place}, vacancy`,
  toFill: (place: string): string => `${place}, vacancy to be filled`,
  empty: (place: string): string => `${place}, empty`,
  foundation: (suit: string, rank: string): string => `${suit}: ${rank}`,
  stock: (count: number): string => (count > 0 ? `Stock, ${cards(count)}` : "Stock, used up"),
  target: "The card picked up can be laid here.",
  fills: "Can fill the vacancy: press the number of its column.",
  hinted: "The hint points here.",
  /** Over the list of a pile's cards, top first. */
  peek: (place: string, count: number): string => `${place}: ${cards(count)}, top first`,
};
