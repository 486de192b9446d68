/** A session and events to test with. */
import type { Event, LegalMove, Session } from "../../src/sdk/index.ts";

const KINDS: Readonly<Record<string, LegalMove["kind"]>> = { S: "turn", G: "promote" };

export function legal(...moves: string[]): LegalMove[] {
  return moves.map((move) => ({ move, kind: KINDS[move.slice(-1)] ?? "build", reveals: false }));
}

export function session(change: Partial<Session> = {}): Session {
  return {
    id: "deadbeef",
    rules: "modern",
    deal: "pysol:1",
    mode: "solo",
    secret: false,
    spectators: true,
    created_at: "2026-11-01T09:30:00.000Z",
    seq: 17,
    crc: "9a0b12ff",
    status: "playing",
    rows: [
      ["9D", "2H", "2S", "JS", "7S", "5D", "4D", "4D"],
      ["3C", "TC", "8D", "4H", "6H", "2C", "2D", "JD"],
      ["4S", "2H", "JC", "TD", "8D", "9C", "4H", "5D"],
      ["2D", "7S", "7C", "6D", "2S", "7H", "TC", "6H"],
    ],
    foundations: [1, 1, 1, 1, 1, 1, 1, 1],
    stock: 48,
    waste: "",
    must_fill: null,
    legal: legal("b1G", "c1G", "a2f1", "a2g1", "e2f1"),
    points: { total: 0, promoted: 0, tempo: 0, assists: 0, won: false },
    can_undo: true,
    can_redo: false,
    seats: [{ seat: 0, player: "9c1d2ab06679f1c4", name: "Quiet Heron" }],
    capacity: 1,
    invite: null,
    turn: null,
    you: 0,
    ...change,
  };
}

/** What the service tells after a move on `before`. */
export function event(before: Session, change: Partial<Event> = {}): Event {
  return {
    type: "event",
    session: before.id,
    seq: before.seq + 1,
    crc: "0a1b2c3d",
    seat: 0,
    kind: "build",
    time: 42,
    move: null,
    count: 0,
    piles: {},
    revealed: [],
    foundations: before.foundations,
    stock: before.stock,
    waste: before.waste,
    must_fill: null,
    status: "playing",
    points: before.points,
    legal: before.legal,
    turn: null,
    can_undo: true,
    can_redo: false,
    ...change,
  };
}
