/** What a person's wishes come to on the board as it is. A wish that is not legal is sent all the same: the refusal says why. */
import type { Command } from "../sdk/index.ts";
import { canFinish, isRanked, type Confirmed, type Effect, type Model, type Saying, type Step } from "./model.ts";
import { cardsAt, columnOf, endsOf, isLegal, legalFrom, moveIn, moveOf, placeAt, PLACES, rowOf, topCard } from "./places.ts";
import type { Intent, Place } from "./types.ts";

const LETTERS: Readonly<Record<string, Intent>> = {
  u: { kind: "undo", by: "group" },
  y: { kind: "redo", by: "group" },
  h: { kind: "hint" },
  f: { kind: "promote", place: null },
  d: { kind: "turn" },
};

/** The model after a wish, while nothing waits. */
export function wish(model: Model, intent: Intent): Step {
  switch (intent.kind) {
    case "choose":
      return choose(model, intent.place);
    case "move":
      return between(model, intent.from, intent.to);
    case "promote":
      return promote(model, intent.place);
    case "fill":
      return fill(model, intent.column);
    case "turn":
      return play(model, "S");
    case "undo":
    case "redo":
      return send({ ...model, picked: null }, { type: intent.kind, by: intent.by }, null);
    case "restart":
    case "resign":
      return confirm(model, intent.kind);
    case "hint":
      return isRanked(model.session) && !model.hint ? confirm(model, "hint") : call(model, "hint");
    case "ask":
      if (!model.session.secret) return call(model, "outlook");
      return isRanked(model.session) ? confirm(model, "ask") : call(model, "ask");
    case "finish":
      return finish(model);
    case "notation":
      return notation(model, intent.text);
    default:
      return aside(model, intent);
  }
}

/** What needs no answer of the service, and so never waits; `wish` has the rest. */
export function aside(model: Model, intent: Intent): Step {
  switch (intent.kind) {
    case "cancel":
      return [{ ...model, picked: null, wishes: [], hint: null, note: null, finishing: false }, putBack(model)];
    case "focus":
      return [{ ...model, focus: intent.place }, []];
    case "next":
      return next(model);
    case "tell":
      return [model, [announce(telling(model, intent.what))]];
    default:
      return [model, []];
  }
}

/** Makes a move, legal or not. */
export function play(model: Model, move: string): Step {
  return send({ ...model, picked: null }, { type: "play", move }, move);
}

/** Asks the service for something that it writes down, or, for `outlook`, only answers. */
export function call(model: Model, what: "hint" | "ask" | "outlook" | "restart" | "resign"): Step {
  const asked = waitFor({ ...model, picked: null }, null);
  const answers = what === "hint" || what === "ask" || what === "outlook"; // which takes a while, so it is seen to be under way
  return [answers ? { ...asked, note: { say: "plain", text: "asking" } } : asked, [{ kind: "call", call: what }]];
}

export function send(model: Model, command: Command, move: string | null): Step {
  return [waitFor(model, move), [{ kind: "send", command }]];
}

/** One more card goes up, as long as one can. */
export function finish(model: Model): Step {
  if (!canFinish(model.session)) return tell({ ...model, finishing: false }, { say: "plain", text: "notYet" });
  const up = model.session.legal.find(({ kind }) => kind === "promote");
  return up ? play({ ...model, finishing: true }, up.move) : [{ ...model, finishing: false }, []];
}

export function tell(model: Model, saying: Saying): Step {
  return [{ ...model, note: saying }, [announce(saying)]];
}

export function announce(saying: Saying): Effect {
  return { kind: "announce", saying };
}

function waitFor(model: Model, move: string | null): Model {
  return { ...model, note: null, waiting: { move, at: model.session.seq, until: null } };
}

function confirm(model: Model, what: Confirmed): Step {
  return [{ ...model, picked: null }, [{ kind: "confirm", what }]];
}

function choose(model: Model, place: Place): Step {
  const { session, picked } = model;
  const vacancy = session.must_fill;
  if (vacancy) return place.length === 2 && place !== vacancy ? between(model, place, vacancy) : tell(model, { say: "mustFill", place: vacancy });
  if (place === "S") return play(model, "S");
  if (picked === place) return [{ ...model, picked: null }, putBack(model)];
  if (picked) return placeOn(model, picked, place);
  const moves = legalFrom(session, place);
  return moves[0] && moves.length === 1 ? play(model, moves[0].move) : pick(model, place);
}

function placeOn(model: Model, picked: Place, place: Place): Step {
  const move = moveOf(picked, place);
  if (move && isLegal(model.session, move)) return play(model, move);
  return legalFrom(model.session, place).length ? pick(model, place) : between(model, picked, place);
}

function pick(model: Model, place: Place): Step {
  const card = place === "G" ? null : topCard(model.session, place);
  if (!card) return [model, []];
  const moves = legalFrom(model.session, place).length;
  return [{ ...model, picked: place, note: null }, [announce({ say: "picked", card, moves })]];
}

function putBack(model: Model): Effect[] {
  const card = model.picked && topCard(model.session, model.picked);
  return card ? [announce({ say: "putBack", card })] : [];
}

function between(model: Model, from: Place, to: Place): Step {
  if (from === to) return [{ ...model, picked: null }, []];
  const move = moveOf(from, to);
  return move ? play(model, move) : tell({ ...model, picked: null }, { say: "plain", text: "noSuchMove" });
}

function promote(model: Model, place: Place | null): Step {
  if (place && model.last?.[0] === place && !isLegal(model.session, `${place}G`)) return [model, []]; // a double tap: the first has moved it
  if (place) return between(model, place, "G");
  const up = model.session.legal.find(({ kind }) => kind === "promote");
  return up ? play(model, up.move) : tell(model, { say: "plain", text: "noPromotion" });
}

function fill(model: Model, column: number): Step {
  const vacancy = model.session.must_fill;
  if (!vacancy) return [{ ...model, focus: placeAt(column, rowOf(model.focus) || 1) }, []];
  return between(model, placeAt(column, rowOf(vacancy) + 1), vacancy);
}

/** The next pile, in reading order, that has a legal move. */
function next(model: Model): Step {
  const after = PLACES.indexOf(model.focus) + 1;
  const order = [...PLACES.slice(after), ...PLACES.slice(0, after)];
  const place = order.find((one) => legalFrom(model.session, one).length > 0);
  return place ? [{ ...model, focus: place }, []] : tell(model, { say: "plain", text: "noMoves" });
}

function notation(model: Model, text: string): Step {
  const trimmed = text.trim();
  const move = moveIn(trimmed);
  if (move) return between(model, ...endsOf(move));
  const intent = LETTERS[trimmed.toLowerCase()];
  return intent ? wish(model, intent) : tell(model, { say: "bad", text: trimmed });
}

function telling(model: Model, what: (Intent & { kind: "tell" })["what"]): Saying {
  const { session, last, focus } = model;
  if (what === "pile") return { say: "pile", view: session, place: cardsAt(session, focus).length || columnOf(focus) ? focus : "W" };
  return { say: what, view: session, last };
}
