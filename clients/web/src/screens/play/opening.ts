/** Which game one lands on, so that there is always a board and never a form. */
import { newKey } from "../../app/once.ts";
import { api, beSomebody } from "../../app/player.svelte.ts";
import { settings } from "../../app/settings.svelte.ts";
import { Problem, type NewSession, type Session } from "../../sdk/index.ts";

const KEY = "session";
const OPEN: readonly string[] = ["playing", "stuck"];

/** The session of that name; without a name the one that was played last and is not over, or a new one. */
export async function sessionToPlay(id: string | undefined): Promise<Session> {
  await beSomebody();
  if (id) return api.readSession({ session: id });
  const last = remembered();
  return (last && (await unfinished(last))) || (await newestUnfinished()) || deal({ rules: settings.rules });
}

/** Deals a new game; asked again after a lost answer, it is the same one. */
export async function deal(wish: Partial<NewSession>): Promise<Session> {
  return api.createSession({}, wish as NewSession, { idempotencyKey: newKey() });
}

export function remember(id: string): void {
  try {
    localStorage.setItem(KEY, id);
  } catch {
    // The list of one's sessions tells it too.
  }
}

function remembered(): string | null {
  try {
    return localStorage.getItem(KEY);
  } catch {
    return null;
  }
}

async function unfinished(id: string): Promise<Session | null> {
  try {
    const session = await api.readSession({ session: id });
    return session.you !== null && OPEN.includes(session.status) ? session : null;
  } catch (error) {
    if (error instanceof Problem && error.status < 500 && error.status !== 401 && error.status !== 429) return null;
    throw error;
  }
}

async function newestUnfinished(): Promise<Session | null> {
  const { sessions } = await api.listSessions({ limit: 20 });
  const newest = sessions.find(({ status }) => OPEN.includes(status));
  return newest ? api.readSession({ session: newest.id }) : null;
}
