import type { board as en } from "../en/board.ts";
import { plural } from "../language.ts";

const cards = (count: number): string => plural("ru", count, { one: "# карта", few: "# карты", many: "# карт", other: "# карты" });

export const board: typeof en = {
  board: "Игровое поле",
  pile: (card, place, count) => (count > 1 ? `${card}, ${place}, ${cards(count)}` : `${card}, ${place}`),
  vacancy: (place) => `${place}, пустое место`,
  toFill: (place) => `${place}, пустое место, его нужно заполнить`,
  empty: (place) => `${place}, карт нет`,
  foundation: (suit, rank) => `${suit}: ${rank}`,
  stock: (count) => (count > 0 ? `Колода, ${cards(count)}` : "Колода, карт не осталось"),
  target: "Взятую карту можно положить сюда.",
  fills: "Может занять пустое место: нажмите номер столбца.",
  hinted: "Подсказка указывает сюда.",
  peek: (place, count) => `${place}: ${cards(count)}, верхняя первой`,
};
