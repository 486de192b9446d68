/** Dates, times and spans as a language writes them. Days are UTC; times are the person's own. */
import type { Language } from "../../words/language.ts";

const LOCALES = { en: "en-GB", es: "es-ES", ru: "ru-RU" } as const;
const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

export interface SpanWords {
  days(count: number): string;
  hours(hours: number, minutes: number): string;
  minutes(minutes: number): string;
  moment: string;
}

/** "30 November 2026" */
export function dayName(language: Language, date: string): string {
  return format(language, Date.parse(date), { day: "numeric", month: "long", year: "numeric", timeZone: "UTC" });
}

/** "November 2026" */
export function monthName(language: Language, month: string): string {
  return format(language, Date.parse(`${month}-01`), { month: "long", year: "numeric", timeZone: "UTC" });
}

/** "21:00", with the day of the week where that is not today. */
export function timeName(language: Language, moment: string, now: number): string {
  const time = Date.parse(moment);
  const isToday = new Date(time).toDateString() === new Date(now).toDateString();
  return format(language, time, { hour: "2-digit", minute: "2-digit", ...(isToday ? {} : { weekday: "long" as const }) });
}

/** "30 Nov 2026, 21:00" */
export function momentName(language: Language, moment: string): string {
  return format(language, Date.parse(moment), { dateStyle: "medium", timeStyle: "short" });
}

/** Monday to Sunday: the week begins on Monday in all three languages. */
export function weekdays(language: Language): { short: string; long: string }[] {
  return Array.from({ length: 7 }, (_, index) => {
    const monday = Date.UTC(2024, 0, 1);
    const name = (weekday: "short" | "long") => format(language, monday + index * DAY, { weekday, timeZone: "UTC" });
    return { short: name("short"), long: name("long") };
  });
}

/** "5 h 12 min" */
export function spanName(words: SpanWords, span: number): string {
  if (span >= 2 * DAY) return words.days(Math.floor(span / DAY));
  const minutes = Math.floor((span % HOUR) / MINUTE);
  if (span >= HOUR) return words.hours(Math.floor(span / HOUR), minutes);
  return minutes > 0 ? words.minutes(minutes) : words.moment;
}

function format(language: Language, time: number, options: Intl.DateTimeFormatOptions): string {
  return new Intl.DateTimeFormat(LOCALES[language], options).format(time);
}
