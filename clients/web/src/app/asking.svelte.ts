/** A question to the service while it is asked, and what came of it. */
import { announce } from "./announce.svelte.ts";
import { Problem } from "../sdk/index.ts";
import { trouble } from "./troubles.ts";

export class Asking {
  busy = $state(false);
  /** What went wrong, as it is told; empty where nothing did. */
  trouble = $state("");
  /** The code of what went wrong, where the service said one. */
  code = $state<string | null>(null);

  /** Does one thing at a time; whether it went well. `sentence` says what went wrong in other words. */
  async run(action: () => Promise<unknown>, sentence: (error: unknown) => string = trouble): Promise<boolean> {
    if (this.busy) return false;
    this.busy = true;
    try {
      await action();
      this.trouble = "";
      this.code = null;
      return true;
    } catch (error) {
      this.trouble = sentence(error);
      this.code = error instanceof Problem ? error.code : null;
      announce(this.trouble);
      return false;
    } finally {
      this.busy = false;
    }
  }
}
