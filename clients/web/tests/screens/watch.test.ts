import { fireEvent, render, screen } from "@testing-library/svelte";
import axe from "axe-core";
import { describe, expect, it } from "vitest";
import { become } from "../../src/app/player.svelte.ts";
import { begin, extend } from "../../src/screens/replay/timeline.ts";
import Spectacle from "../../src/screens/watch/Spectacle.svelte";
import { GAME, moves, session } from "./replay-game.ts";

const going = extend(begin(session(0)), GAME.slice(0, 2));
const show = (more: object = {}) => render(Spectacle, { timeline: going, presence: null, reaction: null, ...more });
const place = (): string | null => screen.getByRole("slider").getAttribute("aria-valuetext");
const root = (): HTMLElement | null => document.querySelector("[data-screen=watch]");

describe("a game that is watched", () => {
  it("is shown as it is now, and follows what comes", async () => {
    const { rerender } = show();
    expect(place()).toBe("Move 2 of 2: three of clubs to Privy Council 2");
    await rerender({ timeline: extend(going, moves(3, "a3a2")) });
    expect(place()).toBe("Move 3 of 3: four of spades to House of Lords 1");
    expect(root()?.dataset["seq"]).toBe("3");
  });

  it("stays at a place of the past until one comes back", async () => {
    const { rerender } = show();
    await fireEvent.click(screen.getByRole("button", { name: "Back" }));
    expect(place()).toMatch(/^Move 1 of 2/);
    await rerender({ timeline: extend(going, moves(3, "a3a2")) });
    expect(place()).toMatch(/^Move 1 of 3/);
    expect(screen.getByText("2 moves behind")).toBeTruthy();
    expect(root()?.dataset["seq"]).toBe("3");
    await fireEvent.click(screen.getByRole("button", { name: "Back to live" }));
    expect(place()).toMatch(/^Move 3 of 3/);
    expect(screen.queryByRole("button", { name: "Back to live" })).toBeNull();
  });

  it("says who is there and what they say", () => {
    show({ presence: { seats: [], spectators: 2 }, reaction: "Quiet Heron: Well played" });
    expect(screen.getByText("Quiet Heron: Well played")).toBeTruthy();
    expect(screen.getByText("away").closest("li")?.textContent).toContain("Quiet Heron");
    expect(screen.getByText(/^2 people/)).toBeTruthy();
  });

  it("is played by whoever has a seat, and looked back on when it is over", () => {
    become({ id: "p", name: "Quiet Heron", token: "t", recoveryCode: null });
    show({ timeline: extend(going, GAME.slice(2)) });
    expect(screen.getByRole("link", { name: /seat/ }).getAttribute("href")).toBe("/play/s");
    expect(screen.getByRole("link", { name: /Replay/ }).getAttribute("href")).toBe("/replay/s");
    become(null);
  });

  it("is accessible", { timeout: 20_000 }, async () => {
    const { container } = show({ presence: { seats: [0], spectators: 1 }, reaction: "Quiet Heron: Hello!" });
    const found = await axe.run(container, { rules: { "color-contrast": { enabled: false }, region: { enabled: false } } });
    expect(found.violations).toEqual([]);
  });
});
