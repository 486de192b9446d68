/** Cards that move are seen to move: from where they lay, or were let go, to where they lie. */
import { cellFor, topCard } from "./cells.ts";
import type { Key } from "./piles.ts";

export interface Offset {
  dx: number;
  dy: number;
}

/** Lets a card glide to its place from somewhere else; meanwhile what lies there is seen. Nothing waits for it. */
export function glide(card: Element, from: Offset, duration: number): void {
  if (duration === 0 || !("animate" in card) || (from.dx === 0 && from.dy === 0)) return;
  card.parentElement?.querySelector(".under")?.animate({ visibility: ["visible", "visible"] }, { duration });
  card.animate(
    [
      { transform: `translate(${from.dx}px, ${from.dy}px)`, zIndex: 30 },
      { transform: "none", zIndex: 30 },
    ],
    { duration, easing: "cubic-bezier(.2,.7,.3,1)" },
  );
}

const MANY = 10; // when more cards move at once, a game was dealt or left: they are not followed

/** Lets every card that moved glide from its old pile, or from the hand that let it go. */
export function follow(grid: Element, moved: readonly [Key, Key][], hand: { lifted: Key | null; offset: Offset }): void {
  if (moved.length === 0 || moved.length > MANY) return;
  const time = duration(grid);
  for (const [from, to] of moved) {
    const source = cellFor(grid, from)?.getBoundingClientRect();
    const target = cellFor(grid, to);
    const card = topCard(target);
    if (!source || !target || !card) continue;
    const end = target.getBoundingClientRect();
    const { dx, dy } = from === hand.lifted ? hand.offset : { dx: 0, dy: 0 };
    glide(card, { dx: source.left - end.left + dx, dy: source.top - end.top + dy }, time);
  }
}

/** How long motion takes here, in milliseconds: the theme says, and whoever wants none gets none. */
export function duration(element: Element): number {
  if (matchMedia("(prefers-reduced-motion: reduce)").matches) return 0;
  const told = getComputedStyle(element).getPropertyValue("--motion").trim();
  return Number.parseFloat(told) * (told.endsWith("ms") ? 1 : 1000) || 0;
}
