import { afterAll, describe, expect, it } from "vitest";
import { cardName, cellName, placeName } from "../../src/board/names.ts";
import { speak } from "../../src/words/words.svelte.ts";
import { board } from "./view.ts";

const without = (...pile: string[]): string[] => [...pile, ...Array<string>(8 - pile.length).fill("")];
const view = board({ must_fill: "b2", rows: [without("9S8D6C"), without("7D"), without(), without()] });

const names = {
  en: ["jack of hearts", "House of Lords 3", "six of clubs, Privy Council 1, 3 cards", "seven of diamonds, House of Lords 1"],
  es: ["jota de corazones", "Cámara de los Lores 3", "seis de tréboles, Consejo Privado 1, 3 cartas", "siete de diamantes, Cámara de los Lores 1"],
  ru: ["валет червей", "Палата лордов 3", "шестёрка треф, Тайный совет 1, 3 карты", "семёрка бубен, Палата лордов 1"],
} as const;
const others = {
  en: ["Clubs: six", "Stock, 48 cards", "House of Lords 2, vacancy to be filled", "Privy Council 2, vacancy", "People’s Row 4, empty", "Waste, empty"],
  es: ["Tréboles: seis", "Mazo, 48 cartas", "Cámara de los Lores 2, hueco por llenar", "Consejo Privado 2, hueco", "Fila del Pueblo 4, sin cartas", "Descarte, sin cartas"],
  ru: ["Трефы: шестёрка", "Колода, 48 карт", "Палата лордов 2, пустое место, его нужно заполнить", "Тайный совет 2, пустое место", "Ряд народа 4, карт нет", "Сброс, карт нет"],
} as const;

afterAll(() => speak("en"));

describe.each(["en", "es", "ru"] as const)("names in %s", (language) => {
  it("of cards, places and piles", async () => {
    await speak(language);
    expect([cardName("JH"), placeName("c2"), cellName(view, "a1"), cellName(view, "a2")]).toEqual(names[language]);
  });

  it("of foundations, the stock and empty places", async () => {
    await speak(language);
    expect([
      cellName(view, "G", 1),
      cellName(view, "S"),
      cellName(view, "b2"),
      cellName(view, "b1"),
      cellName(view, "d4"),
      cellName(view, "W"),
    ]).toEqual(others[language]);
  });
});
