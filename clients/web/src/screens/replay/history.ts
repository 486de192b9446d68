/** Reads the history of a session, page by page. */
import { api } from "../../app/player.svelte.ts";
import { begin, extend, type Timeline } from "./timeline.ts";

/** What was read by now, after each page: from the deal on to the end of the log. */
export async function* read(session: string, signal: AbortSignal): AsyncGenerator<Timeline> {
  let timeline: Timeline | null = null;
  let after: number | null = 0;
  while (after !== null) {
    const page = await api.readHistory({ session, after }, undefined, { signal });
    timeline = extend(timeline ?? begin(page.session), page.events);
    yield timeline;
    after = page.next;
  }
}
