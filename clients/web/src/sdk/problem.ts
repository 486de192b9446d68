import type { components } from "./openapi.gen.ts";
import type { Event, FieldError, LegalMove, Session } from "./types.ts";

export type ProblemBody = components["schemas"]["Problem"];

/** The service answered that it did not do what it was asked. `code` never changes, `detail` is for people. */
export class Problem extends Error {
  override readonly name = "Problem";
  readonly status: number;
  readonly code: string;
  readonly detail: string;
  readonly reason?: string | undefined;
  readonly legal?: LegalMove[] | undefined;
  readonly session?: Session | undefined;
  readonly missed?: Event[] | undefined;
  readonly errors?: FieldError[] | undefined;
  /** Seconds after which to ask again, where the service says so. */
  readonly retryAfter: number | null;

  constructor(body: Omit<ProblemBody, "type" | "title">, retryAfter: number | null = null) {
    super(body.detail);
    this.status = body.status;
    this.code = body.code;
    this.detail = body.detail;
    this.reason = body.reason;
    this.legal = body.legal;
    this.session = body.session;
    this.missed = body.missed;
    this.errors = body.errors;
    this.retryAfter = retryAfter;
  }
}

/** No answer came: there is no network, or the service is away. Whether a command was carried out is not known. */
export class Unreachable extends Error {
  override readonly name = "Unreachable";
}
