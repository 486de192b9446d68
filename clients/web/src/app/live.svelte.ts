/** The page's one socket, opened when first needed, and how it is. */
import { openLive, type Live } from "../sdk/index.ts";
import { api, player } from "./player.svelte.ts";

type Status = Live["connection"];

let status = $state.raw<Status>({ state: "idle", retryAt: null, code: null });
let open: { live: Live; token: string | null } | null = null;

/** A socket keeps whoever it was opened for, so somebody else has another. */
function current(): Live {
  const token = player.identity?.token ?? null;
  if (open?.token === token) return open.live;
  open?.live.close();
  const live = openLive({ ticket: async () => (token ? (await api.createTicket({})).ticket : null) });
  live.onConnection((next) => {
    if (open?.live === live) status = { ...next };
  });
  open = { live, token };
  return live;
}

export const live: Pick<Live, "session" | "board" | "retry"> = {
  session: (...asked) => current().session(...asked),
  board: (...asked) => current().board(...asked),
  retry: () => current().retry(),
};

export const connection = {
  get state(): Status["state"] {
    return status.state;
  },
  /** When it is tried again, in this device's milliseconds; null where it is not waited for. */
  get retryAt(): number | null {
    return status.retryAt;
  },
  get code(): string | null {
    return status.code;
  },
};
