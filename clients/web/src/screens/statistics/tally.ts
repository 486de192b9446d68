/** One's games counted. */
import type { Summary } from "../../sdk/index.ts";
import type { Bar } from "./bars.ts";

export type Status = Summary["status"];
const STATUSES: readonly Status[] = ["won", "playing", "stuck", "resigned", "expired"];

/** How many games stand in each way; ways in which none stands are left out. */
export function byStatus(games: readonly Summary[], names: Readonly<Record<Status, string>>): Bar[] {
  return STATUSES.map((status) => ({ label: names[status], count: games.filter((game) => game.status === status).length })).filter(
    (bar) => bar.count > 0,
  );
}

/** Whether a game can be played on. */
export function isOpen(game: Summary): boolean {
  return game.status === "playing" || game.status === "stuck";
}
