/** A game on the screen: the model, and the effects carried out. */
import { announce } from "../app/announce.svelte.ts";
import { live } from "../app/live.svelte.ts";
import { api } from "../app/player.svelte.ts";
import { Problem, type Phrase, type Session } from "../sdk/index.ts";
import { begin, type Call, type Confirmed, type Effect, type Message, type Model } from "./model.ts";
import { say } from "./say.ts";
import { update } from "./update.ts";

const OVER: readonly string[] = ["won", "resigned"];

export interface Table {
  readonly model: Model;
  /** What waits for a second thought; the dialog sets it to null. */
  asking: Confirmed | null;
  /** Why the socket has nothing to tell of this game; null while it has. */
  readonly refused: string | null;
  send(message: Message): void;
  react(phrase: Phrase): void;
  close(): void;
}

export function openTable(session: Session): Table {
  let model = $state.raw<Model>(begin(session));
  let asking = $state<Confirmed | null>(null);
  let refused = $state<string | null>(null);

  const feed = live.session(
    session.id,
    {
      session(next, change) {
        send({ kind: "told", session: next, change });
        if (change.kind === "event" && next.secret && OVER.includes(next.status)) void learnDeal();
      },
      presence: ({ seats, spectators }) => send({ kind: "presence", seats, spectators }),
      reaction: ({ seat, phrase }) => send({ kind: "reaction", seat, phrase }),
      refused: (code) => (refused = code),
    },
    { from: session },
  );

  let closed = false;

  function send(message: Message): void {
    if (closed) return; // an answer that comes after all is nobody's any more
    const [next, effects] = update(model, message);
    model = next;
    for (const effect of effects) perform(effect);
  }

  function perform(effect: Effect): void {
    switch (effect.kind) {
      case "announce":
        announce(say(effect.saying));
        break;
      case "confirm":
        asking = effect.what;
        break;
      case "send":
        feed.command(effect.command).then((outcome) => send({ kind: "outcome", outcome }), failed);
        break;
      case "call":
        ask(effect.call).then(send, failed);
        break;
    }
  }

  async function ask(call: Call): Promise<Message> {
    const { id, seq, crc } = model.session;
    if (call === "outlook") {
      const answer = await api.readWinnable({ session: id });
      return { kind: "outlook", seq: answer.seq, winnable: answer.winnable };
    }
    return { kind: "answered", session: await api[call]({ session: id }, { at: seq, crc }) };
  }

  /** The deal of a secret game is told when it is over, which no event says. */
  async function learnDeal(): Promise<void> {
    const told = await api.readSession({ session: session.id }).catch(() => null); // the next visit tells it then
    if (told) send({ kind: "told", session: told, change: { kind: "snapshot" } });
  }

  function failed(error: unknown): void {
    const { code, reason = null, detail } = error instanceof Problem ? error : { code: "unreachable", detail: "" };
    send({ kind: "failed", code, reason, detail });
  }

  return {
    get model() {
      return model;
    },
    get asking() {
      return asking;
    },
    set asking(what) {
      asking = what;
    },
    get refused() {
      return refused;
    },
    send,
    react: (phrase) => feed.react(phrase),
    close() {
      closed = true;
      feed.close();
    },
  };
}
