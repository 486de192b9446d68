import { describe, expect, it } from "vitest";
import { beginOf, periodAt, stepped } from "../../src/screens/boards/periods.ts";
import { boardAddress, readQuery } from "../../src/screens/boards/query.ts";
import { clockText, rowsOf, shownFrom, withFirst, withMore } from "../../src/screens/boards/rows.ts";
import type { BoardPage } from "../../src/sdk/index.ts";

describe("the address of a board", () => {
  it("says nothing of what is as usual", () => {
    expect(readQuery("")).toEqual({ rules: "modern", period: "day", at: null, scope: "first", field: null, view: "top" });
    expect(boardAddress(readQuery(""))).toBe("/boards");
  });

  it("is read as it was written", () => {
    const asked = readQuery("?rules=cadogan&at=2026-11-29&scope=speed&field=newcomers&view=me");
    expect(asked).toEqual({ rules: "cadogan", period: "day", at: "2026-11-29", scope: "speed", field: "newcomers", view: "me" });
    expect(readQuery(boardAddress(asked).slice("/boards".length))).toEqual(asked);
  });

  it("falls back where it is wrong", () => {
    expect(readQuery("?period=year&at=2026-W48&field=cats&scope=")).toEqual(readQuery(""));
    expect(readQuery("?period=week&at=2026-W48&scope=open")).toMatchObject({ period: "week", at: "2026-W48", scope: "first" });
  });
});

describe("steps", () => {
  const now = Date.parse("2026-11-30T12:00:00Z");
  it.each([
    ["day", "2026-11-30", "2026-11-29", null],
    ["day", "2026-01-01", null, "2026-01-02"],
    ["week", "2026-W49", "2026-W48", null],
    ["week", "2026-W01", null, "2026-W02"],
    ["month", "2026-11", "2026-10", null],
    ["month", "2026-01", null, "2026-02"],
  ] as const)("from the %s %s", (period, name, before, after) => {
    expect(stepped(period, name, -1, now)).toBe(before);
    expect(stepped(period, name, 1, now)).toBe(after);
  });

  it("know the weeks around a new year", () => {
    expect(periodAt("week", Date.parse("2026-12-31T23:59:59Z"))).toBe("2026-W53");
    expect(periodAt("week", Date.parse("2027-01-03T23:59:59Z"))).toBe("2026-W53");
    expect(periodAt("week", Date.parse("2027-01-04T00:00:00Z"))).toBe("2027-W01");
    expect(new Date(beginOf("2026-W53")).toISOString()).toBe("2026-12-28T00:00:00.000Z");
  });
});

describe("rows", () => {
  const page = (names: string[], next: string | null = null): BoardPage => ({
    rules: "modern",
    scope: "first",
    field: "people",
    view: "top",
    size: 9,
    rows: names.map((id, index) => ({ rank: index + 1, player: { id, name: id } })),
    next,
  });
  const ids = (shown: ReturnType<typeof shownFrom>) => rowsOf(shown).map((row) => row.player.id);

  it("go on below", () => {
    const shown = withMore(shownFrom(page(["a", "b"], "2")), page(["c", "d"], "4"));
    expect([ids(shown), shown.next]).toEqual([["a", "b", "c", "d"], "4"]);
  });

  it("show whoever moved up once", () => {
    const shown = withFirst(withMore(shownFrom(page(["a", "b"], "2")), page(["c", "d"], "4")), page(["c", "a"], "2"));
    expect([ids(shown), shown.next]).toEqual([["c", "a", "d"], "4"]);
  });

  it("end where a page that is told anew ends", () => {
    expect(withFirst(shownFrom(page(["a"])), page(["a", "b"], "2")).next).toBe("2");
  });
});

describe("a clock", () => {
  it.each([
    [187.34, "3:07.3"],
    [59.96, "1:00.0"],
    [0, "0:00.0"],
    [3600, "60:00.0"],
  ])("of %d s", (seconds, text) => expect(clockText(seconds, ".")).toBe(text));
});
