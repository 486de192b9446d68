/** Days, weeks and months in UTC, named as the service names them, and the steps between them. */
import type { Asked } from "./query.ts";

const DAY = 86_400_000;
const FIRST_DAY = Date.UTC(2026, 0, 1); // the day of challenge number 1

/** The day, week or month that a moment lies in. */
export function periodAt(period: Asked["period"], time: number): string {
  const date = new Date(time).toISOString();
  if (period === "week") return weekName(time);
  return period === "month" ? date.slice(0, 7) : date.slice(0, 10);
}

/** When a day, week or month begins. */
export function beginOf(name: string): number {
  const [year = "", week] = name.split("-W");
  return week ? mondayOfFirstWeek(Number(year)) + (Number(week) - 1) * 7 * DAY : Date.parse(name);
}

/** The one before (-1) or after (1); null where there is no board: before the first day, or in the future. */
export function stepped(period: Asked["period"], name: string, by: -1 | 1, now: number): string | null {
  const begin = new Date(beginOf(name));
  if (period === "month") begin.setUTCMonth(begin.getUTCMonth() + by);
  else begin.setUTCDate(begin.getUTCDate() + by * (period === "week" ? 7 : 1));
  const next = begin.getTime();
  const isThere = by < 0 ? periodAt(period, next) >= periodAt(period, FIRST_DAY) : next <= now;
  return isThere ? periodAt(period, next) : null;
}

/** By ISO 8601: a week belongs to the year that its Thursday lies in. */
function weekName(time: number): string {
  const midnight = time - (time % DAY);
  const thursday = midnight + (3 - ((new Date(time).getUTCDay() + 6) % 7)) * DAY;
  const year = new Date(thursday).getUTCFullYear();
  const week = 1 + Math.floor((thursday - mondayOfFirstWeek(year)) / (7 * DAY));
  return `${year}-W${String(week).padStart(2, "0")}`;
}

/** The first week of a year is the one with 4 January. */
function mondayOfFirstWeek(year: number): number {
  const fourth = Date.UTC(year, 0, 4);
  return fourth - ((new Date(fourth).getUTCDay() + 6) % 7) * DAY;
}
