/** What the client says, in the language that was chosen. English is there from the start, the others come when asked for. */
import en from "./en.ts";
import { type Language, number, plural, type Forms } from "./language.ts";

export type Words = typeof en;

const others: Record<Exclude<Language, "en">, () => Promise<{ default: Words }>> = {
  es: () => import("./es.ts"),
  ru: () => import("./ru.ts"),
};

let language = $state<Language>("en");
let words = $state.raw<Words>(en);

/** `i18n.words.shell.play` is a text, and a function where it has something to fill in. */
export const i18n = {
  get language(): Language {
    return language;
  },
  get words(): Words {
    return words;
  },
  number: (value: number): string => number(language, value),
  plural: (count: number, forms: Forms): string => plural(language, count, forms),
};

/** Speaks another language from now on; the document says so too. */
export async function speak(next: Language): Promise<void> {
  words = next === "en" ? en : (await others[next]()).default;
  language = next;
  document.documentElement.lang = next;
}
