import type { board as en } from "../en/board.ts";
import { plural } from "../language.ts";

const cards = (count: number): string => plural("es", count, { one: "# carta", other: "# cartas" });

export const board: typeof en = {
  board: "Tablero",
  pile: (card, place, count) => (count > 1 ? `${card}, ${place}, ${cards(count)}` : `${card}, ${place}`),
  vacancy: (place) => `${place}, hueco`,
  toFill: (place) => `${place}, hueco por llenar`,
  empty: (place) => `${place}, sin cartas`,
  foundation: (suit, rank) => `${suit}: ${rank}`,
  stock: (count) => (count > 0 ? `Mazo, ${cards(count)}` : "Mazo, agotado"),
  target: "La carta tomada se puede poner aquí.",
  fills: "Puede llenar el hueco: pulsa el número de su columna.",
  hinted: "La pista señala aquí.",
  peek: (place, count) => `${place}: ${cards(count)}, la de arriba primero`,
};
