import { expect, test } from "vitest";
import { trouble } from "../../src/app/troubles.ts";
import { Problem, Unreachable } from "../../src/sdk/index.ts";

function problem(code: string, more: { reason?: string; retryAfter?: number } = {}): Problem {
  const { retryAfter = null, ...body } = more;
  return new Problem({ status: 400, code, detail: "Told by the service.", ...body }, retryAfter);
}

test.each([
  [new Unreachable("no network"), "The service cannot be reached. Check the connection and try again."],
  [problem("wrong_invite"), "That is not the invite code of this game."],
  [problem("rate_limited", { retryAfter: 3 }), "That was too often. Seconds to wait: 3."],
  [problem("name_refused", { reason: "no_letter" }), "A name has a letter in it."],
  [problem("name_refused", { reason: "new_reason" }), "That did not work. The service says: Told by the service."],
  [problem("toString"), "That did not work. The service says: Told by the service."],
  [new RangeError("odd"), "That did not work. The service says: RangeError: odd"],
])("%s has a sentence", (error, sentence) => {
  expect(trouble(error)).toBe(sentence);
});
