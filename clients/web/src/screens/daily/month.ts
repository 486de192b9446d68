/** A month as weeks from Monday to Sunday. */
import type { CalendarDay } from "../../sdk/index.ts";

/** The month's days in rows of seven; null before its first and after its last. */
export function weeksOf(days: readonly CalendarDay[]): (CalendarDay | null)[][] {
  const first = days[0];
  if (!first) return [];
  const before = (new Date(first.date).getUTCDay() + 6) % 7;
  const cells = [...Array<null>(before).fill(null), ...days];
  while (cells.length % 7) cells.push(null);
  return Array.from({ length: cells.length / 7 }, (_, week) => cells.slice(week * 7, week * 7 + 7));
}

/** The month so many months later. */
export function monthAfter(month: string, by: number): string {
  const moved = new Date(`${month}-01`);
  moved.setUTCMonth(moved.getUTCMonth() + by);
  return moved.toISOString().slice(0, 7);
}
