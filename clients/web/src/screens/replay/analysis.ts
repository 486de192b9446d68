/** What an analysis says of a game, told by the entries of its log instead of by the moves that stand. */
import type { Analysis, Event, Winnable } from "../../sdk/index.ts";
import { standing } from "./timeline.ts";

export type Verdict =
  | { kind: "won" | "winnable" | "never" | "unknown" }
  /** The entry that lost the game. */
  | { kind: "lost"; seq: number }
  /** It could be won up to this entry at least; 0 is the deal. */
  | { kind: "until"; seq: number };

export interface Findings {
  verdict: Verdict;
  /** Of each entry whose move stands, whether the game could still be won after it. */
  fates: ReadonlyMap<number, Winnable>;
  /** The entry after which the moves of a win begin, 0 for the deal; null where none are known. */
  lineFrom: number | null;
}

/** What was found out of a game whose entries these are, from the deal on. */
export function findings(analysis: Analysis, events: readonly Event[]): Findings {
  const seqs = standing(events.filter(({ seq }) => seq <= analysis.seq));
  const seqOf = (move: number): number => seqs[move - 1] ?? 0;
  const fates = new Map(analysis.moves.map(({ winnable }, index) => [seqOf(index + 1), winnable]));
  const { line, line_from } = analysis;
  const lineFrom = line?.length && line_from !== null ? seqOf(line_from) : null;
  return { verdict: verdictOf(analysis, seqOf, events.at(-1)?.status === "won"), fates, lineFrom };
}

function verdictOf(analysis: Analysis, seqOf: (move: number) => number, isWon: boolean): Verdict {
  const { deal, moves, lost_at, winnable_until } = analysis;
  if (isWon) return { kind: "won" };
  if (deal === "no") return { kind: "never" };
  if (lost_at !== null) return { kind: "lost", seq: seqOf(lost_at) };
  if (winnable_until === null) return { kind: "unknown" };
  return winnable_until === moves.length ? { kind: "winnable" } : { kind: "until", seq: seqOf(winnable_until) };
}
