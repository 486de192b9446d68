import { fireEvent, render, screen, within } from "@testing-library/svelte";
import axe from "axe-core";
import { describe, expect, it, vi } from "vitest";
import Board from "../../src/board/Board.svelte";
import { board } from "./view.ts";

const cell = (place: string): HTMLElement => document.querySelector<HTMLElement>(`[data-place="${place}"]`) ?? document.body;
const fill = (move: string) => ({ move, kind: "fill" as const, reveals: false });

describe("the board", () => {
  it("is one grid of named cells", async () => {
    const { container } = render(Board, { view: board({ rules: "cadogan", waste: "5H4C" }) });
    const grid = screen.getByRole("grid", { name: "Board" });
    expect(within(grid).getAllByRole("row")).toHaveLength(6);
    expect(within(grid).getAllByRole("rowheader").map((header) => header.textContent)).toEqual([
      "Government",
      "Privy Council",
      "House of Lords",
      "House of Commons",
      "People’s Row",
    ]);
    expect(within(grid).getAllByRole("gridcell")).toHaveLength(42);
    expect(cell("a1").getAttribute("aria-label")).toBe("seven of clubs, Privy Council 1, 3 cards");
    expect(screen.getByRole("gridcell", { name: "Clubs: six" }).dataset["column"]).toBe("1");
    expect(cell("W").getAttribute("aria-label")).toBe("four of clubs, Waste, 2 cards");
    const found = await axe.run(container, { rules: { "color-contrast": { enabled: false } } });
    expect(found.violations).toEqual([]);
  });

  it("has no waste and no court in the main rules", () => {
    render(Board, { view: board() });
    expect(document.querySelector('[data-place="W"]')).toBeNull();
    expect(document.querySelector(".court")).toBeNull();
  });

  it("numbers the places that can fill a vacancy", () => {
    const view = board({ must_fill: "b2", rows: board().rows.map((row, index) => (index === 1 ? row.with(1, "") : row)), legal: ["a3b2", "c3b2"].map(fill) });
    render(Board, { view });
    expect(cell("b2").classList.contains("vacant")).toBe(true);
    expect(cell("a3").querySelector(".number")?.textContent).toBe("1");
    expect(cell("c3").querySelector(".number")?.textContent).toBe("3");
    expect(cell("d3").querySelector(".number")).toBeNull();
    expect(document.getElementById(cell("c3").getAttribute("aria-describedby") ?? "")?.textContent).toContain("fill the vacancy");
  });

  it("marks the picked card and where it may go", () => {
    const legal = [{ move: "b2c1", kind: "build" as const, reveals: true }];
    render(Board, { view: board({ legal }), marks: { picked: "b2" } });
    expect(cell("b2").getAttribute("aria-selected")).toBe("true");
    expect(cell("c1").classList.contains("target")).toBe(true);
    expect(cell("c1").getAttribute("aria-describedby")).toBeTruthy();
  });

  it("asks for what keys mean, and walks", async () => {
    const onintent = vi.fn();
    render(Board, { view: board(), onintent });
    cell("a1").focus();
    await fireEvent.keyDown(cell("a1"), { code: "ArrowRight" });
    expect(document.activeElement).toBe(cell("b1"));
    await fireEvent.keyDown(cell("b1"), { code: "Enter" });
    expect(onintent.mock.calls.map(([intent]) => intent)).toEqual([
      { kind: "focus", place: "b1" },
      { kind: "choose", place: "b1" },
    ]);
    expect(document.querySelectorAll('[tabindex="0"]')).toHaveLength(1);
  });

  it("lists a pile on O and closes the list on Escape", async () => {
    const onintent = vi.fn();
    render(Board, { view: board(), onintent });
    cell("a1").focus();
    await fireEvent.keyDown(cell("a1"), { code: "KeyO" });
    expect(within(screen.getByRole("dialog", { name: "Privy Council 1: 3 cards, top first" })).getAllByRole("listitem").map((item) => item.textContent?.trim())).toEqual([
      "seven of clubs",
      "eight of diamonds",
      "nine of spades",
    ]);
    expect(document.activeElement).toBe(cell("a1"));
    await fireEvent.keyDown(cell("a1"), { code: "Escape" });
    expect(screen.queryByRole("dialog")).toBeNull();
    expect(onintent).toHaveBeenCalledTimes(1);
  });

  it("only shows when it is not to be played on", async () => {
    const onintent = vi.fn();
    render(Board, { view: board(), onintent, interactive: false });
    await fireEvent.keyDown(cell("a1"), { code: "Enter" });
    await fireEvent.click(cell("a1"), { detail: 0 });
    expect(onintent).not.toHaveBeenCalled();
  });

  it("takes a screen reader's click as a choice", async () => {
    const onintent = vi.fn();
    render(Board, { view: board(), onintent });
    await fireEvent.click(cell("S"), { detail: 0 });
    expect(onintent).toHaveBeenCalledWith({ kind: "choose", place: "S" });
  });
});
