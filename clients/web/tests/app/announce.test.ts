import { render, screen } from "@testing-library/svelte";
import { tick } from "svelte";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { announce } from "../../src/app/announce.svelte.ts";
import LiveRegion from "../../src/app/LiveRegion.svelte";

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

async function later(): Promise<void> {
  vi.advanceTimersByTime(100);
  await tick();
}

test("the region is there, and silent, before anything is said", () => {
  render(LiveRegion);
  expect(screen.getByRole("status").textContent).toBe("");
});

test("the same text twice is said twice, with silence between", async () => {
  render(LiveRegion);
  const region = screen.getByRole("status");
  for (let turn = 0; turn < 2; turn += 1) {
    announce("Six of clubs goes up.");
    await tick();
    expect(region.textContent).toBe("");
    await later();
    expect(region.textContent).toBe("Six of clubs goes up.");
  }
});

test("two texts at once are said together", async () => {
  render(LiveRegion);
  announce("First.");
  await tick();
  announce("Second.");
  await tick();
  await later();
  expect(screen.getByRole("status").textContent).toBe("First. Second.");
});

test("what is said while a dialog is open is said within it, and outside again when it has gone", async () => {
  render(LiveRegion);
  const region = screen.getByRole("status");
  const dialog = document.body.appendChild(document.createElement("dialog"));
  dialog.open = true;
  announce("Copied.");
  await tick();
  await later();
  await later();
  expect(dialog.contains(region)).toBe(true);
  expect(region.textContent).toBe("Copied.");

  announce("Six of clubs goes up.");
  await tick();
  dialog.remove();
  await later();
  await later();
  expect(region.isConnected).toBe(true);
  expect(region.textContent).toBe("Six of clubs goes up.");
});
