// @vitest-environment node
import { describe, expect, test } from "vitest";
import type { Outcome } from "../../src/sdk/index.ts";
import { ack, eventAt, play, SESSION, sessionAt, settled, Stage, sub, subbed, whole } from "./stage.ts";

const refusal = (code: string, at?: number) => ({
  ...{ type: "refused", session: SESSION, code, detail: "" },
  ...(at !== undefined && { at }),
});
const stale = (at: number, missed: object[]) => ({ type: "stale", session: SESSION, at, missed });

/** What becomes of a command, as soon as that is known. */
function outcomeOf(command: Promise<Outcome>): { outcome: Outcome | null } {
  const seen: { outcome: Outcome | null } = { outcome: null };
  void command.then((outcome) => (seen.outcome = outcome));
  return seen;
}

describe("a session", () => {
  test("is asked for whole where nothing is known, and is what comes", async () => {
    const stage = new Stage();
    const feed = stage.live.session(SESSION, stage.listener, { winnable: true });
    await settled();
    await stage.socket.welcomes();
    expect(stage.socket.heard()).toEqual([{ type: "sub", topic: `session:${SESSION}`, winnable: true }]);
    await stage.socket.says(whole("snapshot", sessionAt(4)));
    expect(stage.told).toEqual(["snapshot 4"]);
    expect(feed.session).toEqual(sessionAt(4));
  });

  test("is asked for from what is known, and brought up to date", async () => {
    const stage = new Stage();
    const feed = stage.live.session(SESSION, stage.listener, { from: sessionAt(2) });
    await settled();
    await stage.socket.welcomes();
    expect(stage.socket.heard()).toEqual([sub(2)]);
    await stage.socket.says(eventAt(3), eventAt(4), subbed(4));
    expect(stage.told).toEqual(["event 3", "event 4"]);
    expect(feed.session).toEqual(sessionAt(4));
  });

  test("ignores entries that it has, and asks for those that it has not, once", async () => {
    const stage = new Stage();
    await stage.follow(3);
    await stage.socket.says(eventAt(2), eventAt(3), eventAt(6), eventAt(7));
    expect(stage.told).toEqual([]);
    expect(stage.socket.heard()).toEqual([sub(3)]);
    await stage.socket.says(eventAt(4), eventAt(5), eventAt(6), eventAt(7), subbed(7), eventAt(8));
    expect(stage.told).toEqual([4, 5, 6, 7, 8].map((seq) => `event ${seq}`));
  });

  test("keeps the last phrase that was said while nobody could hear it", async () => {
    const stage = new Stage();
    const feed = stage.live.session(SESSION, stage.listener, { from: sessionAt(2) });
    feed.react("well_played");
    feed.react("goodbye");
    await settled();
    await stage.socket.welcomes();
    expect(stage.socket.heard()).toEqual([sub(2), { type: "react", session: SESSION, phrase: "goodbye" }]);
    feed.react("take_it_back");
    expect(stage.socket.heard()).toEqual([{ type: "react", session: SESSION, phrase: "take_it_back" }]);
  });

  test("asks where another entry has its place, and begins anew from the reset", async () => {
    const stage = new Stage();
    const feed = await stage.follow(3);
    await stage.socket.says({ ...eventAt(3), crc: "0badf00d" });
    expect(stage.socket.heard()).toEqual([sub(3)]);
    await stage.socket.says(whole("reset", { ...sessionAt(2), crc: "0badf00d" }));
    expect(stage.told).toEqual(["reset 2"]);
    expect(feed.session?.crc).toBe("0badf00d");
  });

  test("is resumed after a break, and can be taken over whole", async () => {
    const stage = new Stage();
    const feed = await stage.follow(3);
    await stage.socket.says(eventAt(4));
    await stage.comesBack();
    expect(stage.socket.heard()).toEqual([sub(4)]);
    await stage.socket.says(whole("snapshot", sessionAt(9)));
    expect(feed.session).toEqual(sessionAt(9));
  });

  test("ignores what it does not know", async () => {
    const stage = new Stage();
    const feed = await stage.follow(3);
    await stage.socket.says({ type: "weather", session: SESSION }, { type: "news" }, { ...eventAt(4), colour: "red" });
    expect(feed.session).toEqual(sessionAt(4));
  });

  test("tells whether it can be won only of where it is", async () => {
    const stage = new Stage();
    await stage.follow(3);
    const outlook = (seq: number) => ({ type: "winnable", session: SESSION, seq, crc: sessionAt(seq).crc, winnable: "no" });
    await stage.socket.says(outlook(2), outlook(3));
    expect(stage.told).toEqual(["winnable 3 no"]);
  });

  test("that may not be asked about while it is secret is followed all the same", async () => {
    const stage = new Stage();
    stage.live.session(SESSION, stage.listener, { from: sessionAt(3), winnable: true });
    await settled();
    await stage.socket.welcomes();
    expect(stage.socket.heard()).toEqual([{ ...sub(3), winnable: true }]);
    await stage.socket.says(refusal("still_secret"));
    expect(stage.socket.heard()).toEqual([sub(3)]);
    expect(stage.told).toEqual([]);
  });

  test("that is refused says so, refuses commands, and is not asked for again", async () => {
    const stage = new Stage();
    const feed = await stage.follow(3);
    const waiting = outcomeOf(feed.command({ type: "undo" }));
    await stage.socket.says(refusal("not_for_spectators"));
    expect(stage.told).toEqual(["refused not_for_spectators"]);
    expect(waiting.outcome).toMatchObject({ kind: "refused", code: "not_for_spectators" });
    expect(await feed.command({ type: "undo" })).toMatchObject({ code: "not_for_spectators" });
    await stage.comesBack();
    expect(stage.socket.heard()).toEqual([]);
  });

  test("with a name that can be none is refused without being asked for", async () => {
    const stage = new Stage();
    await stage.follow(3);
    stage.live.session("x".repeat(65), stage.listener);
    await settled();
    expect([stage.socket.heard(), stage.told]).toEqual([[], ["refused no_such_session"]]);
  });

  test("is shared by all who follow it, and left by the last", async () => {
    const stage = new Stage();
    const feed = await stage.follow(3);
    const other = stage.live.session(SESSION, stage.listener);
    await settled();
    expect([stage.told, stage.socket.heard()]).toEqual([["snapshot 3"], []]);
    feed.close();
    await stage.socket.says(eventAt(4));
    expect(stage.told).toEqual(["snapshot 3", "event 4"]);
    const waiting = outcomeOf(other.command({ type: "undo" }));
    stage.socket.heard();
    other.close();
    await settled();
    expect(stage.socket.heard()).toEqual([{ type: "unsub", topic: `session:${SESSION}` }]);
    expect(waiting.outcome).toMatchObject({ kind: "refused", code: "closed" });
  });
});

describe("a command", () => {
  test("waits for the session, and names its place", async () => {
    const stage = new Stage();
    const feed = stage.live.session(SESSION, stage.listener);
    const played = outcomeOf(feed.command({ type: "play", move: "b1G" }));
    await settled();
    await stage.socket.welcomes();
    stage.socket.heard();
    await stage.socket.says(whole("snapshot", sessionAt(3)));
    expect(stage.socket.heard()).toEqual([play("b1G", 3)]);
    await stage.socket.says(eventAt(4), ack(4));
    expect(played.outcome).toEqual({ kind: "ack", seq: 4, crc: eventAt(4).crc });
  });

  test("waits for the one before, and is made on the place of that", async () => {
    const stage = new Stage();
    const feed = await stage.follow(3);
    void feed.command({ type: "play", move: "a1a2" });
    void feed.command({ type: "undo", by: "step" });
    expect(stage.socket.heard()).toEqual([play("a1a2", 3)]);
    await stage.socket.says(eventAt(4));
    expect(stage.socket.heard()).toEqual([]);
    await stage.socket.says(ack(4));
    const { crc } = sessionAt(4);
    expect(stage.socket.heard()).toEqual([{ type: "undo", by: "step", session: SESSION, at: 4, crc }]);
  });

  test("whose answer was lost is sent again unchanged, after what was missed", async () => {
    const stage = new Stage();
    const feed = await stage.follow(3);
    const played = outcomeOf(feed.command({ type: "play", move: "a1a2" }));
    await stage.socket.breaks();
    await stage.clock.pass(10_000);
    await stage.socket.welcomes();
    expect(stage.socket.heard()).toEqual([sub(3)]);
    await stage.socket.says(eventAt(4), eventAt(5), subbed(5));
    expect(stage.socket.heard()).toEqual([play("a1a2", 3)]);
    expect(played.outcome).toBeNull();
    await stage.socket.says(ack(4));
    expect(played.outcome).toMatchObject({ kind: "ack", seq: 4 });
  });

  test("that is given while there is no connection is meant for the place that was known", async () => {
    const stage = new Stage();
    const feed = await stage.follow(3);
    await stage.socket.breaks();
    const played = outcomeOf(feed.command({ type: "play", move: "a1a2" }));
    await stage.clock.pass(10_000);
    await stage.socket.welcomes();
    stage.socket.heard();
    await stage.socket.says(eventAt(4), subbed(4));
    expect(stage.socket.heard()).toEqual([play("a1a2", 3)]);
    await stage.socket.says(stale(3, [eventAt(4)]));
    expect([played.outcome, stage.told]).toEqual([{ kind: "stale" }, ["event 4"]]);
  });

  test("that is refused says why", async () => {
    const stage = new Stage();
    const feed = await stage.follow(3);
    const played = outcomeOf(feed.command({ type: "play", move: "a1a2" }));
    await stage.socket.says({ ...refusal("illegal_move", 3), reason: "wrong_rank", legal: [] });
    const why = { code: "illegal_move", detail: "", reason: "wrong_rank", legal: [] };
    expect(played.outcome).toEqual({ kind: "refused", ...why });
  });

  test("that was no message is the one that is refused without a name", async () => {
    const stage = new Stage();
    const feed = await stage.follow(3);
    const asked = outcomeOf(feed.command({ type: "consent", count: 0 }));
    await stage.socket.says({ type: "refused", code: "bad_request", detail: "" });
    expect(asked.outcome).toMatchObject({ kind: "refused", code: "bad_request" });
  });

  test("that came too late is stale once what was missed is told", async () => {
    const stage = new Stage();
    const feed = await stage.follow(3);
    const played = feed.command({ type: "play", move: "a1a2" }).then(({ kind }) => stage.told.push(kind));
    await stage.socket.says(stale(3, [eventAt(4), eventAt(5)]));
    await played;
    expect(stage.told).toEqual(["event 4", "event 5", "stale"]);
  });

  test.each(["snapshot", "reset"] as const)("that came far too late is stale once the %s is told", async (type) => {
    const stage = new Stage();
    const feed = await stage.follow(3);
    const played = outcomeOf(feed.command({ type: "play", move: "a1a2" }));
    void feed.command({ type: "undo" });
    stage.socket.heard();
    await stage.socket.says(stale(3, []));
    expect([played.outcome, stage.socket.heard()]).toEqual([null, []]);
    await stage.socket.says(whole(type, sessionAt(9)));
    expect(played.outcome).toEqual({ kind: "stale" });
    expect(stage.socket.heard()).toMatchObject([{ type: "undo", at: 9 }]);
  });

  test("is stale where a reset comes, and its answer is not taken for the next one's", async () => {
    const stage = new Stage();
    const feed = await stage.follow(5);
    const [first, second] = [outcomeOf(feed.command({ type: "undo" })), outcomeOf(feed.command({ type: "redo" }))];
    stage.socket.heard();
    await stage.socket.says(whole("reset", { ...sessionAt(4), crc: "0badf00d" }));
    expect(first.outcome).toEqual({ kind: "stale" });
    expect(stage.socket.heard()).toMatchObject([{ type: "redo", at: 4, crc: "0badf00d" }]);
    await stage.socket.says(stale(5, []));
    expect(second.outcome).toBeNull();
    await stage.socket.says(refusal("nothing_to_redo", 4));
    expect(second.outcome).toMatchObject({ code: "nothing_to_redo" });
  });

  test("for which the store was away is sent again, a few times", async () => {
    const stage = new Stage();
    const feed = await stage.follow(3);
    const played = outcomeOf(feed.command({ type: "play", move: "a1a2" }));
    for (let tries = 1; tries <= 5; tries++) {
      expect([played.outcome, stage.socket.heard()]).toEqual([null, [play("a1a2", 3)]]);
      await stage.socket.says(refusal("unavailable", 3));
      await stage.clock.pass(3000);
    }
    expect(played.outcome).toMatchObject({ kind: "refused", code: "unavailable" });
  });
});
