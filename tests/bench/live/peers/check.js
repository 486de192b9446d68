// Proves that rules.js knows the game: every golden line, read from standard input, is legal to its win, and at each of
// its places as many moves are legal as the service's engine finds.

import { readFileSync } from 'node:fs';
import { NAMES, deal, isWon, play, whyNot } from './rules.js';

const MOVES = NAMES.flatMap((source) => [...NAMES, 'G'].map((target) => source + target));

function fail(line, place, why) {
  console.error(`${line.deal}, move ${place + 1}: ${why}`);
  process.exit(1);
}

const lines = JSON.parse(readFileSync(0, 'utf8'));
for (const line of lines) {
  const board = deal(line.cards);
  line.moves.forEach((move, place) => {
    const legal = MOVES.filter((one) => whyNot(board, one) === null).length;
    if (legal !== line.legal[place]) fail(line, place, `${legal} moves are legal, and should be ${line.legal[place]}`);
    const reason = whyNot(board, move);
    if (reason) fail(line, place, `${move} is refused: ${reason}`);
    if (isWon(board)) fail(line, place, 'it is won too early');
    play(board, move);
  });
  if (!isWon(board)) fail(line, line.moves.length, 'it is not won');
}
console.log(`${lines.length} lines replayed to the win`);
