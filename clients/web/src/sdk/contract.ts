/** What a live session is, for those who use one; `live.ts` makes it. */
import type { Analysis as AnalysisMessage, Presence, Reaction, React } from "./messages.ts";
import type { BoardPage, Event, LegalMove, Outlook, Session } from "./types.ts";

export type Phrase = React["phrase"];

/** waiting: broken, comes back by itself at `retryAt`; refused: will not come back unless asked to by `retry`. */
export type Connection = "idle" | "connecting" | "live" | "waiting" | "refused";
export interface ConnectionStatus {
  readonly state: Connection;
  /** When it tries again, in milliseconds since 1970. */
  readonly retryAt: number | null;
  /** Why it broke or was refused, where that is known: the name of a close code, or the code of a problem. */
  readonly code: string | null;
}

export type Change = { kind: "snapshot" } | { kind: "reset" } | { kind: "event"; event: Event };

export interface SessionListener {
  /** Every new state, in order. */
  session(session: Session, change: Change): void;
  /** The subscription is refused, or has ended: nothing more comes. */
  refused?(code: string, detail: string): void;
  presence?(presence: Pick<Presence, "seats" | "spectators">): void;
  reaction?(reaction: Pick<Reaction, "seat" | "phrase">): void;
  /** Of the state that was told last. */
  winnable?(outlook: Outlook): void;
  analysis?(analysis: Pick<AnalysisMessage, "seq" | "searches">): void;
}

export interface SessionOptions {
  /** What is known already, as from an answer over HTTP: only what follows is asked for. */
  from?: Session;
  /** Whether to be told after each entry if the session can still be won. */
  winnable?: boolean;
}

export interface SessionFeed {
  readonly session: Session | null;
  /** Made on the last known place, once those before it are answered; sent again after a break until it is answered. */
  command(command: Command): Promise<Outcome>;
  /** Said at once, or on coming back: the last one only. */
  react(phrase: Phrase): void;
  close(): void;
}

export type Command =
  | { type: "play"; move: string }
  | { type: "undo"; by?: "group" | "step" }
  | { type: "redo"; by?: "group" | "step" }
  | { type: "consent"; count: number };

/** ack: it is entry `seq` of the log. refused: it was not carried out. stale: something else came first. */
export type Outcome =
  | { kind: "ack"; seq: number; crc: string }
  | { kind: "refused"; code: string; detail: string; reason?: string; legal?: LegalMove[] }
  | { kind: "stale" };

export interface BoardAddress {
  date: string;
  rules: string;
  scope: string;
  field: string;
}

export interface BoardListener {
  board(page: BoardPage): void;
  refused(code: string): void;
}

export interface Live {
  readonly connection: ConnectionStatus;
  /** Answers the function that ends it. */
  onConnection(listener: (connection: ConnectionStatus) => void): () => void;
  session(id: string, listener: SessionListener, options?: SessionOptions): SessionFeed;
  board(address: BoardAddress, listener: BoardListener): { close(): void };
  /** Now, instead of at `retryAt`. */
  retry(): void;
  close(): void;
}
