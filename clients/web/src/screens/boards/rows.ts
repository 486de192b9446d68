/** The rows that are shown of a board, from the pages that came. */
import type { BoardPage, BoardRow } from "../../sdk/index.ts";

/** The first page, which may be told anew at any time, and what was asked for below it. */
export interface Shown {
  first: BoardPage;
  below: BoardRow[];
  next: string | null;
}

export function shownFrom(first: BoardPage): Shown {
  return { first, below: [], next: first.next };
}

/** The first page told anew; what stands below it stays until it is asked for again. */
export function withFirst(shown: Shown, first: BoardPage): Shown {
  return { ...shown, first, next: shown.below.length ? shown.next : first.next };
}

export function withMore(shown: Shown, page: BoardPage): Shown {
  return { ...shown, below: [...shown.below, ...page.rows], next: page.next };
}

/** All rows, each player once: whoever has moved up stands where they are now. */
export function rowsOf(shown: Shown): BoardRow[] {
  const above = new Set(shown.first.rows.map((row) => row.player.id));
  return [...shown.first.rows, ...shown.below.filter((row) => !above.has(row.player.id))];
}

/** Seconds as 3:07, with tenths. */
export function clockText(seconds: number, separator: string): string {
  const tenths = Math.round(seconds * 10);
  const minutes = Math.floor(tenths / 600);
  const rest = Math.floor((tenths % 600) / 10);
  return `${minutes}:${String(rest).padStart(2, "0")}${separator}${tenths % 10}`;
}
