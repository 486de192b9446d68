/** Asks where a game was lost, until all is found that will be. */
import { pause } from "../../app/pause.ts";
import { api } from "../../app/player.svelte.ts";
import { Problem, type Analysis } from "../../sdk/index.ts";

const WAIT = 3; // seconds for which one answer searches, so that one sees that it goes on
const PATIENCE = 20; // times that a busy service is asked again

/** What is known, with each answer more. */
export async function* lookInto(session: string, signal: AbortSignal): AsyncGenerator<Analysis> {
  for (let refused = 0; ; ) {
    try {
      const known = await api.readAnalysis({ session, wait: WAIT }, undefined, { signal });
      yield known;
      if (known.done) return;
    } catch (error) {
      const after = error instanceof Problem && isBusy(error) && refused++ < PATIENCE ? (error.retryAfter ?? 2) : null;
      if (after === null) throw error;
      await pause(after * 1000, signal);
    }
  }
}

function isBusy({ code }: Problem): boolean {
  return code === "rate_limited" || code === "unavailable";
}
