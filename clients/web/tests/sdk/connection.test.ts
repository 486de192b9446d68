// @vitest-environment node
import { describe, expect, test } from "vitest";
import { Problem, Unreachable, type BoardPage } from "../../src/sdk/index.ts";
import { play, SESSION, sessionAt, settled, Stage, sub, subbed } from "./stage.ts";

const bye = (code: string, retry_ms: number | null) => ({ type: "bye", code, retry_ms });

/** A stage on which something is wanted, so that it connects. */
async function begun(ticket?: () => Promise<string | null>) {
  const stage = new Stage(ticket);
  const feed = stage.live.session(SESSION, stage.listener, { from: sessionAt(3) });
  await settled();
  return { stage, feed };
}

describe("a connection", () => {
  test("is opened when something is wanted, and says hello with a ticket", async () => {
    expect(new Stage().live.connection.state).toBe("idle");
    const { stage } = await begun();
    expect([stage.socket.url, stage.socket.protocol]).toEqual(["wss://example.org/v1/live", "constitution.v1"]);
    stage.socket.onopen?.();
    expect(stage.socket.heard()).toEqual([{ type: "hello", v: 1, ticket: "ticket 1" }]);
    await stage.socket.says({ type: "welcome", v: 1, now: 0, ping: 20 });
    expect(stage.socket.heard()).toEqual([sub(3)]);
    expect(stage.states).toEqual(["connecting", "live"]);
  });

  test("that breaks comes back with another ticket, later from time to time", async () => {
    const { stage } = await begun();
    const waits: number[] = [];
    for (let times = 0; times < 8; times++) {
      await stage.socket.breaks();
      waits.push((stage.live.connection.retryAt ?? 0) - stage.clock.time);
      await stage.clock.pass(waits.at(-1) ?? 0);
    }
    expect(waits).toEqual([250, 500, 1000, 2000, 4000, 8000, 10_000, 10_000]);
    expect([stage.sockets.length, stage.tickets]).toEqual([9, 9]);
  });

  test("comes back at another time than others, and soon again once it has lasted", async () => {
    const { stage } = await begun();
    stage.chance = 0;
    await stage.socket.breaks();
    await stage.clock.pass(125);
    await stage.socket.welcomes();
    await stage.clock.pass(10_001);
    await stage.socket.breaks();
    expect(stage.live.connection.retryAt).toBe(stage.clock.time + 125);
  });

  test("comes back at once where there is a network again, or when it is told to", async () => {
    const { stage } = await begun();
    await stage.socket.breaks();
    stage.online();
    await settled();
    expect(stage.sockets).toHaveLength(2);
    await stage.socket.breaks();
    stage.live.retry();
    await settled();
    expect(stage.sockets).toHaveLength(3);
  });

  test("comes back when the service says that it should", async () => {
    const { stage } = await begun();
    await stage.socket.welcomes();
    await stage.socket.says(bye("going_away", 1700));
    await stage.socket.breaks(4000);
    expect(stage.live.connection).toEqual({ state: "waiting", retryAt: 1700, code: "going_away" });
    await stage.clock.pass(1700);
    expect(stage.sockets).toHaveLength(2);
  });

  test("is given up after two tickets that were not good, and comes back only when it is told to", async () => {
    const { stage, feed } = await begun();
    const played = feed.command({ type: "undo" });
    for (let times = 0; times < 2; times++) {
      await stage.socket.says(bye("unauthorised", null));
      await stage.socket.breaks(4501);
      await stage.clock.pass(0);
    }
    await stage.clock.pass(60_000);
    expect([stage.tickets, stage.live.connection]).toEqual([2, { state: "refused", retryAt: null, code: "unauthorised" }]);
    expect(await played).toMatchObject({ kind: "refused", code: "unauthorised" });
    expect(await feed.command({ type: "undo" })).toMatchObject({ kind: "refused", code: "unauthorised" });
    stage.live.retry();
    await settled();
    await stage.socket.welcomes();
    await stage.socket.says(subbed(3));
    void feed.command({ type: "play", move: "b1G" });
    expect(stage.socket.heard()).toEqual([sub(3), play("b1G", 3)]);
  });

  test("is given up where the same would happen again", async () => {
    const { stage } = await begun();
    await stage.socket.says(bye("wrong_version", null));
    await stage.socket.breaks(4500);
    expect(stage.states.at(-1)).toBe("refused wrong_version");
  });

  test("in which nothing is heard asks whether anybody is there, and breaks if nobody is", async () => {
    const { stage } = await begun();
    await stage.socket.welcomes();
    stage.socket.heard();
    await stage.clock.pass(20_000);
    expect(stage.socket.heard()).toEqual([{ type: "ping" }]);
    await stage.socket.says({ type: "pong" });
    await stage.clock.pass(24_999);
    expect([stage.socket.heard(), stage.live.connection.state]).toEqual([[{ type: "ping" }], "live"]);
    const dead = stage.socket;
    await stage.clock.pass(1);
    expect([dead.isClosed, stage.live.connection.state]).toEqual([true, "waiting"]);
  });

  test("that is never welcome breaks", async () => {
    const { stage } = await begun();
    await stage.clock.pass(10_000);
    expect(stage.live.connection.state).toBe("waiting");
  });

  test("waits where there is no ticket to be had just now, and is given up where there is none for it", async () => {
    const failures: Error[] = [
      new Unreachable("no network"),
      new Problem({ status: 429, code: "rate_limited", detail: "" }, 3),
      new Problem({ status: 401, code: "unauthorised", detail: "" }),
    ];
    const { stage } = await begun(() => Promise.reject(failures.shift() ?? new Error("no more")));
    expect(stage.live.connection).toEqual({ state: "waiting", retryAt: 250, code: null });
    await stage.clock.pass(250);
    expect(stage.live.connection).toEqual({ state: "waiting", retryAt: 250 + 3500, code: "rate_limited" });
    await stage.clock.pass(3500);
    expect(stage.states.at(-1)).toBe("refused unauthorised");
  });

  test("that is closed refuses what waits, and does not come back", async () => {
    const { stage, feed } = await begun();
    const played = feed.command({ type: "undo" });
    stage.live.close();
    stage.online();
    await stage.clock.pass(60_000);
    expect(await played).toMatchObject({ kind: "refused", code: "closed" });
    expect([stage.sockets.length, stage.live.connection.state]).toEqual([1, "idle"]);
    stage.socket.onopen?.(); // only now, since browsers call it an error before
    expect([stage.socket.isClosed, stage.socket.heard()]).toEqual([true, []]);
  });
});

describe("a board", () => {
  const address = { date: "2026-11-30", rules: "modern", scope: "first", field: "people" };
  const topic = "board:2026-11-30/modern/first/people";

  async function watched() {
    const { stage } = await begun();
    await stage.socket.welcomes();
    stage.socket.heard();
    const told: string[] = [];
    const listener = {
      board: ({ size }: BoardPage) => told.push(`board ${size}`),
      refused: (code: string) => told.push(code),
    };
    const { close } = stage.live.board(address, listener);
    return { stage, told, listener, close };
  }

  test("is asked for, told whenever it changes, asked for again after a break, and left", async () => {
    const { stage, told, listener, close } = await watched();
    await stage.socket.says({ type: "board", topic, board: { size: 1 } }, { type: "board", topic, board: { size: 2 } });
    await stage.comesBack();
    expect(stage.socket.heard()).toEqual([sub(3), { type: "sub", topic }]);
    stage.live.board(address, listener).close();
    expect(told).toEqual(["board 1", "board 2"]);
    close();
    expect(stage.socket.heard()).toEqual([{ type: "unsub", topic }]);
  });

  test("is asked for again where the store was away, and not where it is refused", async () => {
    const { stage, told } = await watched();
    stage.socket.heard();
    await stage.socket.says({ type: "refused", topic, code: "unavailable", detail: "" });
    await stage.clock.pass(2000);
    expect([stage.socket.heard(), told]).toEqual([[{ type: "sub", topic }], []]);
    await stage.socket.says({ type: "refused", topic, code: "no_such_day", detail: "" });
    await stage.comesBack();
    expect([stage.socket.heard(), told]).toEqual([[sub(3)], ["no_such_day"]]);
  });
});
