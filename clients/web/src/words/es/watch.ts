import type { watch as en } from "../en/watch.ts";
import { plural } from "../language.ts";

export const watch: typeof en = {
  toLive: "Volver al directo",
  behind: (count) => plural("es", count, { one: "# jugada por detrás", other: "# jugadas por detrás" }),
  toSeat: "Tienes un asiento: jugar",
};
