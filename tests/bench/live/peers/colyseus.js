// This game on Colyseus, in memory, with a patch of the state for every move. Says its address when it listens.

import { LocalDriver, LocalPresence, Room, Server } from '@colyseus/core';
import { schema } from '@colyseus/schema';
import { WebSocketTransport } from '@colyseus/ws-transport';
import { createServer } from 'node:http';
import { deal, isWon, play, whyNot } from './rules.js';

const Board = schema({
  piles: ['string'],
  foundations: ['uint8'],
  left: 'uint8',
  won: 'boolean',
});

class Patience extends Room {
  maxClients = 1;
  patchRate = null;

  onCreate({ cards }) {
    const { piles, foundations, stock } = deal(cards);
    this.state = new Board().assign({ piles, foundations, left: stock.length / 2, won: false });
    this.state.stock = stock;
    this.onMessage('play', (client, move) => this.play(client, move));
  }

  play(client, move) {
    const reason = this.state.won ? 'over' : whyNot(this.state, move);
    if (reason) {
      client.send('refused', reason);
      return;
    }
    play(this.state, move);
    this.state.left = this.state.stock.length / 2;
    this.state.won = isWon(this.state);
    this.broadcastPatch();
  }
}

const http = createServer();
const server = new Server({
  greet: false,
  gracefullyShutdown: false,
  driver: new LocalDriver(),
  presence: new LocalPresence(),
  transport: new WebSocketTransport({ server: http }),
});
server.define('patience', Patience);
await server.listen(0, '127.0.0.1');
console.log(`http://127.0.0.1:${http.address().port}`);
process.on('SIGTERM', () => process.exit(0));
