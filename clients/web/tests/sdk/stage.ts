/** A live connection whose service, clock, chance and network are the test's. */
import { openLive, type Change, type Event, type LiveOptions, type Session } from "../../src/sdk/index.ts";
import recorded from "./recorded.json";

export const SESSION = (recorded.sessions[0] as Session).id;

/** The recorded session as it was after `seq` entries. */
export function sessionAt(seq: number): Session {
  const session = recorded.sessions[seq] as Session | undefined;
  if (!session) throw new Error(`nothing was recorded at ${seq}`);
  return session;
}

/** The recorded entry `seq`. */
export function eventAt(seq: number): Event {
  const event = recorded.events[seq - 1] as unknown as Event | undefined;
  if (!event) throw new Error(`nothing was recorded at ${seq}`);
  return event;
}

/** Lets everything happen that waits for nothing. */
export const settled = () => new Promise<void>((done) => setTimeout(done));

/** A clock that goes only when it is told to. */
class Clock {
  time = 0;
  private timers: { at: number; run: () => void }[] = [];

  after = (ms: number, run: () => void) => {
    const timer = { at: this.time + ms, run };
    this.timers.push(timer);
    return () => {
      this.timers = this.timers.filter((other) => other !== timer);
    };
  };

  async pass(ms: number) {
    const end = this.time + ms;
    for (;;) {
      const [next] = this.timers.filter(({ at }) => at <= end).sort((a, b) => a.at - b.at);
      if (!next) break;
      this.timers = this.timers.filter((timer) => timer !== next);
      this.time = next.at;
      next.run();
      await settled();
    }
    this.time = end;
  }
}

/** The service's end of one socket. */
export class Socket {
  onopen: (() => void) | null = null;
  onmessage: ((event: { data: string }) => void) | null = null;
  onclose: ((event: { code: number }) => void) | null = null;
  readonly CONNECTING = 0;
  readyState = 0;
  isClosed = false;
  private told: unknown[] = [];

  constructor(
    readonly url: string,
    readonly protocol: string,
  ) {}

  send(text: string) {
    this.told.push(JSON.parse(text));
  }

  close() {
    this.isClosed = true;
  }

  /** What the client has said since this was asked last. */
  heard(): unknown[] {
    return this.told.splice(0);
  }

  async says(...messages: object[]) {
    for (const message of messages) this.onmessage?.({ data: JSON.stringify(message) });
    await settled();
  }

  async breaks(code = 1006) {
    this.onclose?.({ code });
    await settled();
  }

  /** Lets the client in, and forgets what it said to get in. */
  async welcomes() {
    this.readyState = 1;
    this.onopen?.();
    this.heard();
    await this.says({ type: "welcome", v: 1, now: 0, ping: 20 });
  }
}

export const subbed = (seq: number) => ({ type: "subbed", topic: `session:${SESSION}`, seq });
export const whole = (type: "snapshot" | "reset", session: Session) => ({ type, topic: `session:${SESSION}`, session });
export const ack = (seq: number) => ({ type: "ack", session: SESSION, at: seq - 1, seq, crc: eventAt(seq).crc });
export const sub = (seq: number) => ({ type: "sub", topic: `session:${SESSION}`, seq, crc: sessionAt(seq).crc });
export const play = (move: string, seq: number) => {
  const { crc } = sessionAt(seq);
  return { type: "play", move, session: SESSION, at: seq, crc };
};

export class Stage {
  readonly clock = new Clock();
  readonly sockets: Socket[] = [];
  /** Every state that was told, as `event 3`. */
  readonly told: string[] = [];
  readonly states: string[] = [];
  chance = 1;
  tickets = 0;
  online = () => {};
  readonly live;

  constructor(ticket?: LiveOptions["ticket"]) {
    const { sockets, clock } = this;
    this.live = openLive({
      url: "https://example.org/v1/live",
      ticket: ticket ?? (async () => `ticket ${++this.tickets}`),
      environment: {
        connect(url, protocol) {
          const socket = new Socket(url, protocol);
          sockets.push(socket);
          return socket as unknown as WebSocket;
        },
        now: () => clock.time,
        after: clock.after,
        random: () => this.chance,
        onNetwork: (run) => {
          this.online = run;
          return () => (this.online = () => {});
        },
      },
    });
    this.live.onConnection(({ state, code }) => this.states.push(code ? `${state} ${code}` : state));
  }

  get socket(): Socket {
    const socket = this.sockets.at(-1);
    if (!socket) throw new Error("no socket was opened");
    return socket;
  }

  readonly listener = {
    session: ({ seq }: Session, { kind }: Change) => this.told.push(`${kind} ${seq}`),
    refused: (code: string) => this.told.push(`refused ${code}`),
    winnable: ({ seq, winnable }: { seq: number; winnable: string }) => this.told.push(`winnable ${seq} ${winnable}`),
  };

  /** A session followed from `seq`, on a socket that is up to date. */
  async follow(seq: number) {
    const feed = this.live.session(SESSION, this.listener, { from: sessionAt(seq) });
    await settled();
    await this.socket.welcomes();
    await this.socket.says(subbed(seq));
    this.socket.heard();
    return feed;
  }

  /** The socket breaks, and another is opened and let in. */
  async comesBack() {
    await this.socket.breaks();
    await this.clock.pass(10_000);
    await this.socket.welcomes();
  }
}
