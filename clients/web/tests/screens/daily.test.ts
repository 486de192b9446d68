import { describe, expect, it } from "vitest";
import { dayName, monthName, spanName, timeName, weekdays } from "../../src/screens/daily/dates.ts";
import { monthAfter, weeksOf } from "../../src/screens/daily/month.ts";
import { choiceOf, nextChange, phaseOf } from "../../src/screens/daily/phase.ts";
import type { CalendarDay, Daily } from "../../src/sdk/index.ts";
import { daily as en } from "../../src/words/en/daily.ts";
import { daily as es } from "../../src/words/es/daily.ts";
import { daily as ru } from "../../src/words/ru/daily.ts";

const HOUR = 3_600_000;
const day: Daily = {
  date: "2026-11-30",
  rules: "modern",
  number: 334,
  difficulty: "gentle",
  opens_at: "2026-11-30T00:00:00.000Z",
  closes_at: "2026-12-01T00:00:00.000Z",
  ends_at: "2026-12-01T02:00:00.000Z",
  late_until: "2026-12-02T00:00:00.000Z",
  commitment: "0".repeat(64),
  committed_at: "2026-11-29T12:00:00.000Z",
  void: false,
  final_at: null,
  deal: null,
  par: null,
  record: null,
  summary: null,
  you: null,
};
const at = (moment: string) => Date.parse(moment);
const run = (status: "playing" | "won" | "stuck" | "resigned" | "expired", kind = "first") => ({ session: "s", kind, status, points: 5 });

describe("a day's life", () => {
  it.each([
    ["2026-11-29T23:59:59.999Z", "before"],
    ["2026-11-30T00:00:00.000Z", "open"],
    ["2026-11-30T23:59:59.999Z", "open"],
    ["2026-12-01T00:00:00.000Z", "ending"],
    ["2026-12-01T01:59:59.999Z", "ending"],
    ["2026-12-01T02:00:00.000Z", "settling"],
  ])("at %s is %s", (moment, phase) => {
    expect(phaseOf(day, at(moment))).toBe(phase);
  });

  it("ends when it is final", () => {
    expect(phaseOf({ ...day, final_at: "2026-12-01T02:00:31.000Z" }, at("2026-12-01T02:01:00.000Z"))).toBe("final");
  });

  it("changes at each of its moments", () => {
    expect(nextChange(day, at("2026-11-30T12:00:00.000Z"))).toBe(at(day.closes_at));
    expect(nextChange(day, at(day.closes_at))).toBe(at(day.ends_at));
    expect(nextChange(day, at("2027-01-01T00:00:00.000Z"))).toBeNull();
  });
});

describe("what one can do", () => {
  it.each([
    ["2026-11-29T12:00:00.000Z", null, "wait"],
    ["2026-11-30T12:00:00.000Z", null, "first"],
    ["2026-11-30T12:00:00.000Z", run("playing"), "goOn"],
    ["2026-11-30T12:00:00.000Z", run("stuck"), "goOn"],
    ["2026-11-30T12:00:00.000Z", run("won"), "open"],
    ["2026-12-01T01:00:00.000Z", run("playing"), "goOn"],
    ["2026-12-01T01:00:00.000Z", run("resigned"), "open"],
    ["2026-12-01T01:00:00.000Z", null, "late"],
    ["2026-12-01T12:00:00.000Z", run("playing", "late"), "goOn"],
    ["2026-12-01T12:00:00.000Z", run("expired"), "past"],
    ["2026-12-02T00:00:00.000Z", null, "past"],
    ["2026-12-02T00:00:00.000Z", run("playing", "late"), "past"],
  ] as const)("at %s with %o: %s", (moment, you, choice) => {
    expect(choiceOf({ ...day, you }, at(moment))).toBe(choice);
  });
});

describe("spans", () => {
  it.each([
    [5 * HOUR + 12 * 60_000 + 59_000, "5 h 12 min", "5 h 12 min", "5 ч 12 мин"],
    [12 * 60_000, "12 min", "12 min", "12 мин"],
    [59_000, "less than a minute", "menos de un minuto", "меньше минуты"],
    [-5, "less than a minute", "menos de un minuto", "меньше минуты"],
    [47 * HOUR, "47 h 0 min", "47 h 0 min", "47 ч 0 мин"],
    [53 * HOUR, "2 days", "2 días", "2 дня"],
    [21 * 24 * HOUR, "21 days", "21 días", "21 день"],
  ])("%d ms", (span, ...told) => {
    expect([en, es, ru].map((words) => spanName(words.span, span))).toEqual(told);
  });

  it("say the day of the week where it is another day", () => {
    const noon = new Date(2026, 10, 30, 12).getTime();
    expect(timeName("en", new Date(2026, 10, 30, 21).toISOString(), noon)).toBe("21:00");
    expect(timeName("en", new Date(2026, 11, 1, 1).toISOString(), noon)).toMatch(/^Tuesday.*01:00$/);
  });
});

describe("the calendar", () => {
  const november: CalendarDay[] = Array.from({ length: 30 }, (_, index) => ({
    date: `2026-11-${String(index + 1).padStart(2, "0")}`,
    number: 305 + index,
    state: "missed",
  }));

  it("puts the days under their weekdays", () => {
    const weeks = weeksOf(november);
    expect(weeks).toHaveLength(6);
    expect(weeks[0]?.map((cell) => cell?.date.slice(8) ?? null)).toEqual([null, null, null, null, null, null, "01"]);
    expect(weeks[5]?.map((cell) => cell?.date.slice(8) ?? null)).toEqual(["30", null, null, null, null, null, null]);
    expect(weeksOf([])).toEqual([]);
  });

  it("goes on to other months", () => {
    expect(monthAfter("2026-12", 1)).toBe("2027-01");
    expect(monthAfter("2026-01", -1)).toBe("2025-12");
  });

  it("is in the language's words", () => {
    expect(weekdays("en").map(({ short }) => short).join(" ")).toBe("Mon Tue Wed Thu Fri Sat Sun");
    expect(weekdays("ru")[0]).toEqual({ short: "пн", long: "понедельник" });
    expect(dayName("en", "2026-11-30")).toBe("30 November 2026");
    expect(dayName("es", "2026-11-30")).toBe("30 de noviembre de 2026");
    expect(monthName("ru", "2026-11")).toMatch(/^ноябрь 2026/);
  });
});
