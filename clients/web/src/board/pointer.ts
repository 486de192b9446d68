/**
 * What a mouse, a finger or a pen does to the board, as a machine of plain values:
 * what is held, an event, and what is held after it and what it means.
 */
import type { Place } from "../game/types.ts";

const LIFT = 8; // pixels after which a press has become a drag
const DOUBLE = 300; // milliseconds within which a second tap makes a double tap

interface Held {
  id: number; // of the pointer
  place: Place;
  key: string; // of the pile there
  liftable: boolean;
  x: number;
  y: number;
  lifted: boolean;
}

export interface Hand {
  held: Held | null;
  tapped: { place: Place; at: number } | null;
}

export type Motion =
  | { kind: "down"; id: number; place: Place; key: string; liftable: boolean; x: number; y: number }
  | { kind: "move"; id: number; x: number; y: number }
  | { kind: "up"; id: number; x: number; y: number; at: number }
  | { kind: "hold" } // pressed for long without moving
  | { kind: "cancel" };

export type Meaning =
  | { kind: "tap"; place: Place }
  | { kind: "double"; place: Place }
  | { kind: "carry"; place: Place; dx: number; dy: number }
  | { kind: "drop"; place: Place; x: number; y: number; dx: number; dy: number }
  | { kind: "back"; place: Place }
  | { kind: "peek"; place: Place; key: string };

export const EMPTY: Hand = { held: null, tapped: null };

export function handle(hand: Hand, motion: Motion): [Hand, Meaning | null] {
  const { held } = hand;
  if (motion.kind === "down") {
    if (held) return [hand, null]; // a second finger
    const { id, place, key, liftable, x, y } = motion;
    return [{ ...hand, held: { id, place, key, liftable, x, y, lifted: false } }, null];
  }
  if (!held) return [hand, null];
  if (motion.kind === "cancel") return [EMPTY, held.lifted ? { kind: "back", place: held.place } : null];
  if (motion.kind === "hold") return held.lifted ? [hand, null] : [EMPTY, { kind: "peek", place: held.place, key: held.key }];
  if (motion.id !== held.id) return [hand, null];
  return motion.kind === "move" ? carried(hand, held, motion) : released(hand, held, motion);
}

function carried(hand: Hand, held: Held, motion: { x: number; y: number }): [Hand, Meaning | null] {
  const dx = motion.x - held.x;
  const dy = motion.y - held.y;
  if (!held.lifted && Math.hypot(dx, dy) < LIFT) return [hand, null];
  if (!held.liftable) return [EMPTY, null];
  return [{ held: { ...held, lifted: true }, tapped: null }, { kind: "carry", place: held.place, dx, dy }];
}

function released(hand: Hand, held: Held, motion: { x: number; y: number; at: number }): [Hand, Meaning] {
  const { place } = held;
  if (held.lifted) {
    const { x, y } = motion;
    return [EMPTY, { kind: "drop", place, x, y, dx: x - held.x, dy: y - held.y }];
  }
  const { tapped } = hand;
  // The stock may be tapped as fast as one likes: every tap turns a card.
  if (tapped && tapped.place === place && place !== "S" && motion.at - tapped.at <= DOUBLE) return [EMPTY, { kind: "double", place }];
  return [{ held: null, tapped: { place, at: motion.at } }, { kind: "tap", place }];
}

export interface Box {
  left: number;
  top: number;
  width: number;
  height: number;
}

/** Where a card let go at that point lands: on the nearest legal pile within reach, else on the one that lies there. */
export function landing<Spot extends Box>(x: number, y: number, legal: readonly Spot[], all: readonly Spot[]): Spot | null {
  const away = (box: Box): number => Math.hypot(x - box.left - box.width / 2, y - box.top - box.height / 2);
  const nearest = legal.toSorted((one, other) => away(one) - away(other))[0];
  if (nearest && away(nearest) <= Math.hypot(nearest.width, nearest.height)) return nearest;
  const holds = (box: Box): boolean => x >= box.left && x <= box.left + box.width && y >= box.top && y <= box.top + box.height;
  return all.find(holds) ?? null;
}
