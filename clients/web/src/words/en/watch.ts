/** Watching a game of others. */
import { plural } from "../language.ts";

export const watch = {
  toLive: "Back to live",
  behind: (count: number): string => plural("en", count, { one: "# move behind", other: "# moves behind" }),
  toSeat: "You have a seat: play",
};
