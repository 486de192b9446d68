/** The positions of a session one after the other, as far as they were read. Nothing here knows what is legal. */
import { follow, type Event, type Session } from "../../sdk/index.ts";

/** `events[i]` leads from `positions[i]` to the position after it. */
export interface Timeline {
  readonly positions: readonly [Session, ...Session[]];
  readonly events: readonly Event[];
}

export function begin(session: Session): Timeline {
  return { positions: [session], events: [] };
}

export function firstOf(timeline: Timeline): number {
  return timeline.positions[0].seq;
}

export function lastOf(timeline: Timeline): number {
  return firstOf(timeline) + timeline.events.length;
}

/** The position after `seq` entries, or the nearest that was read. */
export function positionAt(timeline: Timeline, seq: number): Session {
  const index = Math.min(Math.max(0, seq - firstOf(timeline)), timeline.events.length);
  return timeline.positions[index] ?? timeline.positions[0];
}

/** The entry that led to a position; null where that was not read. */
export function entryAt(timeline: Timeline, seq: number): Event | null {
  return timeline.events[seq - firstOf(timeline) - 1] ?? null;
}

/** With the entries that come next; those that it has are passed over, and so is what lies behind a gap. */
export function extend(timeline: Timeline, events: readonly Event[]): Timeline {
  const positions: [Session, ...Session[]] = [...timeline.positions];
  const known = [...timeline.events];
  let last = positionAt(timeline, lastOf(timeline));
  for (const event of events) {
    if (event.seq !== last.seq + 1) continue;
    last = follow(last, event);
    positions.push(last);
    known.push(event);
  }
  return { positions, events: known };
}

/** With what came before, where that reaches the first position; else as it was. */
export function prepend(earlier: Timeline, timeline: Timeline): Timeline {
  const first = timeline.positions[0];
  if (firstOf(earlier) > first.seq || lastOf(earlier) < first.seq) return timeline;
  if (positionAt(earlier, first.seq).crc !== first.crc) return timeline;
  const length = first.seq - firstOf(earlier);
  const [start = first, ...rest] = [...earlier.positions.slice(0, length), ...timeline.positions];
  return { positions: [start, ...rest], events: [...earlier.events.slice(0, length), ...timeline.events] };
}

/** With the session told anew: the same history where it ends at that place, else one that begins there. */
export function renew(timeline: Timeline | null, session: Session): Timeline {
  const last = timeline && positionAt(timeline, lastOf(timeline));
  if (!timeline || last?.seq !== session.seq || last.crc !== session.crc) return begin(session);
  const [start = session, ...rest] = [...timeline.positions.slice(0, -1), session];
  return { positions: [start, ...rest], events: timeline.events };
}

/** For each move that stands after these entries, which begin at the deal, the `seq` of the entry that made it. */
export function standing(events: readonly Event[]): number[] {
  const line: { move: string; seq: number }[] = [];
  let played = 0;
  for (const { kind, move, count = 0, seq } of events) {
    if (move) {
      const isRepeated = line[played]?.move === move; // then what lies behind it can still be repeated
      line.splice(played, isRepeated ? 1 : line.length, { move, seq });
      played += 1;
    } else if (kind === "undo") played -= count;
    else if (kind === "redo") played += count;
    else if (kind === "restart") played = 0;
  }
  return line.slice(0, played).map((step) => step.seq);
}
