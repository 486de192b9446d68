// The rules of `modern`, as far as the peers need them: to judge a move, to play it, and to see the win.
//
// A board has 32 `piles` (a1 … h1, a2 … h4) and a `stock`, texts of two characters a card, bottom or next first, and the
// ranks of its eight `foundations` (C C S S H H D D). It is changed in place and only by index and assignment, so that it
// may as well be an immer draft or a Colyseus schema.

const COLUMNS = 8;
const PEOPLE = 24;
const PLACES = 32;
const GOVERNMENT = 32;
const RANKS = 'A23456789TJ';
const SUITS = 'CSHD';
const JACK = 11;

export function deal(cards) {
  const piles = Array.from({ length: PLACES }, (_, place) => cards.slice(2 * place, 2 * place + 2));
  return { piles, foundations: Array(8).fill(1), stock: cards.slice(2 * PLACES) };
}

/** Why the move is not legal, or null when it is. */
export function whyNot(board, move) {
  const [source, target] = placesOf(move);
  if (source === undefined || target === undefined) return 'no_move';
  const vacancy = vacancyOf(board);
  if (vacancy !== undefined && target !== vacancy) return 'must_fill';
  const card = board.piles[source].slice(-2);
  if (!card) return 'empty_source';
  if (target === GOVERNMENT) {
    if (source >= COLUMNS) return 'not_top_row';
    return foundationFor(board, card) === undefined ? 'not_next' : null;
  }
  if (source === target) return 'same_place';
  const rowsUp = rowOf(source) - rowOf(target);
  if (vacancy !== undefined) return rowsUp === 1 ? null : 'not_row_below';
  if (target >= COLUMNS || rowsUp > 1) return 'not_row_below';
  const base = board.piles[target].slice(-2);
  return base && builds(card, base) ? null : 'does_not_build';
}

/** Plays a legal move, with its automatic part. */
export function play(board, move) {
  const [source, target] = placesOf(move);
  const card = board.piles[source].slice(-2);
  board.piles[source] = board.piles[source].slice(0, -2);
  if (target === GOVERNMENT) board.foundations[foundationFor(board, card)] += 1;
  else board.piles[target] += card;
  if (source >= PEOPLE && board.stock) {
    board.piles[source] = board.stock.slice(0, 2);
    board.stock = board.stock.slice(2);
  }
}

export function isWon(board) {
  return board.foundations.every((rank) => rank === JACK);
}

function placesOf(move) {
  return [PLACE_OF[move.slice(0, 2)], PLACE_OF[move.slice(2)]];
}

/** The empty place that must be filled first. */
function vacancyOf(board) {
  for (let place = 0; place < PEOPLE; place += 1) {
    if (board.piles[place]) continue;
    const next = (rowOf(place) + 1) * COLUMNS;
    for (let below = next; below < next + COLUMNS; below += 1) if (board.piles[below]) return place;
  }
  return undefined;
}

function foundationFor(board, card) {
  const first = 2 * SUITS.indexOf(card[1]);
  return [first, first + 1].find((place) => board.foundations[place] + 1 === rankOf(card));
}

function builds(card, base) {
  return rankOf(card) + 1 === rankOf(base) && isBlack(card) !== isBlack(base);
}

const rankOf = (card) => RANKS.indexOf(card[0]) + 1;
const isBlack = (card) => SUITS.indexOf(card[1]) < 2;
const rowOf = (place) => Math.floor(place / COLUMNS);

export const NAMES = Array.from({ length: PLACES }, (_, place) => 'abcdefgh'[place % COLUMNS] + (rowOf(place) + 1));
const PLACE_OF = { ...Object.fromEntries(NAMES.map((name, place) => [name, place])), G: GOVERNMENT };
