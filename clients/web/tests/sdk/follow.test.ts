// @vitest-environment node
import { describe, expect, test } from "vitest";
import { follow, type Event, type Session } from "../../src/sdk/index.ts";
import recorded from "./recorded.json";

const sessions = recorded.sessions as Session[];
const events = recorded.events as unknown as Event[];

function frozen<T>(value: T): T {
  if (typeof value === "object" && value !== null) Object.values(Object.freeze(value)).forEach(frozen);
  return value;
}

const at = <T>(list: T[], index: number): T => {
  const found = list[index];
  if (!found) throw new Error(`nothing at ${index}`);
  return found;
};

describe("a session after an event", () => {
  test.each(events.map((event) => [event.seq, event.kind, event] as const))(
    "is what the service says: %i, %s",
    (seq, _, event) => {
      expect(follow(frozen(at(sessions, seq - 1)), frozen(event))).toEqual(at(sessions, seq));
    },
  );

  test("is the same from the beginning as from anywhere", () => {
    expect(events.reduce(follow, at(sessions, 0))).toEqual(sessions.at(-1));
  });

  test("keeps what an event does not tell", () => {
    const daily = { date: "2026-11-30", kind: "first", ends_at: "2026-12-01T02:00:00.000Z" } as const;
    const before: Session = { ...at(sessions, 0), capacity: 2, invite: "7KQ2-M9XV", you: 1, daily, difficulty: "steady" };
    expect(follow(before, at(events, 0))).toMatchObject({
      ...{ capacity: 2, invite: "7KQ2-M9XV", you: 1, daily, difficulty: "steady" },
      seats: before.seats,
    });
  });

  test("has no hint any more, and keeps whether it can be won only while nothing has moved", () => {
    const hint = { level: 1, winnable: "yes", place: "b1" } as const;
    const said = (seq: number): Session => ({ ...at(sessions, seq), winnable: "yes", hint });
    const asked = events.findIndex(({ kind }) => kind === "hint");
    const moved = events.findIndex(({ kind }) => kind === "turn");
    expect(follow(said(asked), at(events, asked))).toEqual({ ...at(sessions, asked + 1), winnable: "yes" });
    expect(follow(said(moved), at(events, moved))).toEqual(at(sessions, moved + 1));
  });
});
