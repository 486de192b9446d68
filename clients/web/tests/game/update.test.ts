import { describe, expect, test } from "vitest";
import { begin, marksOf, type Effect, type Message, type Model } from "../../src/game/model.ts";
import type { Intent } from "../../src/game/types.ts";
import { update } from "../../src/game/update.ts";
import { follow, type Event, type Session } from "../../src/sdk/index.ts";
import { event, legal, session } from "./sessions.ts";

/** The model after all the messages, and all that was to be done. */
function after(start: Model, ...messages: Message[]): [Model, Effect[]] {
  let model = start;
  const done: Effect[] = [];
  for (const message of messages) {
    const [next, effects] = update(model, message);
    model = next;
    done.push(...effects);
  }
  return [model, done];
}

/** What the service tells after a move, and that it has entered it. */
function entered(before: Session, change: Partial<Event>): Message[] {
  const told = event(before, change);
  return [
    { kind: "told", session: follow(before, told), change: { kind: "event", event: told } },
    { kind: "outcome", outcome: { kind: "ack", seq: told.seq, crc: told.crc } },
  ];
}

const sent = (effects: readonly Effect[]): unknown[] => effects.filter(({ kind }) => kind !== "announce");
const said = (effects: readonly Effect[]): unknown[] => effects.flatMap((one) => (one.kind === "announce" ? [one.saying.say] : []));
const move = (text: string): Effect => ({ kind: "send", command: { type: "play", move: text } });

const gap = session({ must_fill: "b1", legal: legal("a2b1", "c2b1").map((one) => ({ ...one, kind: "fill" as const })) });
const idle = session({ legal: [] });

describe("a wish becomes a command", () => {
  const cases: [string, Session, Intent, Effect][] = [
    ["a card with one place to go moves at once", session(), { kind: "choose", place: "b1" }, move("b1G")],
    ["the stock turns", session({ legal: legal("S") }), { kind: "choose", place: "S" }, move("S")],
    ["the stock is asked for even where it may not turn, so that the reason is told", session(), { kind: "choose", place: "S" }, move("S")],
    ["a card below the vacancy fills it", gap, { kind: "choose", place: "c2" }, move("c2b1")],
    ["a card that may not fill it is asked for all the same", gap, { kind: "choose", place: "d4" }, move("d4b1")],
    ["a drop", session(), { kind: "move", from: "a2", to: "g1" }, move("a2g1")],
    ["a drop that is not legal", session(), { kind: "move", from: "a4", to: "a1" }, move("a4a1")],
    ["a drop of the stock on the waste", session(), { kind: "move", from: "S", to: "W" }, move("S")],
    ["a card goes up", session(), { kind: "promote", place: "c1" }, move("c1G")],
    ["whatever can goes up", session(), { kind: "promote", place: null }, move("b1G")],
    ["a column answers the vacancy", gap, { kind: "fill", column: 1 }, move("a2b1")],
    ["turn", session(), { kind: "turn" }, move("S")],
    ["undo", session(), { kind: "undo", by: "group" }, { kind: "send", command: { type: "undo", by: "group" } }],
    ["redo", session(), { kind: "redo", by: "step" }, { kind: "send", command: { type: "redo", by: "step" } }],
    ["a hint", session(), { kind: "hint" }, { kind: "call", call: "hint" }],
    ["an open deal's question costs nothing", session(), { kind: "ask" }, { kind: "call", call: "outlook" }],
    ["a secret deal's question", session({ secret: true }), { kind: "ask" }, { kind: "call", call: "ask" }],
    ["a restart is asked about", session(), { kind: "restart" }, { kind: "confirm", what: "restart" }],
    ["so is giving up", session(), { kind: "resign" }, { kind: "confirm", what: "resign" }],
    ["a move as text", session(), { kind: "notation", text: " A2G1 " }, move("a2g1")],
    ["a promotion as text", session(), { kind: "notation", text: "d1g" }, move("d1G")],
    ["a waste build as text", session(), { kind: "notation", text: "wb4" }, move("Wb4")],
    ["a turn as text", session(), { kind: "notation", text: "s" }, move("S")],
    ["a letter as text", session(), { kind: "notation", text: "U" }, { kind: "send", command: { type: "undo", by: "group" } }],
  ];
  test.each(cases)("%s", (_, board, intent, effect) => {
    expect(sent(after(begin(board), intent)[1])).toEqual([effect]);
  });

  test("in a run that ranks, help is asked about first", () => {
    const ranked = session({ secret: true, daily: { date: "2026-11-30", kind: "first", ends_at: "2026-12-01T02:00:00.000Z" } });
    expect(after(begin(ranked), { kind: "hint" })[1]).toEqual([{ kind: "confirm", what: "hint" }]);
    expect(after(begin(ranked), { kind: "ask" })[1]).toEqual([{ kind: "confirm", what: "ask" }]);
    expect(after(begin(ranked), { kind: "hint" }, { kind: "confirmed", what: "hint" })[1].at(-1)).toEqual({ kind: "call", call: "hint" });
  });
});

describe("a wish that needs no service", () => {
  test("a card with several places to go is picked, and put where it is wished", () => {
    const [picked, effects] = after(begin(session()), { kind: "choose", place: "a2" });
    expect([marksOf(picked).picked, said(effects)]).toEqual(["a2", ["picked"]]);
    expect(sent(after(picked, { kind: "choose", place: "g1" })[1])).toEqual([move("a2g1")]);
  });

  test("the same place puts it back, another movable card is picked instead, and what can do neither is refused by the service", () => {
    const [picked] = after(begin(session()), { kind: "choose", place: "a2" });
    expect(after(picked, { kind: "choose", place: "a2" })[0].picked).toBeNull();
    expect(after(picked, { kind: "choose", place: "e2" })[0].picked).toBe("e2");
    expect(sent(after(picked, { kind: "choose", place: "h1" })[1])).toEqual([move("a2h1")]);
  });

  const cases: [string, Session, Intent, string[]][] = [
    ["the vacancy says that it is to be filled", gap, { kind: "choose", place: "b1" }, ["mustFill"]],
    ["the Government gives nothing", session(), { kind: "choose", place: "G" }, []],
    ["no card goes to the stock", session(), { kind: "move", from: "a1", to: "S" }, ["plain"]],
    ["a drop where it came from", session(), { kind: "move", from: "a1", to: "a1" }, []],
    ["nothing can go up", idle, { kind: "promote", place: null }, ["plain"]],
    ["nothing can move", idle, { kind: "next" }, ["plain"]],
    ["not all can go up", session(), { kind: "finish" }, ["plain"]],
    ["bad text", session(), { kind: "notation", text: "castle" }, ["bad"]],
    ["a speaking key", session(), { kind: "tell", what: "legal" }, ["legal"]],
    ["the focused pile", session(), { kind: "tell", what: "pile" }, ["pile"]],
    ["whoever watches cannot play", session({ you: null }), { kind: "choose", place: "b1" }, ["plain"]],
  ];
  test.each(cases)("%s", (_, board, intent, sayings) => {
    const [, effects] = after(begin(board), intent);
    expect([sent(effects), said(effects)]).toEqual([[], sayings]);
  });

  test("the keys walk: to a column, and to the next card that can move, round and round", () => {
    expect(after(begin(session()), { kind: "fill", column: 4 })[0].focus).toBe("d1");
    const [once] = after(begin(session()), { kind: "next" });
    const [twice] = after(once, { kind: "next" });
    const [round] = after({ ...twice, focus: "e2" }, { kind: "next" });
    expect([once.focus, twice.focus, round.focus]).toEqual(["b1", "c1", "b1"]);
  });

  test("a vacancy takes the focus to a card that fills it", () => {
    expect(begin(gap).focus).toBe("a2");
  });

  test("cancel forgets what was picked and wished", () => {
    const [picked] = after(begin(session()), { kind: "choose", place: "a2" });
    expect(after(picked, { kind: "cancel" })[0]).toMatchObject({ picked: null, wishes: [] });
  });
});

describe("what is under way", () => {
  const build = { kind: "build", move: "a2g1", piles: { a2: "", g1: "4D3C" } } as const;

  test("the card is drawn where it was put, until the service has told", () => {
    const [moving] = after(begin(session()), { kind: "move", from: "a2", to: "g1" });
    expect(marksOf(moving).pending).toEqual(["a2", "g1"]);
    const [told, acked] = entered(session(), build);
    const [drawn, effects] = after(moving, told as Message);
    expect([marksOf(drawn).pending, marksOf(drawn).last, said(effects)]).toEqual([null, ["a2", "g1"], ["event"]]);
    expect(drawn.waiting).not.toBeNull();
    expect(after(drawn, acked as Message)[0].waiting).toBeNull();
  });

  test("a refusal rolls back with its reason and forgets further wishes", () => {
    const refusal: Message = { kind: "outcome", outcome: { kind: "refused", code: "illegal_move", detail: "…", reason: "wrong_rank" } };
    const [back, effects] = after(begin(session()), { kind: "move", from: "a2", to: "h1" }, { kind: "choose", place: "b1" }, refusal);
    expect(back).toMatchObject({ waiting: null, wishes: [], note: { say: "refused", reason: "wrong_rank" } });
    expect([marksOf(back).pending, said(effects)]).toEqual([null, ["refused"]]);
  });

  test("so does a move on a board that had changed", () => {
    const [back] = after(begin(session()), { kind: "choose", place: "b1" }, { kind: "outcome", outcome: { kind: "stale" } });
    expect(back).toMatchObject({ waiting: null, note: { say: "stale" } });
  });

  test("two wishes wait, a third is not heard, and they follow one by one on the board as it is then", () => {
    const [moving] = after(begin(session()), { kind: "move", from: "a2", to: "g1" });
    const [waiting, none] = after(moving, { kind: "choose", place: "b1" }, { kind: "undo", by: "group" }, { kind: "turn" });
    expect([waiting.wishes.length, none]).toEqual([2, []]);
    const [next, effects] = after(waiting, ...entered(session(), build));
    expect([sent(effects), next.wishes.length]).toEqual([[move("b1G")], 1]);
  });

  test("a card that is picked up and laid down meanwhile goes there as soon as it may", () => {
    const [waiting] = after(begin(session()), { kind: "choose", place: "b1" }, { kind: "choose", place: "a2" }, { kind: "choose", place: "g1" });
    const promoted = { kind: "promote", move: "b1G", piles: { b1: "" }, legal: legal("a2g1", "a2h1") } as const;
    const [next, effects] = after(waiting, ...entered(session(), promoted));
    expect([sent(effects), next.wishes]).toEqual([[move("a2g1")], []]);
  });

  test("the next card of a pile can be promoted while the one above it is on its way", () => {
    const [moving] = after(begin(session()), { kind: "choose", place: "b1" }, { kind: "promote", place: "b1" });
    expect(moving.wishes).toEqual([{ kind: "promote", place: "b1" }]);
  });

  test("an acknowledgement before its event waits for it", () => {
    const [told, acked] = entered(session(), build);
    const [early] = after(begin(session()), { kind: "move", from: "a2", to: "g1" }, acked as Message);
    expect(early.waiting).not.toBeNull();
    expect(after(early, told as Message)[0].waiting).toBeNull();
  });

  test("all that is left goes up, one after the other", () => {
    const rows = [["JC", "JD", "", "", "", "", "", ""], Array<string>(8).fill(""), Array<string>(8).fill(""), Array<string>(8).fill("")];
    const end = session({ rows, stock: 0, legal: legal("a1G", "b1G") });
    const [one, first] = after(begin(end), { kind: "finish" });
    expect([sent(first), one.finishing]).toEqual([[move("a1G")], true]);
    const [two, second] = after(one, ...entered(end, { kind: "promote", move: "a1G", piles: { a1: "" }, legal: legal("b1G") }));
    expect(sent(second)).toEqual([move("b1G")]);
    const last: Partial<Event> = { kind: "promote", move: "b1G", piles: { b1: "" }, legal: [], status: "won" };
    const [won, third] = after(two, ...entered(two.session, last));
    expect([sent(third), won.finishing, won.session.status, said(third)]).toEqual([[], false, "won", ["event"]]);
  });

  test("a call that found nobody says so", () => {
    const [model, effects] = after(begin(session()), { kind: "hint" }, { kind: "failed", code: "unreachable", reason: null, detail: "" });
    expect([model.waiting, said(effects)]).toEqual([null, ["plain"]]);
  });

  test("a hint's steps light up more and more, and a move puts them out", () => {
    const hint = { level: 1, winnable: "yes", place: "a2" } as const;
    const hinted = { kind: "hint", count: 1 } as const;
    const [asked] = after(begin(session()), { kind: "hint" }, ...entered(session(), hinted).slice(0, 1));
    const [shown, effects] = after(asked, { kind: "answered", session: { ...asked.session, hint } });
    expect([marksOf(shown).hint, said(effects), shown.waiting]).toEqual([["a2"], ["hint"], null]);
    const [whole] = after(shown, { kind: "hint" }, { kind: "answered", session: { ...asked.session, hint: { ...hint, level: 3, card: "3C", move: "a2g1" } } });
    expect(marksOf(whole).hint).toEqual(["a2", "g1"]);
    expect(marksOf(after(whole, ...entered(whole.session, build))[0]).hint).toEqual([]);
  });
});

describe("others", () => {
  const seats = [
    { seat: 0, player: "a", name: "Quiet Heron" },
    { seat: 1, player: "b", name: "Bold Otter" },
  ];
  const shared = session({ mode: "free_hands", capacity: 2, seats });
  const told = (before: Session, change: Partial<Event>): Message => entered(before, { seat: 1, ...change })[0] as Message;

  test("their moves are told with their name", () => {
    const [, effects] = after(begin(shared), told(shared, { kind: "build", move: "e2f1", piles: { e2: "", f1: "5D" } }));
    expect(effects).toMatchObject([{ kind: "announce", saying: { say: "event", who: "Bold Otter", card: "6H" } }]);
  });

  test("a card in the hand stays there, unless its pile has changed", () => {
    const [picked] = after(begin(shared), { kind: "choose", place: "a2" });
    expect(after(picked, told(shared, { move: "e2f1", piles: { e2: "" } }))[0].picked).toBe("a2");
    expect(after(picked, told(shared, { move: "a2f1", piles: { a2: "" } }))[0].picked).toBeNull();
  });

  test("to undo what they played is asked for, agreed to, and then done", () => {
    const refusal: Message = { kind: "outcome", outcome: { kind: "refused", code: "consent_needed", detail: "…" } };
    const [asking, asked] = after(begin(shared), { kind: "undo", by: "group" }, refusal, { kind: "confirmed", what: "undo" });
    expect(sent(asked).slice(1)).toEqual([{ kind: "confirm", what: "undo" }, { kind: "send", command: { type: "consent", count: 1 } }]);
    const [wanted] = after(asking, ...entered(shared, { kind: "consent", count: 1 }));
    const [, effects] = after(wanted, told(wanted.session, { kind: "consent", count: 1 }));
    expect(sent(effects)).toEqual([{ kind: "send", command: { type: "undo", by: "step" } }]);
  });

  test("who is asked can agree", () => {
    const [asked] = after(begin(shared), told(shared, { kind: "consent", count: 1 }));
    expect(asked.note).toEqual({ say: "consentWanted", who: "Bold Otter", count: 1 });
    const [, effects] = after(asked, { kind: "agree", count: 1 });
    expect(effects).toEqual([{ kind: "send", command: { type: "consent", count: 1 } }]);
  });

  test("phrases and presence come through", () => {
    const [model, effects] = after(begin(shared), { kind: "presence", seats: [0], spectators: 3 }, { kind: "reaction", seat: 1, phrase: "oops" });
    expect([model.presence?.spectators, said(effects)]).toEqual([3, ["reaction"]]);
  });

  test("a history that was lost is told, and what hung on it is forgotten", () => {
    const [moving] = after(begin(shared), { kind: "choose", place: "b1" }, { kind: "choose", place: "c1" });
    const [model] = after(moving, { kind: "told", session: { ...shared, seq: 12 }, change: { kind: "reset" } });
    expect(model).toMatchObject({ waiting: null, wishes: [], note: { say: "reset", seq: 12 } });
  });
});
