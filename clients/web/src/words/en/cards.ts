/** How cards and places are called. */

const ranks = ["", "ace", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "jack", "queen", "king"];
const suits = { C: "clubs", D: "diamonds", H: "hearts", S: "spades" };

export const cards = {
  /** "six of clubs" */
  card: (rank: number, suit: "C" | "D" | "H" | "S"): string => `${ranks[rank]} of ${suits[suit]}`,
  ranks,
  suits,
  /** What is printed in a card's corner. */
  index: ["", "A", "2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K"],
  /** Which letters the aces and jacks are printed with. */
  letters: "latin" as "latin" | "cyrillic",
  rows: ["Privy Council", "House of Lords", "House of Commons", "People’s Row"],
  government: "Government",
  constitution: "Constitution",
  stock: "Stock",
  waste: "Waste",
  sovereign: "Sovereign",
  bishop: "Bishop",
  judge: "Judge",
};
