/** Whether to come back after a connection broke, and when. */
import type { Bye } from "./messages.ts";
import { Problem } from "./problem.ts";

const FIRST = 250;
const LONGEST = 10_000;
export const UNAUTHORISED = 4501;

/** `wait` in milliseconds; null is never. */
export interface Comeback {
  wait: number | null;
  code: string | null;
}

/** Longer from attempt to attempt, and for everybody another time. */
export function backoff(attempt: number, random: number): number {
  return Math.round(Math.min(LONGEST, FIRST * 2 ** attempt) * (0.5 + random / 2));
}

/** After a close: 45xx would happen again, but for 4501, where another ticket may help, once. */
export function afterClose(closeCode: number, bye: Bye | null, isFirst: boolean, pause: number): Comeback {
  const code = bye?.code ?? null;
  if (closeCode === UNAUTHORISED && isFirst) return { wait: 0, code };
  if (closeCode >= 4500 && closeCode < 4600) return { wait: null, code: code ?? String(closeCode) };
  if (bye?.code === "going_away") return { wait: bye.retry_ms ?? pause, code }; // told everybody another
  return { wait: (bye?.retry_ms ?? 0) + pause, code };
}

/** After there was no ticket: a refusal stands, unless it was for asking too often. */
export function afterNoTicket(error: unknown, pause: number): Comeback {
  if (!(error instanceof Problem)) return { wait: pause, code: null };
  const { status, code, retryAfter } = error;
  if (status < 500 && status !== 429) return { wait: null, code };
  return { wait: (retryAfter ?? 0) * 1000 + pause, code };
}
