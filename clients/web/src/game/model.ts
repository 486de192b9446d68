/** What is known of a game that is played here, what happens to it, and what is to be done about it. */
import type { Command, Event, Hint, Outcome, Session } from "../sdk/index.ts";
import { endsOf } from "./places.ts";
import type { Card, Intent, Marks, Place } from "./types.ts";

/** What goes over HTTP. `outlook` asks whether an open deal can still be won, which costs nothing; `ask` does of a secret one. */
export type Call = "hint" | "ask" | "outlook" | "restart" | "resign";
/** What is done only after a second thought; to undo what others played is to ask them. */
export type Confirmed = "hint" | "ask" | "restart" | "resign" | "undo";
export type Winnable = "yes" | "no" | "unknown";

/** Something to tell the player; `say.ts` has the sentences. */
export type Saying =
  | { say: "event"; event: Event; card: Card | null; who: string | null }
  | { say: "refused"; reason: string; detail: string }
  | { say: "stale" }
  | { say: "reset"; seq: number }
  | { say: "hint"; hint: Hint; costs: boolean }
  | { say: "outlook"; winnable: Winnable }
  | { say: "picked"; card: Card; moves: number }
  | { say: "putBack"; card: Card }
  | { say: "mustFill"; place: Place }
  | { say: "bad"; text: string }
  | { say: "consentWanted"; who: string; count: number }
  | { say: "consentAsked" }
  | { say: "reaction"; who: string; phrase: string }
  | { say: "legal" | "last" | "status" | "stock"; view: Session; last: readonly [Place, Place] | null }
  | { say: "pile"; view: Session; place: Place }
  | { say: "plain"; text: "asking" | "noMoves" | "noPromotion" | "notYet" | "noSuchMove" | "unreachable" | "watching" };

/** A command that waits: `at` is the place it was made on, `until` the one that holds it, once that is told. */
export interface Waiting {
  move: string | null;
  at: number;
  until: number | null;
}

export interface Model {
  /** What the service told last; the only truth. */
  session: Session;
  waiting: Waiting | null;
  picked: Place | null;
  focus: Place;
  /** What was wished while something waited. */
  wishes: readonly Intent[];
  hint: Hint | null;
  outlook: Winnable | null;
  last: readonly [Place, Place] | null;
  /** The last thing told that is worth reading too. */
  note: Saying | null;
  finishing: boolean;
  presence: { seats: readonly number[]; spectators: number } | null;
  reaction: { who: string; phrase: string; turn: number } | null;
  /** How many steps each seat agrees to take back. */
  consents: Readonly<Record<number, number>>;
}

export type Change = { kind: "snapshot" } | { kind: "reset" } | { kind: "event"; event: Event };

export type Message =
  | Intent
  | { kind: "confirmed"; what: Confirmed }
  | { kind: "agree"; count: number }
  | { kind: "told"; session: Session; change: Change }
  | { kind: "outcome"; outcome: Outcome }
  | { kind: "answered"; session: Session }
  | { kind: "outlook"; seq: number; winnable: Winnable }
  | { kind: "failed"; code: string; reason: string | null; detail: string }
  | { kind: "presence"; seats: readonly number[]; spectators: number }
  | { kind: "reaction"; seat: number; phrase: string };

export type Effect =
  | { kind: "send"; command: Command }
  | { kind: "call"; call: Call }
  | { kind: "confirm"; what: Confirmed }
  | { kind: "announce"; saying: Saying };

export type Step = readonly [Model, readonly Effect[]];

/** A game that has just been opened. */
export function begin(session: Session): Model {
  return {
    session,
    waiting: null,
    picked: null,
    focus: answerTo(session) ?? "a1",
    wishes: [],
    hint: null,
    outlook: session.winnable ?? null,
    last: null,
    note: null,
    finishing: false,
    presence: null,
    reaction: null,
    consents: {},
  };
}

/** What lights up on the board. */
export function marksOf(model: Model): Marks {
  const { waiting, session, hint } = model;
  const move = waiting?.move && session.seq <= waiting.at ? waiting.move : null;
  return {
    picked: model.picked,
    last: model.last,
    hint: hint?.move ? endsOf(hint.move) : hint?.place ? [hint.place] : [],
    pending: move && move !== "S" ? endsOf(move) : null,
  };
}

/** Where the keys are best to be while a vacancy waits: at the card below it, if that may fill it. */
export function answerTo(session: Session): Place | null {
  if (!session.must_fill) return null;
  const sources = session.legal.map(({ move }) => endsOf(move)[0]);
  return sources.find((place) => place[0] === session.must_fill?.[0]) ?? sources[0] ?? null;
}

/** Whether all that is left can only go up: nothing lies below the first row. */
export function canFinish(session: Session): boolean {
  const below = session.rows.slice(1).flat();
  return session.status === "playing" && session.stock === 0 && session.waste === "" && below.every((pile) => pile === "");
}

/** Whether what one asks for costs points that rank. */
export function isRanked(session: Session): boolean {
  return session.daily?.kind === "first";
}

/** Who sits there; null where nobody does. */
export function nameOf(session: Session, seat: number): string | null {
  return session.seats.find((taken) => taken.seat === seat)?.name ?? null;
}

/** The rows that are one's own: all but in departments, where they are dealt out evenly among the seats. */
export function ownRows(session: Session): number[] {
  const all = [1, 2, 3, 4];
  if (session.mode !== "departments") return all;
  const held = session.seats.map(({ seat }) => seat).sort((one, other) => one - other);
  return all.filter((row) => held[Math.floor(((row - 1) * held.length) / all.length)] === session.you);
}
