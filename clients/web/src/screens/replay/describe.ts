/** Entries of a log in words and in notation. */
import { cardName, placeName } from "../../board/names.ts";
import { endsOf, topCard } from "../../game/places.ts";
import type { Card, Marks } from "../../game/types.ts";
import type { Event, Session } from "../../sdk/index.ts";
import { i18n } from "../../words/words.svelte.ts";
import { entryAt, lastOf, positionAt, type Timeline } from "./timeline.ts";

/** What an entry did, in a few words; `before` is the position that it was made in. */
export function describe(event: Event, before: Session): string {
  const { entry } = i18n.words.replay;
  if (event.move) {
    const [from] = endsOf(event.move);
    return describeMove(event.move, from === "S" ? (event.revealed[0]?.[1] ?? null) : topCard(before, from));
  }
  switch (event.kind) {
    case "undo":
    case "redo":
    case "consent":
      return entry[event.kind](event.count ?? 0);
    case "hint":
      return entry.hint[(event.count ?? 0) - 1] ?? "";
    case "restart":
    case "resign":
    case "ask":
      return entry[event.kind];
    default:
      return "";
  }
}

/** A move in a few words: of its card, where that is known, else of the place that it comes from. */
export function describeMove(move: string, card: Card | null): string {
  const { entry } = i18n.words.replay;
  const [from, to] = endsOf(move);
  if (from === "S") return card ? entry.turned(cardName(card)) : entry.turn;
  const what = card ? cardName(card) : placeName(from);
  return to === "G" ? entry.promote(what) : entry.move(what, placeName(to));
}

/** An entry as a record has it. */
export function notation({ kind, move, count }: Event): string {
  return move ?? (count ? `${kind}:${count}` : kind);
}

/** Which place of the game is shown, and what led there: "Move 17 of 272: six of clubs to the Government". */
export function describePlace(timeline: Timeline, seq: number): string {
  const { at, atDeal, noMoves } = i18n.words.replay;
  const last = i18n.number(lastOf(timeline));
  if (seq === 0) return lastOf(timeline) === 0 ? noMoves : atDeal(last);
  const event = entryAt(timeline, seq);
  return at(i18n.number(seq), last, event ? describe(event, positionAt(timeline, seq - 1)) : "…");
}

/** The move that led to a position, lit up. */
export function marksAt(timeline: Timeline, seq: number): Marks {
  const event = entryAt(timeline, seq);
  return { last: event?.move ? endsOf(event.move) : null };
}
