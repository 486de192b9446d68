/** What the rules pages consist of, in which order, and which version has what. */
import type rules from "../../words/en/rules.json";
import type { ExampleName } from "./examples.ts";

export type Text = typeof rules;
export type Version = keyof Text["versions"];
export type Chapter = keyof Text["sections"];

export const VERSIONS: readonly Version[] = ["modern", "cadogan"];

export const CHAPTERS: readonly Chapter[] = [
  "goal",
  "layout",
  "versions",
  "moves",
  "vacancies",
  "presets",
  "end",
  "undo",
  "score",
  "daily",
  "together",
  "controls",
  "reader",
  "notation",
];

/** Boards that follow a chapter's text. */
export const BOARDS: Partial<Record<Chapter, readonly ExampleName[]>> = {
  layout: ["layout"],
  vacancies: ["vacancy", "cascade", "settled", "open"],
  end: ["stuck", "finish"],
};

interface MoveKind {
  name: keyof Text["moves"];
  boards: readonly ExampleName[];
  versions: readonly Version[];
}
export const MOVES: readonly MoveKind[] = [
  { name: "promote", boards: ["promote"], versions: VERSIONS },
  { name: "build", boards: ["build", "deep"], versions: VERSIONS },
  { name: "lateral", boards: ["lateral"], versions: ["modern"] },
  { name: "fill", boards: ["vacancy"], versions: VERSIONS },
  { name: "turn", boards: ["turn"], versions: ["cadogan"] },
  { name: "people", boards: ["people"], versions: ["cadogan"] },
];

/** The versions that an address asks for; a rule set of Lady Cadogan's family asks for hers. */
export function versionsOf(asked: string | undefined): readonly Version[] {
  if (asked === "modern") return ["modern"];
  return asked === "cadogan" || asked === "cadogan-1914" || asked === "pysol" ? ["cadogan"] : VERSIONS;
}

export type Preset = keyof Text["presets"]["names"];
/** Which of the five switches are on, in the order of their sentences. */
export const PRESETS: Readonly<Record<Preset, readonly boolean[]>> = {
  modern: [true, false, false, false, true],
  cadogan: [false, true, true, true, true],
  "cadogan-1914": [false, true, true, false, true],
  pysol: [false, true, true, true, false],
};
