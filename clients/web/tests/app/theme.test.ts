/** What is written on what can be read, in every theme (WCAG 2.2: text 4.5, edges of controls 3). */
import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";

const CSS = readFileSync("src/app/theme.css", "utf8");

/** The colours in a block; of a light and a dark value, the one that counts. */
function coloursIn(selector: string, dark: boolean): Record<string, string> {
  const block = CSS.slice(CSS.indexOf(`${selector} {`)).split("}")[0] ?? "";
  const found = block.matchAll(/--([\w-]+): (?:light-dark\((#\w{6}), (#\w{6})\)|(#\w{6}))/g);
  return Object.fromEntries([...found].map(([, name = "", light = "", night = "", both]) => [name, both ?? (dark ? night : light)]));
}

const ROOT = { light: coloursIn(":root", false), dark: coloursIn(":root", true) };
const DISTINCT = coloursIn('[data-suits="distinct"]', false);
const THEMES = { ...ROOT, contrast: { ...ROOT.dark, ...coloursIn('[data-theme="contrast"]', true) } };

function luminance(colour: string): number {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((at) => {
    const value = parseInt(colour.slice(at, at + 2), 16) / 255;
    return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

function contrast(one: string, other: string): number {
  const [light = 0, dark = 0] = [luminance(one), luminance(other)].sort((a, b) => b - a);
  return (light + 0.05) / (dark + 0.05);
}

const TEXT = [
  ["ink", ["page", "panel"]],
  ["ink-soft", ["page", "panel"]],
  ["accent", ["page", "panel"]],
  ["good", ["page", "panel"]],
  ["bad", ["page", "panel"]],
  ["on-accent", ["accent"]],
  ["on-mark", ["mark"]],
  ["on-felt", ["felt", "band"]],
  ["on-felt-soft", ["felt", "band"]],
] as const;
const SIGNS = [
  ["edge", ["page", "panel"]],
  ["focus", ["page", "panel"]],
  ["focus-on-felt", ["felt", "band"]],
] as const;
const SUITS = ["clubs", "diamonds", "hearts", "spades"];

describe.each(Object.entries(THEMES))("%s", (_, colours) => {
  const ratio = (front: string, back: string): number => contrast(colours[front] ?? "", colours[back] ?? "");
  const pairs = (wanted: typeof TEXT | typeof SIGNS) => wanted.flatMap(([front, backs]) => backs.map((back) => [front, back] as const));

  test.each(pairs(TEXT))("%s on %s", (front, back) => expect(ratio(front, back)).toBeGreaterThanOrEqual(4.5));
  test.each(pairs(SIGNS))("%s beside %s", (front, back) => expect(ratio(front, back)).toBeGreaterThanOrEqual(3));
  test.each(SUITS)("%s on a card", (suit) => {
    expect(ratio(suit, "card")).toBeGreaterThanOrEqual(4.5);
    expect(contrast(DISTINCT[suit] ?? "", colours["card"] ?? "")).toBeGreaterThanOrEqual(4.5);
  });
});
