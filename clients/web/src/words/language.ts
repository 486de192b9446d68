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

/** The form that goes with a count, with `#` in it replaced by the number as the language writes it. */
export function plural(language: Language, count: number, forms: Forms): string {
  const category = new Intl.PluralRules(language).select(count);
  const form = (category in forms ? forms[category as keyof Forms] : undefined) ?? forms.other;
  return form.replaceAll("#", number(language, count));
}

/** A number as the language writes it. */
export function number(language: Language, value: number): string {
  return new Intl.NumberFormat(language).format(value);
}
