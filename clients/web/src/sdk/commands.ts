/** The commands of one session: one at a time, each on the place that the one before has made. No socket, no clock. */
import type { Command, Outcome } from "./contract.ts";
import type { Ack, CommandMessage, Refused, Stale } from "./messages.ts";

const TRIES = 5;
const PAUSE = 500;

/** Runs something after so many milliseconds; answers what calls it off. */
export type After = (ms: number, run: () => void) => () => void;

interface Pending {
  command: Command;
  /** Once made it is sent as it is, however often: the place that it names is its identity. */
  message: CommandMessage | null;
  tries: number;
  settle: (outcome: Outcome) => void;
}

export interface CommandsOptions {
  /** The message for a command on the last known place; null while none is. */
  make: (command: Command) => CommandMessage | null;
  say: (message: CommandMessage) => void;
  after: After;
}

export class Commands {
  /** The first is the one that is outstanding, where it has a message. */
  private readonly pending: Pending[] = [];
  /** What was sent over this connection and not answered, in order; also what was given up meanwhile. */
  private sent: Pending[] = [];
  private isOpen = false;
  private isLost = false;
  private over: Outcome | null = null;
  private callOff: (() => void) | null = null;

  constructor(private readonly options: CommandsOptions) {}

  get isOutstanding(): boolean {
    return this.sent.length > 0;
  }

  add(command: Command): Promise<Outcome> {
    if (this.over) return Promise.resolve(this.over);
    return new Promise((settle) => {
      this.pending.push({ command, message: null, tries: 0, settle });
      this.advance();
    });
  }

  /** The last place is known, and commands can be sent; `isAnother` where the place of an earlier one is void. */
  open(isAnother = false): void {
    this.isOpen = true;
    this.over = null;
    if (this.pending[0]?.message && (isAnother || this.isLost)) this.settle({ kind: "stale" });
    else this.advance();
  }

  /** For the time being nothing new can be sent: the last place is in doubt. */
  hold(): void {
    this.isOpen = false;
  }

  /** The connection broke: whatever was not answered may have been carried out, and is sent again. */
  broke(): void {
    this.hold();
    this.sent = [];
    this.rest(null);
  }

  /** Nothing is sent any more, unless it is opened again. */
  end(code: string, detail: string): void {
    this.broke();
    this.over = { kind: "refused", code, detail };
    for (const { settle } of this.pending.splice(0)) settle(this.over);
  }

  /** Answers come in the order of the commands. The entries that a `stale` tells were taken over before. */
  hear(answer: Ack | Refused | Stale): void {
    const answered = this.sent.shift();
    if (!answered || answered !== this.pending[0]) return;
    if (answer.type === "refused" && answer.code === "unavailable" && ++answered.tries < TRIES) {
      this.rest(PAUSE * answered.tries);
    } else if (answer.type === "stale" && answer.missed.length === 0) {
      this.isLost = true; // the whole session follows
    } else {
      this.settle(outcomeOf(answer));
    }
  }

  private settle(outcome: Outcome): void {
    this.isLost = false;
    this.rest(null);
    this.pending.shift()?.settle(outcome);
    this.advance();
  }

  private rest(ms: number | null): void {
    this.callOff?.();
    this.callOff =
      ms === null
        ? null
        : this.options.after(ms, () => {
            this.callOff = null;
            this.advance();
          });
  }

  private advance(): void {
    const [first] = this.pending;
    if (!first) return;
    first.message ??= this.options.make(first.command); // now, also if it cannot be sent now: it is meant for this place
    if (!first.message || !this.isOpen || this.isLost || this.callOff || this.sent.includes(first)) return;
    this.sent.push(first);
    this.options.say(first.message);
  }
}

function outcomeOf(answer: Ack | Refused | Stale): Outcome {
  switch (answer.type) {
    case "ack":
      return { kind: "ack", seq: answer.seq, crc: answer.crc };
    case "stale":
      return { kind: "stale" };
    case "refused": {
      const { code, detail, reason, legal } = answer;
      return { kind: "refused", code, detail, ...(reason && { reason }), ...(legal && { legal }) };
    }
  }
}
