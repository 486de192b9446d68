/** What one hands on of a game: four plain lines at most, and links. */
import type { Session } from "../../sdk/index.ts";
import { i18n } from "../../words/words.svelte.ts";

export function shareText(session: Session, origin: string): string {
  const words = i18n.words.play.result;
  const { points, daily, deal, rules, seq } = session;
  const preset = rulesName(rules);
  const title = daily ? words.shareDaily(daily.date, preset) : deal ? words.shareDeal(deal, preset) : `${words.shareTitle}, ${preset}`;
  const total = i18n.number(points.total);
  const result = points.won ? words.shareWon(total, points.assists) : words.sharePromoted(total, points.promoted);
  const link = daily ? `${origin}/daily/${daily.date}/${rules}` : deal ? dealLink(session, origin) : origin;
  return [title, result, words.shareTempo(i18n.number(points.tempo), seq), link].join("\n");
}

export function rulesName(rules: string): string {
  const names: Readonly<Record<string, string>> = i18n.words.play.rules;
  return names[rules] ?? rules;
}

export function dealLink({ deal, rules }: Session, origin: string): string {
  return `${origin}/d/${encodeURIComponent(deal ?? "")}?rules=${rules}`;
}

export function inviteLink({ id, invite }: Session, origin: string): string {
  return `${origin}/join/${id}#${invite ?? ""}`;
}
