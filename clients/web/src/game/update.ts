/**
 * The game's one transition: the model and what is to be done, after a wish or after news of the service.
 *
 * One command is under way at a time, so that each is made on a board that its player saw; a wish or two may wait behind it.
 */
import type { Event, Outcome, Session } from "../sdk/index.ts";
import { answerTo, canFinish, isRanked, nameOf, type Change, type Effect, type Message, type Model, type Step } from "./model.ts";
import { endsOf, topCard } from "./places.ts";
import type { Intent } from "./types.ts";
import { announce, aside, call, finish, send, tell, wish } from "./wishes.ts";

const WISHES = 2;
const ASIDES: readonly string[] = ["cancel", "focus", "next", "tell"];
const KEEPS_BOARD: readonly string[] = ["hint", "ask", "consent"];

export function update(model: Model, message: Message): Step {
  switch (message.kind) {
    case "told":
      return settled(told(model, message.session, message.change));
    case "outcome":
      return settled(outcome(model, message.outcome));
    case "answered":
      return settled(answered(model, message.session));
    case "outlook":
      return settled(outlook(model, message.seq, message.winnable));
    case "failed":
      return failed(model, message);
    case "confirmed":
      return confirmed(model, message.what);
    case "agree":
      return send(model, { type: "consent", count: message.count }, null);
    case "presence":
      return [{ ...model, presence: { seats: message.seats, spectators: message.spectators } }, []];
    case "reaction":
      return reaction(model, message.seat, message.phrase);
    default:
      return intent(model, message);
  }
}

function intent(model: Model, wanted: Intent): Step {
  if (ASIDES.includes(wanted.kind)) return aside(model, wanted);
  if (model.session.you === null) return tell(model, { say: "plain", text: "watching" });
  if (!model.waiting) return wish({ ...model, finishing: false }, wanted);
  if (model.wishes.length >= WISHES) return [model, []];
  return [{ ...model, finishing: false, wishes: [...model.wishes, wanted] }, []];
}

/** Goes on, where the answer that was waited for is in: with a wish, or with the next card up. */
function settled([model, effects]: Step): Step {
  const { waiting, session } = model;
  if (waiting && (waiting.until === null || session.seq < waiting.until)) return [model, effects];
  const free = { ...model, waiting: null };
  const [wanted, ...wishes] = free.wishes;
  if (wanted) return joined(effects, settled(wish({ ...free, wishes }, wanted))); // picking a card up waits for nothing
  if (free.finishing) return canFinish(session) ? joined(effects, finish(free)) : [{ ...free, finishing: false }, effects];
  return [free, effects];
}

function joined(effects: readonly Effect[], [model, more]: Step): Step {
  return [model, [...effects, ...more]];
}

function told(model: Model, session: Session, change: Change): Step {
  if (change.kind === "event") return happened(model, session, change.event);
  const known = { ...model, session, picked: null, hint: null, wishes: [], finishing: false };
  if (change.kind === "snapshot") return session.seq === model.session.seq ? [{ ...model, session }, []] : [{ ...known, consents: {} }, []];
  return tell({ ...known, waiting: null, last: null, consents: {} }, { say: "reset", seq: session.seq });
}

function happened(model: Model, session: Session, event: Event): Step {
  const own = event.seat === session.you;
  const who = own ? null : nameOf(session, event.seat);
  if (event.kind === "consent") return consented({ ...model, session }, event, who);
  const kept = KEEPS_BOARD.includes(event.kind);
  const after: Model = {
    ...model,
    session,
    picked: kept || (!own && model.picked && !(model.picked in event.piles)) ? model.picked : null,
    hint: kept ? model.hint : null,
    outlook: kept ? model.outlook : null,
    consents: kept ? model.consents : {},
    last: event.move ? endsOf(event.move) : kept ? model.last : null,
    focus: (own && answerTo(session)) || model.focus,
  };
  if (kept && own) return [after, []]; // the answer itself says more
  const card = event.move ? topCard(model.session, endsOf(event.move)[0]) : null;
  const saying = { say: "event", event, card, who } as const;
  const worthReading = who !== null || event.status !== model.session.status;
  return [{ ...after, note: worthReading ? saying : own ? null : after.note }, [announce(saying)]];
}

/** Somebody agrees to take back, which is also how one asks for it; when all have, whoever asked does it. */
function consented(model: Model, event: Event, who: string | null): Step {
  const consents = { ...model.consents, [event.seat]: event.count ?? 0 };
  const after = { ...model, consents };
  const { you, seats } = model.session;
  const mine = you === null ? 0 : (consents[you] ?? 0);
  if (who === null) return tell(after, { say: "consentAsked" });
  if (mine && seats.every(({ seat }) => (consents[seat] ?? 0) >= mine)) {
    return after.waiting ? [{ ...after, wishes: [{ kind: "undo", by: "step" }] }, []] : send(after, { type: "undo", by: "step" }, null);
  }
  return tell(after, { say: "consentWanted", who, count: event.count ?? 0 });
}

function outcome(model: Model, answer: Outcome): Step {
  if (answer.kind === "ack") return [{ ...model, waiting: model.waiting && { ...model.waiting, until: answer.seq } }, []];
  const back = { ...model, waiting: null, wishes: [], finishing: false };
  if (answer.kind === "stale") return tell(back, { say: "stale" });
  if (answer.code === "consent_needed") return [back, [{ kind: "confirm", what: "undo" }]];
  return tell(back, { say: "refused", reason: answer.reason ?? answer.code, detail: answer.detail });
}

function answered(model: Model, session: Session): Step {
  const known = { ...model, waiting: model.waiting && { ...model.waiting, until: session.seq } };
  if (session.hint) return tell({ ...known, hint: session.hint }, { say: "hint", hint: session.hint, costs: isRanked(session) });
  if (session.winnable) return tell({ ...known, outlook: session.winnable }, { say: "outlook", winnable: session.winnable });
  return [known, []];
}

function outlook(model: Model, seq: number, winnable: Model["outlook"]): Step {
  const known = { ...model, waiting: model.waiting && { ...model.waiting, until: seq } };
  return winnable && seq === model.session.seq ? tell({ ...known, outlook: winnable }, { say: "outlook", winnable }) : [known, []];
}

function failed(model: Model, problem: Message & { kind: "failed" }): Step {
  const back = { ...model, waiting: null, wishes: [], finishing: false };
  if (problem.code === "unreachable") return tell(back, { say: "plain", text: "unreachable" });
  return tell(back, { say: "refused", reason: problem.reason ?? problem.code, detail: problem.detail });
}

function confirmed(model: Model, what: (Message & { kind: "confirmed" })["what"]): Step {
  if (model.waiting) return [model, []];
  return what === "undo" ? send(model, { type: "consent", count: 1 }, null) : call(model, what);
}

function reaction(model: Model, seat: number, phrase: string): Step {
  const who = nameOf(model.session, seat) ?? "";
  const turn = (model.reaction?.turn ?? 0) + 1;
  const effects = seat === model.session.you ? [] : [announce({ say: "reaction", who, phrase })];
  return [{ ...model, reaction: { who, phrase, turn } }, effects];
}
