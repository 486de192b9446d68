/** Who plays on this device: a guest, made when one is first needed, and remembered. */
import { createApi, type Api } from "../sdk/index.ts";
import { i18n } from "../words/words.svelte.ts";
import { timed } from "./clock.ts";

export interface Identity {
  id: string;
  name: string;
  token: string;
  recoveryCode: string | null; // told once; null after a recovery elsewhere, until a new one is asked for
}

const KEY = "player";

function stored(): Identity | null {
  try {
    const kept = JSON.parse(localStorage.getItem(KEY) ?? "null") as Identity | null;
    return typeof kept?.token === "string" ? kept : null;
  } catch {
    return null;
  }
}

let identity = $state<Identity | null>(stored());
let coming: Promise<Identity> | null = null;

export const player = {
  get identity(): Identity | null {
    return identity;
  },
};

/** The one way to the service; it says who plays and which language is wanted. */
export const api: Api = createApi({
  token: () => identity?.token ?? null,
  language: () => i18n.language,
  fetch: timed,
});

/** Becomes somebody else, or nobody; other pages of this browser follow. */
export function become(next: Identity | null): void {
  identity = next;
  try {
    if (next) localStorage.setItem(KEY, JSON.stringify(next));
    else localStorage.removeItem(KEY);
  } catch {
    // As long as the page is open one is who one is.
  }
}

/** Who one is; a new guest where one was nobody yet. */
export async function beSomebody(): Promise<Identity> {
  if (identity) return identity;
  coming ??= api
    .createPlayer({}, { language: i18n.language })
    .then((made) => {
      const guest = { id: made.id, name: made.name, token: made.token, recoveryCode: made.recovery_code };
      become(guest);
      return guest;
    })
    .finally(() => (coming = null));
  return coming;
}

addEventListener("storage", (event) => {
  if (event.key === KEY) identity = stored();
});
