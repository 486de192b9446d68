import { fireEvent, render, screen, waitFor } from "@testing-library/svelte";
import axe from "axe-core";
import { afterEach, beforeEach, describe as group, expect, it, vi } from "vitest";
import { describe, describeMove, notation } from "../../src/screens/replay/describe.ts";
import ReplayScreen from "../../src/screens/replay/ReplayScreen.svelte";
import { stepOf } from "../../src/screens/replay/steps.ts";
import { speak } from "../../src/words/words.svelte.ts";
import { crcOf, entry, GAME, session } from "./replay-game.ts";

type Answer = [status: number, body: object | string];
let answers: Record<string, Answer>;
let asked: string[];

beforeEach(() => {
  asked = [];
  answers = { "/v1/sessions/s/history": [200, { session: session(0), events: GAME, next: null }] };
  vi.stubGlobal("fetch", async (address: string): Promise<Response> => {
    asked.push(address);
    const [status, body] = answers[address] ?? answers[address.replace(/\?.*/, "")] ?? [404, problem(404, "no_such_session")];
    const isText = typeof body === "string";
    const type = isText ? "text/plain" : status < 400 ? "application/json" : "application/problem+json";
    return new Response(isText ? body : JSON.stringify(body), { status, headers: { "Content-Type": type } });
  });
  location.hash = "";
});
afterEach(() => vi.unstubAllGlobals());

const problem = (status: number, code: string): object => ({ type: "", title: "", status, code, detail: code });
const slider = (): HTMLElement => screen.getByRole("slider");
const place = (): string | null => slider().getAttribute("aria-valuetext");
const press = (code: string): Promise<boolean> => fireEvent.keyDown(document.body, { code });

async function open(): Promise<HTMLElement> {
  const { container } = render(ReplayScreen, { params: { session: "s" } });
  await screen.findByRole("slider");
  return container;
}

group("a replay", () => {
  it("begins at the deal, and is gone through by keys", async () => {
    const container = await open();
    expect(place()).toBe("The deal, before move 1 of 3");
    await press("ArrowRight");
    expect(place()).toBe("Move 1 of 3: two of hearts to the Government");
    await press("End");
    expect(place()).toBe("Move 3 of 3: gave up");
    expect(container.querySelector("[data-screen=replay]")?.getAttribute("data-seq")).toBe("3");
    await press("ArrowRight");
    await press("ArrowLeft");
    expect(place()).toBe("Move 2 of 3: three of clubs to Privy Council 2");
    await press("Home");
    expect(screen.getByRole("button", { name: "Back" }).getAttribute("aria-disabled")).toBe("true");
  });

  it("begins at the place that the address names", async () => {
    location.hash = "#2";
    await open();
    expect(place()).toMatch(/^Move 2 of 3/);
  });

  it("goes to whatever is chosen from the list", async () => {
    await open();
    await fireEvent.click(screen.getByRole("button", { name: /resign|gave up/ }));
    expect(place()).toBe("Move 3 of 3: gave up");
    expect(document.querySelector("[aria-current=step]")?.textContent).toContain("gave up");
  });

  it("plays by itself until it is at the end", { timeout: 15_000 }, async () => {
    await open();
    await fireEvent.click(screen.getByRole("button", { name: "Play" }));
    await waitFor(() => expect(place()).toMatch(/^Move 1/), { timeout: 4000 });
    await waitFor(() => expect(place()).toMatch(/^Move 3/), { timeout: 6000 });
    await waitFor(() => expect(screen.getByRole("button", { name: "Play" })).toBeTruthy(), { timeout: 4000 });
  });

  it("reads long games page by page", async () => {
    answers["/v1/sessions/s/history?after=0"] = [200, { session: session(0), events: GAME.slice(0, 2), next: 2 }];
    answers["/v1/sessions/s/history?after=2"] = [200, { session: session(2), events: GAME.slice(2), next: null }];
    await open();
    await waitFor(() => expect(place()).toBe("The deal, before move 1 of 3"));
    expect(asked.filter((address) => address.includes("history"))).toEqual(["/v1/sessions/s/history?after=0", "/v1/sessions/s/history?after=2"]);
  });

  it("says why there is none", async () => {
    answers = {};
    render(ReplayScreen, { params: { session: "s" } });
    expect((await screen.findByRole("alert")).textContent).toBe("There is no such game, or no more.");
  });

  it("is accessible", { timeout: 30_000 }, async () => {
    const container = await open();
    for (const tab of ["Moves", "Analysis", "Record"]) {
      await fireEvent.click(screen.getByRole("tab", { name: tab }));
      const found = await axe.run(container, { rules: { "color-contrast": { enabled: false }, region: { enabled: false } } });
      expect(found.violations).toEqual([]);
    }
  });
});

group("the analysis", () => {
  const analysis = {
    seq: 3, crc: crcOf(3), done: true, searches: 2, deal: "yes", winnable_until: 1, lost_at: 2, line_from: 1, line: ["a3a2", "S"],
    moves: [{ move: "b1G", winnable: "yes" }, { move: "a2b1", winnable: "no" }],
  };

  it("is asked for until it is done, and tells where the game was lost and how it is won", async () => {
    let questions = 0;
    Object.defineProperty(answers, "/v1/sessions/s/analysis", {
      get: (): Answer => [200, ++questions < 3 ? { ...analysis, done: false, lost_at: null } : analysis],
    });
    await open();
    await fireEvent.click(screen.getByRole("tab", { name: "Analysis" }));
    await fireEvent.click(screen.getByRole("button", { name: "Where was it lost?" }));
    expect(await screen.findByText("Move 2 lost the game: three of clubs to Privy Council 2.")).toBeTruthy();
    expect(questions).toBe(3);
    expect(screen.getByText(/four of spades to House of Lords 1/)).toBeTruthy();
    await fireEvent.click(screen.getByRole("button", { name: "Show the place before it" }));
    expect(place()).toMatch(/^Move 1/);
    await fireEvent.click(screen.getByRole("tab", { name: "Moves" }));
    expect(screen.getByText("lost the game").closest("li")?.textContent).toContain("a2b1");
  });

  it.each([
    [undefined, /secret until the game is over/],
    [{ date: "2026-11-30", kind: "first" as const, ends_at: "" }, /boards are not final yet/],
  ])("and the record are kept from view while the deal is secret", async (daily, why) => {
    answers["/v1/sessions/s/history"] = [200, { session: session(0, daily ? { daily } : {}), events: GAME, next: null }];
    answers["/v1/sessions/s/analysis"] = answers["/v1/sessions/s/record"] = [409, problem(409, "still_secret")];
    await open();
    await fireEvent.click(screen.getByRole("tab", { name: "Analysis" }));
    await fireEvent.click(screen.getByRole("button", { name: "Where was it lost?" }));
    expect((await screen.findByRole("alert")).textContent).toMatch(why);
    await fireEvent.click(screen.getByRole("tab", { name: "Record" }));
    expect(await screen.findByText(why)).toBeTruthy();
  });
});

group("an entry in words", () => {
  const before = session(0);

  it.each([
    [entry(1, { kind: "turn", move: "S", revealed: [["W", "6D"]] }), "turned up: six of diamonds", "S"],
    [entry(1, { kind: "people", move: "Wb4" }), "Waste to People’s Row 2", "Wb4"],
    [entry(1, { kind: "undo", count: 4 }), "undo, 4 steps", "undo:4"],
    [entry(1, { kind: "redo", count: 1 }), "redo, 1 step", "redo:1"],
    [entry(1, { kind: "restart" }), "restart, back to the deal", "restart"],
    [entry(1, { kind: "hint", count: 2 }), "hint: which card", "hint:2"],
    [entry(1, { kind: "ask" }), "asked whether it can be won", "ask"],
    [entry(1, { kind: "consent", count: 2 }), "agreed to an undo of 2 steps", "consent:2"],
  ])("says what it was", (event, text, written) => {
    expect(describe(event, before)).toBe(text);
    expect(notation(event)).toBe(written);
  });

  it("is right in the other languages", async () => {
    await speak("ru");
    expect(describe(entry(1, { kind: "undo", count: 3 }), before)).toBe("отмена: 3 шага");
    expect(describeMove("a2G", "3C")).toBe("тройка треф — в Правительство");
    await speak("es");
    expect(describeMove("a2b1", "3C")).toBe("tres de tréboles, a Consejo Privado 2");
    await speak("en");
  });
});

group("a key", () => {
  it("belongs to what has the focus where that uses it", () => {
    const [input, button] = [document.createElement("input"), document.createElement("button")];
    document.body.append(input, button);
    const step = (target: Element, code: string, more: object = {}): string | null => {
      let found: string | null = null;
      const listener = (event: KeyboardEvent): void => void (found = stepOf(event));
      addEventListener("keydown", listener);
      target.dispatchEvent(new KeyboardEvent("keydown", { code, bubbles: true, cancelable: true, ...more }));
      removeEventListener("keydown", listener);
      return found;
    };
    expect(step(document.body, "Space")).toBe("play");
    expect(step(button, "Space")).toBeNull();
    expect(step(button, "ArrowLeft")).toBe("back");
    expect(step(input, "ArrowLeft")).toBeNull();
    expect(step(document.body, "ArrowLeft", { altKey: true })).toBeNull();
    expect(step(document.body, "KeyA")).toBeNull();
  });
});
