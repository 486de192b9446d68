/** The server's clock, as its answers tell it; a device's own may be wrong. */

let ahead: number | null = null;

/** `fetch`, noting what time the answer says it is. */
export const timed: typeof fetch = async (input, init) => {
  const answer = await fetch(input, init);
  note(Date.parse(answer.headers.get("Date") ?? ""));
  return answer;
};

/** What time it is for the service, in milliseconds. */
export function now(): number {
  return Date.now() + (ahead ?? 0);
}

/** The latest time told is the truest: an answer that was kept, or was long under way, tells one that is past. */
function note(told: number): void {
  if (!Number.isNaN(told)) ahead = Math.max(ahead ?? -Infinity, told - Date.now());
}
