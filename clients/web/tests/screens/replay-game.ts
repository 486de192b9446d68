/** A short game of made-up entries, for the screens that look back. */
import type { Event, Session } from "../../src/sdk/index.ts";

const POINTS = { total: 0, promoted: 0, tempo: 0, assists: 0, won: false };
const COMMON = { foundations: [1, 1, 1, 1, 1, 1, 1, 1], stock: 48, waste: "", must_fill: null, points: POINTS, turn: null };
const ROWS = [
  ["9D", "2H", "2S", "JS", "7S", "5D", "4D", "4D"],
  ["3C", "TC", "8D", "4H", "6H", "2C", "2D", "JD"],
  ["4S", "2H", "JC", "TD", "8D", "9C", "4H", "5D"],
  ["2D", "7S", "7C", "6D", "2S", "7H", "TC", "6H"],
];

export const crcOf = (seq: number): string => seq.toString(16).padStart(8, "0");

export function session(seq: number, what: Partial<Session> = {}): Session {
  return {
    id: "s", rules: "modern", deal: "1", mode: "solo", secret: false, spectators: true, created_at: "", capacity: 1,
    seats: [{ seat: 0, player: "p", name: "Quiet Heron" }], invite: null, you: null, seq, crc: crcOf(seq), rows: ROWS,
    status: "playing", legal: [], can_undo: false, can_redo: false, ...COMMON, ...what,
  };
}

export function entry(seq: number, what: Partial<Event>): Event {
  return {
    type: "event", session: "s", seq, crc: crcOf(seq), seat: 0, kind: "build", time: seq, move: null, count: 0, piles: {},
    revealed: [], status: "playing", legal: [], can_undo: true, can_redo: false, ...COMMON, ...what,
  };
}

export const moves = (first: number, ...texts: string[]): Event[] => texts.map((move, index) => entry(first + index, { move }));

/** A promotion, the fill after it, and a resignation. */
export const GAME: readonly Event[] = [
  entry(1, { kind: "promote", move: "b1G", piles: { b1: "" }, foundations: [1, 1, 1, 1, 2, 1, 1, 1], points: { ...POINTS, total: 148 } }),
  entry(2, { kind: "fill", move: "a2b1", piles: { a2: "", b1: "3C" }, points: { ...POINTS, total: 148 } }),
  entry(3, { kind: "resign", status: "resigned", points: { ...POINTS, total: 148 } }),
];
