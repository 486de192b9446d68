import { describe, expect, it } from "vitest";
import { lengthsOf, resultBars } from "../../src/screens/statistics/bars.ts";
import { byStatus, isOpen } from "../../src/screens/statistics/tally.ts";
import type { Summary } from "../../src/sdk/index.ts";
import { statistics } from "../../src/words/en/statistics.ts";

const game = (status: Summary["status"]): Summary => ({
  id: status,
  rules: "modern",
  deal: "1",
  mode: "solo",
  secret: false,
  status,
  seq: 1,
  created_at: "2026-11-30T12:00:00.000Z",
  updated_at: "2026-11-30T12:00:00.000Z",
});

describe("bars", () => {
  it("are as long as they are many, beside the most", () => {
    const bars = [8, 4, 0].map((count) => ({ label: String(count), count }));
    expect(lengthsOf(bars)).toEqual([100, 50, 0]);
  });

  it("can be seen where there is anything", () => {
    expect(lengthsOf([{ label: "a", count: 1 }, { label: "b", count: 1000 }])).toEqual([1, 100]);
    expect(lengthsOf([])).toEqual([]);
    expect(lengthsOf([{ label: "a", count: 0 }])).toEqual([0]);
  });

  it("of results are a thousand points wide, and the last is open", () => {
    expect(resultBars([3, 0, 7], String)).toEqual([
      { label: "0–999", count: 3 },
      { label: "1000–1999", count: 0 },
      { label: "2000+", count: 7 },
    ]);

  });
});

describe("games", () => {
  it("are counted by how they stand", () => {
    expect(byStatus([game("won"), game("stuck"), game("won")], statistics.status)).toEqual([
      { label: "Won", count: 2 },
      { label: "No moves left", count: 1 },
    ]);
  });

  it("that are not over can be played on", () => {
    expect((["playing", "stuck", "won", "resigned", "expired"] as const).filter((status) => isOpen(game(status)))).toEqual(["playing", "stuck"]);
  });
});
