/** Which step through a game a key means. */

export type Step = "first" | "back" | "play" | "forward" | "last";

const KEYS: Readonly<Record<string, Step>> = {
  Home: "first",
  ArrowLeft: "back",
  Space: "play",
  ArrowRight: "forward",
  End: "last",
};
const OWN_KEYS = "input, select, textarea, dialog, [role=grid], [role=tablist], [contenteditable]"; // what uses these keys itself
const PRESSED = "button, a, summary"; // what Space presses

/** Null where the key means nothing here, or belongs to what has the focus. */
export function stepOf(event: KeyboardEvent): Step | null {
  const step = KEYS[event.code] ?? null;
  if (!step || event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey || event.shiftKey) return null;
  const target = event.target instanceof Element ? event.target : null;
  if (target?.closest(OWN_KEYS) || (step === "play" && target?.closest(PRESSED))) return null;
  return step;
}
