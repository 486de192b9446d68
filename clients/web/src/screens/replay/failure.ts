/** Why a game, its record or its analysis is not shown, in words. */
import { trouble } from "../../app/troubles.ts";
import { reasonText } from "../../game/say.ts";
import { Problem } from "../../sdk/index.ts";
import { i18n } from "../../words/words.svelte.ts";

/** `isDaily` tells whether the game is a run of a day. */
export function failureText(error: unknown, isDaily = false): string {
  if (!(error instanceof Problem)) return trouble(error);
  if (error.code !== "still_secret") return reasonText(error.code, error.detail);
  const { secretDay, secretDeal } = i18n.words.replay;
  return isDaily ? secretDay : secretDeal;
}
