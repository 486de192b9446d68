/** Replay and analysis. */
import { plural } from "../language.ts";

const steps = (count: number): string => plural("en", count, { one: "# step", other: "# steps" });
const points = (count: number): string => plural("en", count, { one: "# point", other: "# points" });

export const replay = {
  slider: "Place in the game",
  at: (seq: string, last: string, what: string): string => `Move ${seq} of ${last}: ${what}`,
  atDeal: (last: string): string => `The deal, before move 1 of ${last}`,
  noMoves: "The deal; nothing was played yet",
  first: "To the deal",
  back: "Back",
  play: "Play",
  pause: "Pause",
  forward: "Forward",
  last: "To the end",
  speed: "Speed",
  points,
  status: {
    playing: "Under way",
    won: "Won",
    stuck: "No moves left",
    resigned: "Given up",
    expired: "Time ran out",
  },

  moves: "Moves",
  analysis: "Analysis",
  record: "Record",
  deal: "The deal",
  entry: {
    promote: (what: string): string => `${what} to the Government`,
    move: (what: string, place: string): string => `${what} to ${place}`,
    turned: (card: string): string => `turned up: ${card}`,
    turn: "a card is turned up",
    undo: (count: number): string => `undo, ${steps(count)}`,
    redo: (count: number): string => `redo, ${steps(count)}`,
    restart: "restart, back to the deal",
    resign: "gave up",
    hint: ["hint: where to play", "hint: which card", "hint: which move"],
    ask: "asked whether it can be won",
    consent: (count: number): string => `agreed to an undo of ${steps(count)}`,
  },

  graph: (highest: string, here: string): string => `Points through the game: ${highest} at the most, ${here} at this place.`,
  lostGraph: (seq: string): string => `From move ${seq} on the game was lost.`,
  whereLost: "Where was it lost?",
  about: "The solver looks at about ten places of the game, and says after which moves it could still be won. It may take some minutes.",
  searching: (searches: number): string =>
    plural("en", searches, { one: "Looking: # place of about ten is done.", other: "Looking: # places of about ten are done." }),
  stop: "Stop",
  isWon: "This game was won.",
  wasLost: (seq: string, what: string): string => `Move ${seq} lost the game: ${what}.`,
  wasWinnable: "At its end this game could still be won.",
  neverWinnable: "This deal cannot be won, whatever is played.",
  winnableUntil: (seq: string): string => `The game could be won up to move ${seq} at least. Which of the later moves lost it was not found.`,
  winnableDeal: "The deal can be won. Which of the moves lost it was not found.",
  unknown: "Whether this game could be won was not found.",
  toLost: "Show the losing move",
  beforeLost: "Show the place before it",
  winnable: "could still be won",
  lost: "lost",
  lossMark: "lost the game",
  line: "A win from there",
  lineFrom: (seq: string): string => `It begins after move ${seq}.`,
  lineFromDeal: "It begins at the deal.",
  secretDay: "This run is of a day whose boards are not final yet. Until they are, its deal is a secret, and so are the analysis and the record.",
  secretDeal: "The deal is a secret until the game is over. Then there are an analysis and a record of it.",

  recordHelp: "The whole game as text. Anybody can import, replay and verify it.",
  copy: "Copy",
  download: "Download",
};
