import { render, screen, within } from "@testing-library/svelte";
import { beforeEach, describe, expect, it } from "vitest";
import { become } from "../../src/app/player.svelte.ts";
import BoardTable from "../../src/screens/boards/BoardTable.svelte";
import type { BoardPage } from "../../src/sdk/index.ts";

const page: BoardPage = {
  rules: "modern",
  date: "2026-11-30",
  final: true,
  scope: "first",
  field: "people",
  view: "top",
  size: 3,
  rows: [
    { rank: 1, player: { id: "a", name: "Quiet Heron" }, points: 10043, won: true, assists: 0, promoted: 80, tempo: 1043, session: "s1" },
    { rank: 2, player: { id: "b", name: "Sunny Kite" }, points: 3100, won: false, assists: 2, promoted: 31, tempo: 100 },
    { rank: 2, player: { id: "c", name: null }, points: 3100, won: false, assists: 2, promoted: 31, tempo: 100 },
  ],
  next: null,
};
const row = (name: RegExp) => within(screen.getByRole("row", { name }));

describe("a day's board", () => {
  beforeEach(() => {
    become({ id: "b", name: "Sunny Kite", token: "t", recoveryCode: null });
    render(BoardTable, { page, rows: page.rows, at: "2026-11-30" });
  });

  it("is a table with a caption and headers", () => {
    expect(screen.getByRole("table", { name: "First runs · People · 2026-11-30" })).toBeTruthy();
    expect(screen.getAllByRole("columnheader").map((cell) => cell.textContent)).toEqual(["Rank", "Player", "Points", "Promoted", "Assists"]);
  });

  it("says who won, and leads to the replay that proves it", () => {
    const winner = row(/Quiet Heron/);
    expect(winner.getByText("won")).toBeTruthy();
    expect(winner.getByRole("link", { name: "Replay of Quiet Heron" }).getAttribute("href")).toBe("/replay/s1");
    expect(winner.getByRole("button", { name: "Follow Quiet Heron" })).toBeTruthy();
  });

  it("says which row is one's own, which cannot be followed", () => {
    const own = row(/Sunny Kite/);
    expect(own.getByText("you")).toBeTruthy();
    expect(own.queryByRole("button")).toBeNull();
  });

  it("keeps the row of a player who left, without a name", () => {
    const gone = row(/a player who left/);
    expect(gone.getByText("31/80")).toBeTruthy();
    expect(gone.queryByRole("button")).toBeNull();
  });
});
