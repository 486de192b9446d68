import { afterEach, describe, expect, test } from "vitest";
import type { Saying } from "../../src/game/model.ts";
import { say } from "../../src/game/say.ts";
import { LANGUAGES } from "../../src/words/language.ts";
import { i18n, speak } from "../../src/words/words.svelte.ts";
import { event, session } from "./sessions.ts";

const PROMOTED = event(session(), { kind: "promote", move: "b1G", must_fill: "b1" });
const BUILT = event(session(), { kind: "build", move: "a2g1", revealed: [["a4", "7H"]] });
const said: [string, Saying, Record<"en" | "es" | "ru", string>][] = [
  [
    "a promotion that leaves a vacancy",
    { say: "event", event: PROMOTED, card: "2H", who: null },
    {
      en: "Two of hearts from Privy Council 2 goes up to the Government. Fill Privy Council 2 now.",
      es: "Dos de corazones, de Consejo Privado 2, asciende al Gobierno. Ahora hay que llenar el hueco Consejo Privado 2.",
      ru: "Двойка червей (Тайный совет 2) поднимается в Правительство. Теперь нужно заполнить пустое место: Тайный совет 2.",
    },
  ],
  [
    "another's build, and the card that it turned up",
    { say: "event", event: BUILT, card: "3C", who: "Bold Otter" },
    {
      en: "Bold Otter: Three of clubs from House of Lords 1 to Privy Council 7. New at People’s Row 1: seven of hearts.",
      es: "Bold Otter: Tres de tréboles, de Cámara de los Lores 1 a Consejo Privado 7. Nueva en Fila del Pueblo 1: siete de corazones.",
      ru: "Bold Otter: Тройка треф: Палата лордов 1 — Тайный совет 7. Новая карта, Ряд народа 1: семёрка червей.",
    },
  ],
  [
    "an undo of several steps",
    { say: "event", event: event(session(), { kind: "undo", count: 3 }), card: null, who: null },
    { en: "3 steps taken back.", es: "3 pasos deshechos.", ru: "Отменены 3 шага." },
  ],
  [
    "a refusal",
    { say: "refused", reason: "wrong_colour", detail: "…" },
    {
      en: "Not possible. The colours must alternate, red on black and black on red.",
      es: "No es posible. Los colores deben alternar, rojo sobre negro y negro sobre rojo.",
      ru: "Так нельзя. Цвета должны чередоваться: красная на чёрную, чёрная на красную.",
    },
  ],
  [
    "the whole of a hint",
    { say: "hint", hint: { level: 3, winnable: "yes", place: "a2", card: "3C", move: "a2g1" }, costs: false },
    {
      en: "Hint: the three of clubs from House of Lords 1 to Privy Council 7.",
      es: "Pista: tres de tréboles, de Cámara de los Lores 1 a Consejo Privado 7.",
      ru: "Подсказка: тройка треф, Палата лордов 1 — Тайный совет 7.",
    },
  ],
  [
    "a pile",
    { say: "pile", view: session({ waste: "9S8D" }), place: "W" },
    {
      en: "Waste, from the top: eight of diamonds, nine of spades.",
      es: "Descarte, desde arriba: ocho de diamantes, nueve de picas.",
      ru: "Сброс, сверху вниз: восьмёрка бубен, девятка пик.",
    },
  ],
];

afterEach(() => speak("en"));

describe.each(LANGUAGES)("in %s", (language) => {
  test.each(said)("%s", async (_, saying, texts) => {
    await speak(language);
    expect(say(saying)).toBe(texts[language]);
  });

  test("every reason of the rules has a sentence, and an unknown one keeps the service's", async () => {
    await speak(language);
    for (const sentence of Object.values(i18n.words.reasons)) expect(sentence).toMatch(/^\p{Lu}.*\.$/u);
    expect(say({ say: "refused", reason: "of_tomorrow", detail: "Something new." })).toContain("Something new.");
  });

  test("the speaking keys tell the board", async () => {
    await speak(language);
    const view = session({ stock: 0, waste: "9S", status: "stuck" });
    const texts = (["legal", "status", "stock", "last"] as const).map((what) => say({ say: what, view, last: ["a2", "g1"] }));
    for (const text of texts) expect(text).not.toMatch(/undefined|NaN|#/);
  });
});
