/** Where a day stands in its life, and what one may do with it, by the service's clock. */
import type { Daily } from "../../sdk/index.ts";

/** Before it opens; open; closed to new runs while others go on; about to be final; final. */
export type Phase = "before" | "open" | "ending" | "settling" | "final";

export function phaseOf(day: Daily, now: number): Phase {
  if (day.final_at !== null) return "final";
  if (now < Date.parse(day.opens_at)) return "before";
  if (now < Date.parse(day.closes_at)) return "open";
  return now < Date.parse(day.ends_at) ? "ending" : "settling";
}

/**
 * wait: it has not opened. first: the run that ranks can be begun. goOn: one's run is not over. late: one can make up
 * for it. open: a further run goes to the open board. past: a further run counts for nothing. none: nothing just now.
 */
export type Choice = "wait" | "first" | "goOn" | "late" | "open" | "past" | "none";

const OVER: ReadonlySet<string> = new Set(["won", "resigned", "expired"]);

export function choiceOf(day: Daily, now: number): Choice {
  const before = (moment: string) => now < Date.parse(moment);
  if (before(day.opens_at)) return "wait";
  if (!day.you && before(day.closes_at)) return "first";
  if (!day.you && before(day.late_until)) return "late";
  if (day.you && !OVER.has(day.you.status) && before(day.you.kind === "late" ? day.late_until : day.ends_at)) return "goOn";
  if (!before(day.ends_at)) return "past";
  return day.you && OVER.has(day.you.status) ? "open" : "none";
}

/** The next moment at which the day is another; null after the last. */
export function nextChange(day: Daily, now: number): number | null {
  const moments = [day.opens_at, day.closes_at, day.ends_at, day.late_until].map((moment) => Date.parse(moment));
  return moments.find((moment) => moment > now) ?? null;
}
