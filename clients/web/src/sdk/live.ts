/** All that is followed live, over one socket. */
import { BoardTopic } from "./board.ts";
import type { ConnectionStatus, Live } from "./contract.ts";
import { browser, type Environment } from "./environment.ts";
import { Link } from "./link.ts";
import type { ClientMessage, ServerMessage } from "./messages.ts";
import { SessionTopic } from "./session.ts";
import { tell, type Topic } from "./topic.ts";

export interface LiveOptions {
  /** Of `/v1/live`; left out, where the page is. */
  url?: string;
  /** A new one for each connection; null for a spectator. */
  ticket: () => Promise<string | null>;
  environment?: Partial<Environment>;
}

/** A connection that is opened when something is first to be followed, and comes back by itself. */
export function openLive({ url, ticket, environment: given }: LiveOptions): Live {
  const environment = { ...browser, ...given };
  const sessions = new Map<string, SessionTopic>();
  const boards = new Map<string, BoardTopic>();
  const listeners = new Map<symbol, (connection: ConnectionStatus) => void>();
  const topics = (): Topic[] => [...sessions.values(), ...boards.values()];

  const link = new Link({
    url: (url ?? new URL("/v1/live", location.href).href).replace(/^http/, "ws"),
    ticket,
    environment,
    opened: () => topics().forEach((topic) => topic.join()),
    broke: () => topics().forEach((topic) => topic.broke()),
    hear: (message) => addressee(message)?.hear(message),
    changed(status) {
      if (status.state === "refused") end(status.code ?? status.state);
      tell(listeners.values(), (listener) => listener(status));
    },
  });
  const say = (message: ClientMessage) => link.say(message);
  const { after } = environment;

  const end = (code: string) => topics().forEach((topic) => topic.end(code));

  /** Whom a message is for. A command that was no message is refused without a name, so it is the only one. */
  function addressee(message: ServerMessage): Topic | undefined {
    const topic = topicOf(message);
    if (topic) return sessions.get(topic) ?? boards.get(topic);
    if (message.type !== "refused" || message.code !== "bad_request") return undefined;
    const waiting = [...sessions.values()].filter(({ commands }) => commands.isOutstanding);
    return waiting.length === 1 ? waiting[0] : undefined;
  }

  /** Opens something of a topic, which is made and subscribed to unless it is there. */
  function enter<T extends Topic, F>(topics: Map<string, T>, key: string, make: () => T, open: (topic: T) => F): F {
    const known = topics.get(key);
    const topic = known ?? make();
    topics.set(key, topic);
    const opened = open(topic);
    if (!known && link.status.state === "live") topic.join();
    else if (!known && link.status.state === "refused") topic.end(link.status.code ?? "refused");
    link.open();
    return opened;
  }

  return {
    get connection() {
      return link.status;
    },
    onConnection(listener) {
      const mine = Symbol();
      listeners.set(mine, listener);
      return () => void listeners.delete(mine);
    },
    session(id, listener, options = {}) {
      const key = `session:${id}`;
      const make = () => new SessionTopic({ id, say, after, drop: () => sessions.delete(key) });
      return enter(sessions, key, make, (topic) => topic.open(listener, options));
    },
    board({ date, rules, scope, field }, listener) {
      const key = `board:${date}/${rules}/${scope}/${field}`;
      const make = () => new BoardTopic({ topic: key, say, after, drop: () => boards.delete(key) });
      return enter(boards, key, make, (topic) => topic.open(listener));
    },
    retry: () => link.retry(),
    close() {
      end("closed");
      link.close();
    },
  };
}

function topicOf(message: ServerMessage): string | undefined {
  if ("topic" in message && message.topic) return message.topic;
  return "session" in message && typeof message.session === "string" ? `session:${message.session}` : undefined;
}
