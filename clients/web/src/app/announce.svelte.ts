/** What the page's one live region says. */

let turn = $state(0);
let unspoken: string[] = [];

export const announcement = {
  /** Grows with everything there is to say. */
  get turn(): number {
    return turn;
  },
  /** All that was not spoken yet, which counts as spoken from now on. */
  take(): string {
    const text = unspoken.join(" ");
    unspoken = [];
    return text;
  },
};

export function announce(text: string): void {
  unspoken.push(text);
  turn += 1;
}
