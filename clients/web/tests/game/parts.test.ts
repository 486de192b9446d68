import { cleanup, fireEvent, render, screen } from "@testing-library/svelte";
import { afterEach, describe, expect, test, vi } from "vitest";
import PointsParts from "../../src/screens/play/PointsParts.svelte";
import Result from "../../src/screens/play/Result.svelte";
import Seats from "../../src/screens/play/Seats.svelte";
import Tools from "../../src/screens/play/Tools.svelte";
import { legal, session } from "./sessions.ts";

afterEach(cleanup);

const does = () => ({ onintent: vi.fn(), onnew: vi.fn(), onsame: vi.fn(), onopen: vi.fn(), onshare: vi.fn(), onclose: vi.fn() });

describe("the tools", () => {
  test("one that can do nothing is marked so, and still asks, since the answer says why", async () => {
    const onintent = vi.fn();
    render(Tools, { session: session({ can_undo: false }), onintent, onmore: vi.fn() });
    const undo = screen.getByRole("button", { name: "Undo" });
    expect(undo.getAttribute("aria-disabled")).toBe("true");
    await fireEvent.click(undo);
    expect(onintent).toHaveBeenCalledWith({ kind: "undo", by: "group" });
  });

  test("Finish takes the place of Promote when all that is left can go up", () => {
    const empty = Array<string>(8).fill("");
    const rows = [["JC", ...empty.slice(1)], empty, empty, empty];
    render(Tools, { session: session({ rows, stock: 0, legal: legal("a1G") }), onintent: vi.fn(), onmore: vi.fn() });
    expect(screen.queryByRole("button", { name: "Promote" })).toBeNull();
    expect(screen.getByRole("button", { name: "Finish" })).toBeTruthy();
  });
});

describe("the end", () => {
  test("the points are the sum of their parts", () => {
    render(PointsParts, { points: { total: 9958, promoted: 80, tempo: 1058, assists: 2, won: true } });
    expect(screen.getAllByRole("cell").map((cell) => cell.textContent)).toEqual(["8,000", "1,058", "-100", "1,000", "9,958"]);
  });

  test("a stuck game offers the ways on", async () => {
    const ways = does();
    render(Result, { session: session({ status: "stuck" }), ...ways });
    for (const name of ["Undo", "Restart", "Deal a new game"]) await fireEvent.click(screen.getByRole("button", { name }));
    expect(ways.onintent.mock.calls).toEqual([[{ kind: "undo", by: "group" }], [{ kind: "restart" }]]);
    expect(ways.onnew).toHaveBeenCalledOnce();
  });

  test("a run that ranked leads to its rank and to the open board", () => {
    const daily = { date: "2026-11-30", kind: "first", ends_at: "2026-12-01T02:00:00.000Z" } as const;
    render(Result, { session: session({ status: "won", daily }), ...does() });
    expect(screen.getByRole("link", { name: "See your rank" }).getAttribute("href")).toBe("/boards?at=2026-11-30&rules=modern");
    expect(screen.getByRole("button", { name: "Play again on the open board" })).toBeTruthy();
  });
});

test("seats tell who is here and whose turn it is, and one's own rows", () => {
  const seats = [
    { seat: 0, player: "a", name: "Quiet Heron" },
    { seat: 1, player: "b", name: "Bold Otter" },
  ];
  const shared = session({ mode: "departments", capacity: 3, seats, turn: 1 });
  render(Seats, { session: shared, presence: { seats: [0], spectators: 2 }, reaction: null, oninvite: vi.fn() });
  const [own, other] = screen.getAllByRole("listitem").map((item) => item.textContent?.replace(/\s+/g, " ").trim());
  expect([own, other]).toEqual(["Quiet Heron (you) here", "Bold Otter away, to move"]);
  expect(screen.getByText("Your rows: Privy Council, House of Lords")).toBeTruthy();
  expect(screen.getByText("2 people watch.")).toBeTruthy();
});
