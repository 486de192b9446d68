import type { After } from "./commands.ts";
import type { BoardListener } from "./contract.ts";
import type { ClientMessage, ServerMessage } from "./messages.ts";
import { tell, type Topic } from "./topic.ts";
import type { BoardPage } from "./types.ts";

const PAUSE = 2000;

export interface BoardTopicOptions {
  topic: string;
  say: (message: ClientMessage) => void;
  after: After;
  /** Nothing of it is to be heard any more. */
  drop: () => unknown;
}

/** A day's board: the last that was told of it is all there is to know. */
export class BoardTopic implements Topic {
  private page: BoardPage | null = null;
  private readonly listeners = new Map<symbol, BoardListener>();
  private callOff: (() => void) | null = null;

  constructor(private readonly options: BoardTopicOptions) {}

  open(listener: BoardListener): { close(): void } {
    const { listeners, options, page } = this;
    const mine = Symbol();
    listeners.set(mine, listener);
    if (page) queueMicrotask(() => listeners.has(mine) && listener.board(this.page ?? page));
    const close = () => {
      if (!listeners.delete(mine) || listeners.size > 0) return;
      options.say({ type: "unsub", topic: options.topic });
      options.drop();
      this.end();
    };
    return { close };
  }

  join(): void {
    this.options.say({ type: "sub", topic: this.options.topic });
  }

  hear(message: ServerMessage): void {
    if (message.type === "board") {
      const page = (this.page = message.board);
      tell(this.listeners.values(), (listener) => listener.board(page));
    } else if (message.type === "refused" && message.code === "unavailable") {
      this.callOff = this.options.after(PAUSE, () => this.join());
    } else if (message.type === "refused") {
      this.options.drop();
      tell(this.listeners.values(), (listener) => listener.refused(message.code));
    }
  }

  broke(): void {
    this.callOff?.();
  }

  end(): void {
    this.broke();
  }
}
