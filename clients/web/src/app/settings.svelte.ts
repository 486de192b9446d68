/** What this device remembers of how one likes to play. */
import { LANGUAGES, type Language } from "../words/language.ts";

export interface Settings {
  language: Language | null; // null: as the browser likes
  theme: "auto" | "light" | "dark" | "contrast";
  suits: "two" | "distinct"; // the distinct ones can be told without seeing red and green apart
  faces: "auto" | "art" | "big"; // auto: big where cards are small
  motion: "auto" | "off";
  coached: boolean; // whether the first-run coach was seen
  rules: string; // the preset of the next new game
}

/** What may be chosen; what is remembered and is none of these is forgotten. The first is the default. */
export const CHOICES = {
  language: [null, ...LANGUAGES],
  theme: ["auto", "light", "dark", "contrast"],
  suits: ["two", "distinct"],
  faces: ["auto", "art", "big"],
  motion: ["auto", "off"],
  coached: [false, true],
  rules: ["modern", "cadogan", "cadogan-1914", "pysol"],
} as const satisfies { [K in keyof Settings]: readonly Settings[K][] };

const KEY = "settings";

/** The settings in a stored text, as far as they can be understood. */
export function settingsIn(text: string | null): Settings {
  let given: unknown = null;
  try {
    given = JSON.parse(text ?? "null");
  } catch {
    // Nothing to be understood; the defaults serve.
  }
  const kept = Object.entries(CHOICES).map(([name, choices]) => {
    const value: unknown = given instanceof Object ? Reflect.get(given, name) : undefined;
    return [name, (choices as readonly unknown[]).includes(value) ? value : choices[0]];
  });
  return Object.fromEntries(kept) as Settings;
}

function stored(): string | null {
  try {
    return localStorage.getItem(KEY);
  } catch {
    return null;
  }
}

const current = $state(settingsIn(stored()));

/** Read it anywhere; change it by `prefer`. */
export const settings: Readonly<Settings> = current;

export function prefer(change: Partial<Settings>): void {
  Object.assign(current, change);
  try {
    localStorage.setItem(KEY, JSON.stringify(current));
  } catch {
    // A browser that keeps nothing for this page still lets one play; the settings last as long as the page.
  }
}

/** The language that was chosen, or else the first of the browser's that the client speaks. */
export function wantedLanguage(liked: readonly string[] = navigator.languages): Language {
  if (settings.language) return settings.language;
  const codes = liked.map((tag) => tag.toLowerCase().split("-")[0]);
  return codes.map((code) => LANGUAGES.find((language) => language === code)).find(Boolean) ?? "en";
}

addEventListener("storage", (event) => {
  if (event.key === KEY) Object.assign(current, settingsIn(event.newValue));
});
