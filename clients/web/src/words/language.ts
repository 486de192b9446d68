/** The languages that the client speaks, and what plurals and numbers are in each. */

export type Language = "en" | "es" | "ru";
export const LANGUAGES: readonly Language[] = ["en", "es", "ru"];

/** The forms of a countable thing; `other` serves where a language has no form of its own. */
export interface Forms {
  one: string;
  few?: string;
  many?: string;
  other: string;
}

/** What a language's rules are, made once, since making them takes long. */
function once<T>(make: (language: Language) => T): (language: Language) => T {
  const made = new Map<Language, T>();
  return (language) => {
    const known = made.get(language) ?? make(language);
    made.set(language, known);
    return known;
  };
}
const pluralsOf = once((language) => new Intl.PluralRules(language));
const numbersOf = once((language) => new Intl.NumberFormat(language));

/** The form that goes with a count, with `#` in it replaced by the number as the language writes it. */
export function plural(language: Language, count: number, forms: Forms): string {
  const category = pluralsOf(language).select(count);
  const form = (category in forms ? forms[category as keyof Forms] : undefined) ?? forms.other;
  return form.replaceAll("#", number(language, count));
}

/** A number as the language writes it. */
export function number(language: Language, value: number): string {
  return numbersOf(language).format(value);
}
