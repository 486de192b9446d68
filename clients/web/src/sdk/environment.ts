import type { After } from "./commands.ts";

/** What a live connection takes from the world; another can be given to it, as tests do. */
export interface Environment {
  connect: (url: string, protocol: string) => WebSocket;
  /** Milliseconds since 1970. */
  now: () => number;
  after: After;
  /** From 0 to 1. */
  random: () => number;
  /** Runs it whenever the network comes or goes; answers what ends that. */
  onNetwork: (run: () => void) => () => void;
}

export const browser: Environment = {
  connect: (url, protocol) => new WebSocket(url, protocol),
  now: () => Date.now(),
  after(ms, run) {
    const timer = setTimeout(run, ms);
    return () => clearTimeout(timer);
  },
  random: () => Math.random(),
  onNetwork(run) {
    const turns = ["online", "offline"];
    turns.forEach((turn) => globalThis.addEventListener?.(turn, run)); // there are none outside browsers
    return () => turns.forEach((turn) => globalThis.removeEventListener?.(turn, run));
  },
};
