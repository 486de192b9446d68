/** Reads a board, wherever it is. */
import { api } from "../../app/player.svelte.ts";
import type { BoardPage } from "../../sdk/index.ts";
import { FIELDS, type Asked } from "./query.ts";

/** A page of the board; where the address names no field, of the one that one stands in oneself. */
export async function readBoard(asked: Asked): Promise<BoardPage> {
  const fields = asked.field === null && asked.view === "me" ? FIELDS : [asked.field ?? "people"];
  let page = await readPage(asked, fields[0]);
  for (const field of fields.slice(1)) {
    if (page.rows.length) break;
    const other = await readPage(asked, field);
    if (other.rows.length) page = other;
  }
  return page;
}

/** The rows below a page. */
export function readBelow(asked: Asked, page: BoardPage, cursor: string): Promise<BoardPage> {
  return readPage({ ...asked, at: page.date ?? page.period ?? null }, page.field, cursor);
}

function readPage(asked: Asked, field: BoardPage["field"] = "people", cursor?: string): Promise<BoardPage> {
  const { rules, period, at, scope, view } = asked;
  if (period === "day") return api.readDayBoard({ date: at ?? "today", rules, scope, field, view, cursor });
  return api.readPeriodBoard({ period: at ?? period, rules, field, view, cursor });
}
