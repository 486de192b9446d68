/** What is known of one session, and what is said to know it: the protocol without a socket or a clock. */
import { Commands, type After } from "./commands.ts";
import type { Command, Phrase, SessionFeed, SessionListener, SessionOptions } from "./contract.ts";
import { follow } from "./follow.ts";
import type { ClientMessage, Refused, ServerMessage, Whole } from "./messages.ts";
import { tell, type Topic } from "./topic.ts";
import type { Event, Session } from "./types.ts";

export interface SessionTopicOptions {
  id: string;
  say: (message: ClientMessage) => void;
  after: After;
  /** Nothing of it is to be heard any more. */
  drop: () => unknown;
}

export class SessionTopic implements Topic {
  session: Session | null = null;
  readonly commands: Commands;
  private readonly listeners = new Map<symbol, SessionListener>();
  private wantsWinnable = false;
  private isSecret = false;
  private isJoined = false;
  /** The last phrase, where it was said while nobody could hear it. */
  private unsaid: Phrase | null = null;
  /** Whether a `sub` waits for its answer. */
  private isCatchingUp = false;
  private readonly topic: string;

  constructor(private readonly options: SessionTopicOptions) {
    this.topic = `session:${options.id}`;
    const make = (command: Command) =>
      this.session && { ...command, session: options.id, at: this.session.seq, crc: this.session.crc };
    this.commands = new Commands({ make, say: options.say, after: options.after });
  }

  /** One more listens; who comes later is told what is known. */
  open(listener: SessionListener, { from, winnable = false }: SessionOptions): SessionFeed {
    const { listeners, commands, session: known } = this;
    const mine = Symbol();
    listeners.set(mine, listener);
    this.session ??= from ?? null;
    if (known)
      queueMicrotask(() => {
        if (this.session && listeners.has(mine)) listener.session(this.session, { kind: "snapshot" });
      });
    if (winnable && !this.wantsWinnable) {
      this.wantsWinnable = true;
      if (this.isJoined) this.sub();
    }
    const session = () => this.session;
    return {
      get session() {
        return session();
      },
      command: (command) => commands.add(command),
      react: (phrase: Phrase) => this.react(phrase),
      close: () => {
        if (listeners.delete(mine) && listeners.size === 0) this.leave();
      },
    };
  }

  join(): void {
    const { id } = this.options;
    if (id && id.length <= 64) this.sub();
    else queueMicrotask(() => this.refuse({ type: "refused", code: "no_such_session", detail: "" }));
    this.isJoined = true;
    if (this.unsaid) this.react(this.unsaid);
  }

  broke(): void {
    this.isCatchingUp = this.isJoined = false;
    this.commands.broke();
  }

  end(code: string, detail = ""): void {
    this.commands.end(code, detail);
  }

  hear(message: ServerMessage): void {
    switch (message.type) {
      case "event":
        return this.take(message);
      case "snapshot":
      case "reset":
        return this.begin(message);
      case "subbed":
        return this.caughtUp();
      case "stale":
        for (const event of message.missed) this.take(event);
        return this.commands.hear(message);
      case "ack":
        return this.commands.hear(message);
      case "refused":
        return message.at === undefined && message.session ? this.refuse(message) : this.commands.hear(message);
      case "presence":
        return tell(this.listeners.values(), (listener) => listener.presence?.(message));
      case "reaction":
        return tell(this.listeners.values(), (listener) => listener.reaction?.(message));
      case "analysis":
        return tell(this.listeners.values(), (listener) => listener.analysis?.(message));
      case "winnable":
        if (message.seq === this.session?.seq && message.crc === this.session.crc)
          tell(this.listeners.values(), (listener) => listener.winnable?.(message));
    }
  }

  private react(phrase: Phrase): void {
    this.unsaid = this.isJoined ? null : phrase;
    if (this.isJoined) this.options.say({ type: "react", session: this.options.id, phrase });
  }

  private leave(): void {
    this.options.say({ type: "unsub", topic: this.topic });
    this.options.drop();
    this.end("closed");
  }

  private take(event: Event): void {
    const known = this.session;
    if (!known) return;
    if (event.seq === known.seq + 1) {
      const session = (this.session = follow(known, event));
      tell(this.listeners.values(), (listener) => listener.session(session, { kind: "event", event }));
    } else if (event.seq > known.seq || (event.seq === known.seq && event.crc !== known.crc)) {
      this.catchUp();
    }
  }

  private begin({ type, session }: Whole): void {
    this.session = session;
    tell(this.listeners.values(), (listener) => listener.session(session, { kind: type }));
    this.caughtUp(type === "reset");
  }

  private caughtUp(isAnother = false): void {
    this.isCatchingUp = false;
    this.commands.open(isAnother);
  }

  private catchUp(): void {
    if (!this.isCatchingUp) this.sub();
  }

  private sub(): void {
    this.isCatchingUp = true;
    this.commands.hold();
    const place = this.session && { seq: this.session.seq, crc: this.session.crc };
    const winnable = this.wantsWinnable && !this.isSecret;
    this.options.say({ type: "sub", topic: this.topic, ...place, ...(winnable && { winnable }) });
  }

  private refuse({ code, detail }: Refused): void {
    if (code === "still_secret" && !this.isSecret) {
      this.isSecret = true;
      this.sub();
      return;
    }
    this.options.drop();
    this.end(code, detail);
    tell(this.listeners.values(), (listener) => listener.refused?.(code, detail));
  }
}
