import { describe, expect, it } from "vitest";
import { findings } from "../../src/screens/replay/analysis.ts";
import { begin, entryAt, extend, firstOf, lastOf, positionAt, prepend, renew, standing } from "../../src/screens/replay/timeline.ts";
import { follow, type Analysis } from "../../src/sdk/index.ts";
import { crcOf, entry, moves, session } from "./replay-game.ts";

describe("a timeline", () => {
  const dealt = begin(session(0));
  const played = extend(dealt, [entry(1, { move: "a2b1", piles: { b1: "2H3C", a2: "" } }), ...moves(2, "b1a2")]);

  it("has a position after each entry", () => {
    expect([firstOf(played), lastOf(played)]).toEqual([0, 2]);
    expect(positionAt(played, 0)).toBe(dealt.positions[0]);
    expect(positionAt(played, 1).rows[0]?.[1]).toBe("2H3C");
    expect(positionAt(played, 1).rows[1]?.[0]).toBe("");
    expect(entryAt(played, 1)?.move).toBe("a2b1");
    expect(entryAt(played, 0)).toBeNull();
    expect(entryAt(played, 3)).toBeNull();
  });

  it("answers with the nearest position where there is none", () => {
    expect(positionAt(played, 9).seq).toBe(2);
    expect(positionAt(extend(begin(session(5)), []), 1).seq).toBe(5);
  });

  it("passes over what it has, and over what lies behind a gap", () => {
    expect(extend(played, moves(1, "a1b1", "a1b1")).events).toEqual(played.events);
    expect(lastOf(extend(played, moves(4, "a1b1")))).toBe(2);
    expect(lastOf(dealt)).toBe(0);
  });

  it("takes what came before, up to its own first position", () => {
    const later = extend(begin(positionAt(played, 1)), moves(2, "b1c1", "c1d1"));
    const whole = prepend(played, later);
    expect(whole.positions.map(({ seq }) => seq)).toEqual([0, 1, 2, 3]);
    expect(whole.events.map(({ move }) => move)).toEqual(["a2b1", "b1c1", "c1d1"]);
  });

  it("stays as it is where what came before does not reach it, or is of another history", () => {
    const far = begin(session(7));
    expect(prepend(played, far)).toBe(far);
    const other = begin({ ...session(2), crc: "ffffffff" });
    expect(prepend(played, other)).toBe(other);
  });

  it("goes on where the session is told anew at its end, and begins again elsewhere", () => {
    const anew = { ...positionAt(played, 2), you: 1 };
    expect(renew(played, anew).positions.map(({ seq, you }) => [seq, you])).toEqual([[0, null], [1, null], [2, 1]]);
    expect(renew(played, anew).events).toBe(played.events);
    expect(renew(played, session(9)).positions).toEqual([session(9)]);
    expect(renew(null, session(9)).events).toEqual([]);
  });

  it("is the fold of the events", () => {
    expect(positionAt(played, 2)).toEqual(played.events.reduce(follow, session(0)));
  });
});

describe("the moves that stand", () => {
  it("are those that no undo took back", () => {
    const events = [...moves(1, "a", "b", "c"), entry(4, { kind: "undo", count: 2 }), ...moves(5, "d")];
    expect(standing(events)).toEqual([1, 5]);
  });

  it("come back with a redo, also after the same move was made by hand", () => {
    const undone = [...moves(1, "a", "b", "c"), entry(4, { kind: "undo", count: 2 })];
    expect(standing([...undone, entry(5, { kind: "redo", count: 2 })])).toEqual([1, 2, 3]);
    expect(standing([...undone, ...moves(5, "b"), entry(6, { kind: "redo", count: 1 })])).toEqual([1, 5, 3]);
  });

  it("are none after a restart, and not changed by questions", () => {
    expect(standing([...moves(1, "a", "b"), entry(3, { kind: "restart" })])).toEqual([]);
    expect(standing([...moves(1, "a"), entry(2, { kind: "hint", count: 3 }), entry(3, { kind: "ask" })])).toEqual([1]);
  });
});

describe("what an analysis found", () => {
  const events = [...moves(1, "a", "b"), entry(3, { kind: "undo", count: 1 }), ...moves(4, "c", "d")];
  const analysis: Analysis = {
    seq: 5, crc: crcOf(5), done: true, searches: 4, deal: "yes", winnable_until: 1, lost_at: 2, line_from: 1, line: ["x"],
    moves: [{ move: "a", winnable: "yes" }, { move: "c", winnable: "no" }, { move: "d", winnable: "no" }],
  };

  it("is told by the entries of the log", () => {
    const found = findings(analysis, events);
    expect(found.verdict).toEqual({ kind: "lost", seq: 4 });
    expect([...found.fates]).toEqual([[1, "yes"], [4, "no"], [5, "no"]]);
    expect(found.lineFrom).toBe(1);
  });

  it("has no line where none is known, and one from the deal", () => {
    expect(findings({ ...analysis, line: null }, events).lineFrom).toBeNull();
    expect(findings({ ...analysis, line_from: 0 }, events).lineFrom).toBe(0);
  });

  it.each([
    [{ lost_at: null }, { kind: "until", seq: 1 }],
    [{ lost_at: null, winnable_until: 0 }, { kind: "until", seq: 0 }],
    [{ lost_at: null, winnable_until: 3 }, { kind: "winnable" }],
    [{ lost_at: null, winnable_until: null }, { kind: "unknown" }],
    [{ lost_at: null, winnable_until: null, deal: "no" as const }, { kind: "never" }],
  ])("comes to a verdict: %o", (change, verdict) => {
    expect(findings({ ...analysis, ...change }, events).verdict).toEqual(verdict);
  });

  it("of a game that was won is that", () => {
    expect(findings(analysis, [...events, entry(6, { move: "e", status: "won" })]).verdict).toEqual({ kind: "won" });
  });
});
