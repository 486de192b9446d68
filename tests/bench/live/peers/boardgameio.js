// This game on boardgame.io: in memory, or with POSTGRES_FOLDER on the Postgres whose socket lies there. Says its address
// when it listens.
//
// As fast as it goes: no undo, whose history would travel with every state, and whole states, since `deltaState` is
// slower still.

import { PostgresStore } from 'bgio-postgres';
import { createRequire } from 'node:module';
import { deal, isWon, play, whyNot } from './rules.js';

const require = createRequire(import.meta.url);
const { Server, SocketIO } = require('boardgame.io/server');
const { INVALID_MOVE } = require('boardgame.io/core');

const patience = {
  name: 'patience',
  minPlayers: 1,
  maxPlayers: 1,
  disableUndo: true,
  setup: (_, { cards }) => deal(cards),
  moves: {
    play: ({ G }, move) => {
      if (whyNot(G, move)) return INVALID_MOVE;
      play(G, move);
    },
  },
  endIf: ({ G }) => (isWon(G) ? { won: true } : undefined),
  playerView: ({ G }) => ({ ...G, stock: G.stock.length / 2 }),
};

const folder = process.env.POSTGRES_FOLDER;
const asPostgres = { username: 'postgres', database: 'postgres', host: folder, logging: false };
const server = Server({
  games: [patience],
  origins: [],
  ...(folder && { db: new PostgresStore(asPostgres) }),
  transport: new SocketIO({ socketOpts: { perMessageDeflate: false, transports: ['websocket'] } }),
});
const { appServer } = await server.run({ port: { host: '127.0.0.1', port: 0 } });
console.log(`http://127.0.0.1:${appServer.address().port}`);
process.on('SIGTERM', () => process.exit(0));
