import type { Event, Session } from "./types.ts";

/** The session after one event; what the event does not tell stays as it was. */
export function follow(session: Session, event: Event): Session {
  const { seq, crc, status, foundations, stock, waste, must_fill, points, legal, turn, can_undo, can_redo } = event;
  const next = { ...session };
  const moved = Object.keys(event.piles).length > 0 || waste !== session.waste;
  delete next.hint;
  if (moved) delete next.winnable; // it was said of a position
  return {
    ...next,
    ...{ seq, crc, status, foundations, stock, waste, must_fill, points, legal, turn, can_undo, can_redo },
    rows: withPiles(session.rows, event.piles),
  };
}

/** `piles` names tableau piles by column a to h and row 1 to 4. */
function withPiles(rows: string[][], piles: Event["piles"]): string[][] {
  return rows.map((row, r) => row.map((pile, c) => piles["abcdefgh"[c] + String(r + 1)] ?? pile));
}
