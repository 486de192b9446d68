/** What went wrong, as a person is told it. */
import { Problem, Unreachable } from "../sdk/index.ts";
import { i18n } from "../words/words.svelte.ts";

export function trouble(error: unknown): string {
  const { troubles, nameReasons } = i18n.words.people;
  if (error instanceof Unreachable) return troubles.unreachable;
  if (!(error instanceof Problem)) return troubles.other(String(error));
  const { code, reason, retryAfter, detail } = error;
  if (code === "rate_limited") return troubles.rate_limited(i18n.number(retryAfter ?? 1));
  if (code === "name_refused" && isKey(nameReasons, reason)) return nameReasons[reason];
  const known = isKey(troubles, code) ? troubles[code] : null;
  return typeof known === "string" ? known : troubles.other(detail);
}

function isKey<T extends object>(object: T, key: string | undefined): key is Extract<keyof T, string> {
  return key !== undefined && Object.hasOwn(object, key);
}
