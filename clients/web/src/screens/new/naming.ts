/** What deals and rule sets are called. */
import { i18n } from "../../words/words.svelte.ts";

export function dealName(deal: string | null): string {
  const words = i18n.words.newgame;
  if (deal === null) return words.secretDeal;
  return deal.startsWith("position:") ? words.ownDeal : words.dealNamed(deal);
}

export function presetName(rules: string): string {
  const { presets } = i18n.words.newgame;
  return rules in presets ? presets[rules as keyof typeof presets].name : rules;
}
