import type { ServerMessage } from "./messages.ts";

/** Something that is subscribed to over the socket: a session or a board. */
export interface Topic {
  /** A connection is there: subscribe, from what is known. */
  join(): void;
  hear(message: ServerMessage): void;
  broke(): void;
  /** Nothing comes any more, unless it is joined again. */
  end(code: string): void;
}

/** Those who are told, each even if another fails. */
export function tell<L>(listeners: Iterable<L>, say: (listener: L) => void): void {
  for (const listener of listeners) {
    try {
      say(listener);
    } catch (error) {
      queueMicrotask(() => {
        throw error; // as from a handler of its own
      });
    }
  }
}
