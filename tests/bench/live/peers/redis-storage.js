// boardgame.io's StorageAPI over Redis: the least that keeps a match. It is the same server, under the same settings,
// that the service uses. What is asked in one turn of the event loop travels in one pipeline, as the client does anyway.

import { createRequire } from 'node:module';
import { createClient } from '@redis/client';

const { Async } = createRequire(import.meta.url)('boardgame.io/internal');

const PARTS = ['state', 'metadata', 'initialState'];

export class RedisStorage extends Async {
  #client;

  constructor(url) {
    super();
    this.#client = createClient({ socket: { path: decodeURIComponent(new URL(url).pathname) } });
  }

  async connect() {
    await this.#client.connect();
  }

  async createMatch(match, { initialState, metadata }) {
    const value = JSON.stringify(initialState);
    const parts = { state: value, initialState: value, metadata: JSON.stringify(metadata) };
    await this.#client.hSet(key(match), parts);
  }

  async setState(match, state, deltalog = []) {
    const entries = deltalog.map((entry) => JSON.stringify(entry));
    await Promise.all([
      this.#client.hSet(key(match), 'state', JSON.stringify(state)),
      entries.length && this.#client.rPush(logKey(match), entries),
    ]);
  }

  async setMetadata(match, metadata) {
    await this.#client.hSet(key(match), 'metadata', JSON.stringify(metadata));
  }

  async fetch(match, wanted) {
    const parts = PARTS.filter((part) => wanted[part]);
    const [values, log] = await Promise.all([
      parts.length ? this.#client.hmGet(key(match), parts) : [],
      wanted.log ? this.#client.lRange(logKey(match), 0, -1) : undefined,
    ]);
    const found = Object.fromEntries(parts.map((part, at) => [part, values[at] ? JSON.parse(values[at]) : undefined]));
    return log ? { ...found, log: log.map((entry) => JSON.parse(entry)) } : found;
  }

  async wipe(match) {
    await this.#client.del([key(match), logKey(match)]);
  }

  async listMatches() {
    return [];
  }
}

const key = (match) => `bgio:{${match}}`;
const logKey = (match) => `bgio:{${match}}:log`;
