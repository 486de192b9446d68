import type { cards as en } from "../en/cards.ts";

const ranks = ["", "туз", "двойка", "тройка", "четвёрка", "пятёрка", "шестёрка", "семёрка", "восьмёрка", "девятка", "десятка", "валет", "дама", "король"];
const suits = { C: "треф", D: "бубен", H: "червей", S: "пик" };

export const cards: typeof en = {
  card: (rank, suit) => `${ranks[rank]} ${suits[suit]}`,
  ranks,
  suits: { C: "трефы", D: "бубны", H: "червы", S: "пики" },
  index: ["", "Т", "2", "3", "4", "5", "6", "7", "8", "9", "10", "В", "Д", "К"],
  letters: "cyrillic",
  rows: ["Тайный совет", "Палата лордов", "Палата общин", "Ряд народа"],
  government: "Правительство",
  constitution: "Конституция",
  stock: "Колода",
  waste: "Сброс",
  sovereign: "Монарх",
  bishop: "Епископ",
  judge: "Судья",
};
