import { render, screen } from "@testing-library/svelte";
import { describe, expect, it } from "vitest";
import Run from "../../src/screens/daily/Run.svelte";
import type { Daily } from "../../src/sdk/index.ts";

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
const show = (change: Partial<Daily>, moment: string) => render(Run, { day: { ...day, ...change }, now: Date.parse(moment) });
const noon = "2026-11-30T12:00:00Z";

describe("one's run of a day", () => {
  it("is not there before the day opens", () => {
    show({}, "2026-11-29T12:00:00Z");
    expect(screen.queryByRole("heading")).toBeNull();
  });

  it("can be begun, and timed", () => {
    show({}, noon);
    expect(screen.getByRole("button", { name: "Play: this run ranks" })).toBeTruthy();
    expect(screen.getByRole("checkbox", { name: "Time me for the speed board" })).toBeTruthy();
  });

  it("can be gone on with", () => {
    show({ you: { session: "s", kind: "first", status: "stuck", points: 900 } }, noon);
    expect(screen.getByText(/No moves are left, with 900 points/)).toBeTruthy();
    expect(screen.getByRole("link", { name: "Go on" }).getAttribute("href")).toBe("/play/s");
  });

  it("leads to its place once it is over, and to further runs", () => {
    show({ you: { session: "s", kind: "first", status: "won", points: 10043 } }, noon);
    expect(screen.getByText("Won, with 10,043 points.")).toBeTruthy();
    expect(screen.getByRole("button", { name: "Play again on the open board" })).toBeTruthy();
    expect(screen.getByRole("link", { name: "Your place on the board" }).getAttribute("href")).toBe("/boards?at=2026-11-30&view=me");
  });

  it("can be late", () => {
    show({}, "2026-12-01T12:00:00Z");
    expect(screen.getByText(/make up for it for another 12 h 0 min/)).toBeTruthy();
    expect(screen.queryByRole("checkbox")).toBeNull();
  });
});
