/** One socket after the other: opens it, says hello, listens whether it lives, and comes back when it broke. */
import { afterClose, afterNoTicket, backoff, UNAUTHORISED, type Comeback } from "./comeback.ts";
import type { ConnectionStatus } from "./contract.ts";
import type { Environment } from "./environment.ts";
import type { Bye, ClientMessage, ServerMessage, Welcome } from "./messages.ts";

const WELCOME_MS = 10_000;
const PONG_MS = 5000;
/** How long a connection has to last before the next break counts as the first. */
const LASTING_MS = 10_000;

export interface LinkOptions {
  url: string;
  ticket: () => Promise<string | null>;
  environment: Environment;
  /** A welcome came: now things can be said. */
  opened: () => void;
  hear: (message: ServerMessage) => void;
  broke: () => void;
  /** The status is another. */
  changed: (status: ConnectionStatus) => void;
}

export class Link {
  status: ConnectionStatus = { state: "idle", retryAt: null, code: null };
  private socket: WebSocket | null = null;
  private bye: Bye | null = null;
  private attempt = 0;
  private isFirstTicket = true;
  private liveSince = 0;
  private ping = 0;
  /** Calls off whatever is to happen if nothing else does. */
  private callOff = () => {};
  private readonly unhear: () => void;

  constructor(private readonly options: LinkOptions) {
    this.unhear = options.environment.onNetwork(() => this.look());
  }

  /** Connects, unless that was done before. */
  open(): void {
    if (this.status.state === "idle") void this.connect();
  }

  /** Connects now, if it waits or has given up. */
  retry(): void {
    if (this.status.state !== "waiting" && this.status.state !== "refused") return;
    this.isFirstTicket = true;
    this.attempt = 0;
    void this.connect();
  }

  say(message: ClientMessage): void {
    if (this.status.state === "live") this.socket?.send(JSON.stringify(message));
  }

  close(): void {
    this.unhear();
    this.release();
    this.set("idle");
  }

  private async connect(): Promise<void> {
    const { ticket, environment, url } = this.options;
    this.release();
    this.set("connecting");
    const callOff = (this.callOff = this.alarm(WELCOME_MS, () => this.lost(1006)));
    const isOver = () => this.callOff !== callOff;
    let mine: string | null;
    try {
      mine = await ticket();
    } catch (error) {
      if (!isOver()) this.comeBack(afterNoTicket(error, this.pause()));
      return;
    }
    if (!isOver()) this.greet(environment.connect(url, "constitution.v1"), mine);
  }

  private greet(socket: WebSocket, ticket: string | null): void {
    this.socket = socket;
    socket.onopen = () => socket.send(JSON.stringify({ type: "hello", v: 1, ticket } satisfies ClientMessage));
    socket.onmessage = ({ data }) => this.hear(JSON.parse(String(data)) as ServerMessage);
    socket.onclose = ({ code }) => this.lost(code);
  }

  private hear(message: ServerMessage): void {
    if (message.type === "welcome") this.welcome(message);
    else if (message.type === "bye") this.bye = message;
    if (this.status.state === "live") this.listen();
    this.options.hear(message);
  }

  private welcome({ ping }: Welcome): void {
    this.ping = ping * 1000;
    this.liveSince = this.options.environment.now();
    this.isFirstTicket = true;
    this.set("live");
    this.options.opened();
  }

  /** Nothing being heard for a while, asks whether anybody is there. */
  private listen(): void {
    this.callOff();
    this.callOff = this.alarm(this.ping, () => this.ask());
  }

  private ask(): void {
    this.callOff();
    this.say({ type: "ping" });
    this.callOff = this.alarm(PONG_MS, () => this.lost(1006));
  }

  /** The network came or went: a socket on this very machine may outlive that, so it is asked. */
  private look(): void {
    if (this.status.state === "waiting") this.retry();
    else if (this.status.state === "live") this.ask();
  }

  private lost(closeCode: number): void {
    if (this.status.state === "live" && this.options.environment.now() - this.liveSince > LASTING_MS) this.attempt = 0;
    const comeback = afterClose(closeCode, this.bye, this.isFirstTicket, this.pause());
    if (closeCode === UNAUTHORISED) this.isFirstTicket = false;
    this.comeBack(comeback);
  }

  private comeBack({ wait, code }: Comeback): void {
    this.release();
    if (wait === null) {
      this.set("refused", null, code);
    } else {
      this.set("waiting", this.options.environment.now() + wait, code);
      this.callOff = this.alarm(wait, () => void this.connect());
    }
  }

  private pause(): number {
    return backoff(this.attempt++, this.options.environment.random());
  }

  private alarm(ms: number, run: () => void): () => void {
    return this.options.environment.after(ms, run);
  }

  /** Has nothing more to do with the socket, whatever becomes of it. */
  private release(): void {
    const { socket } = this;
    this.callOff();
    this.callOff = () => {};
    this.socket = this.bye = null;
    if (!socket) return;
    socket.onopen = socket.onmessage = socket.onclose = null;
    if (socket.readyState === socket.CONNECTING) socket.onopen = () => socket.close(); // earlier is an error in browsers
    else socket.close();
    this.options.broke();
  }

  private set(state: ConnectionStatus["state"], retryAt: number | null = null, code: string | null = null): void {
    this.status = { state, retryAt, code };
    this.options.changed(this.status);
  }
}
