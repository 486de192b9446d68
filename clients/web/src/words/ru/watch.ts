import type { watch as en } from "../en/watch.ts";
import { plural } from "../language.ts";

export const watch: typeof en = {
  toLive: "К прямому эфиру",
  behind: (count) =>
    plural("ru", count, { one: "Позади на # ход", few: "Позади на # хода", many: "Позади на # ходов", other: "Позади на # хода" }),
  toSeat: "У вас есть место: играть",
};
