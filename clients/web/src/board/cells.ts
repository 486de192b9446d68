/** The cells of a board as they are found in the page. */
import type { Place } from "../game/types.ts";
import type { Box } from "./pointer.ts";
import type { Key } from "./piles.ts";

/** A cell by its place, and by its pile, which tells the foundations apart. */
export interface Found {
  place: Place;
  key: Key;
}

/** The cell that holds a part of the page. */
export function found(part: EventTarget | null): Found | null {
  const cell = part instanceof Element ? part.closest<HTMLElement>("[data-place]") : null;
  const place = cell?.dataset["place"];
  return cell && place ? { place, key: place === "G" ? `G${cell.dataset["column"]}` : place } : null;
}

/** The cell of a pile. */
export function cellFor(grid: Element, key: Key): HTMLElement | null {
  return grid.querySelector(/^G\d/.test(key) ? `[data-column="${key.slice(1)}"]` : `[data-place="${key}"]`);
}

export const topCard = (cell: Element | null): HTMLElement | null => cell?.querySelector<HTMLElement>(".top") ?? null;

/** All cells and where they lie. */
export function boxes(grid: Element): (Found & Box)[] {
  return [...grid.querySelectorAll("[data-place]")].flatMap((cell) => {
    const at = found(cell);
    const { left, top, width, height } = cell.getBoundingClientRect();
    return at ? [{ ...at, left, top, width, height }] : [];
  });
}
