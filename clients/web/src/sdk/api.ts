/** Every call of the HTTP contract as a method, named by its operationId. */
import { calls } from "./calls.gen.ts";
import type { operations } from "./openapi.gen.ts";
import { Problem, Unreachable, type ProblemBody } from "./problem.ts";

export interface ApiOptions {
  /** Where the service is; left out, where the page is. */
  base?: string;
  token?: () => string | null;
  /** The language of names and details, as in Accept-Language. */
  language?: () => string;
  fetch?: typeof fetch;
}

export interface CallOptions {
  idempotencyKey?: string;
  signal?: AbortSignal;
}

/** Sockets bring what these do, so they are no methods. */
type Streams = "streamEvents" | "streamDayBoard";
type Operation = Exclude<keyof operations, Streams>;

type Loose<T> = { [K in keyof T]: undefined extends T[K] ? T[K] | undefined : T[K] };
type Given<T> = [T] extends [undefined] ? unknown : Loose<NonNullable<T>>;
type Merged<T> = { [K in keyof T]: T[K] };
type Params<O extends Operation> = Merged<
  Given<operations[O]["parameters"]["path"]> & Given<operations[O]["parameters"]["query"]>
>;

type Body<O> = O extends { requestBody: infer B }
  ? Content<B>
  : O extends { requestBody?: infer B }
    ? Content<B> | undefined
    : never;
type Content<B> = B extends { content: { "application/json": infer C } } ? C : undefined;

type Successes<R> = R extends unknown ? { [S in keyof R & (200 | 201 | 204)]: R[S] }[keyof R & (200 | 201 | 204)] : never;
type Payload<R> = R extends { content: infer C } ? (C extends object ? C[keyof C] : undefined) : undefined;
type Answer<O extends Operation> = Payload<Successes<operations[O]["responses"]>>;

/** What may be left out at the end of the arguments is optional. */
type Arguments<O extends Operation> = undefined extends Body<operations[O]>
  ? Record<never, never> extends Params<O>
    ? [params?: Params<O>, body?: Body<operations[O]>, options?: CallOptions]
    : [params: Params<O>, body?: Body<operations[O]>, options?: CallOptions]
  : [params: Params<O>, body: Body<operations[O]>, options?: CallOptions];

export type Api = { [O in Operation]: (...args: Arguments<O>) => Promise<Answer<O>> };

const table: Record<Operation, `${string} /${string}`> = calls;

/** The calls of a service; each throws a `Problem` or `Unreachable`, or what its signal was aborted with. */
export function createApi(options: ApiOptions = {}): Api {
  const methods = Object.entries(table).map(([operation, call]) => {
    const [method = "", path = ""] = call.split(" ");
    const run = async (params: Values = {}, body?: unknown, { idempotencyKey, signal }: CallOptions = {}) => {
      const headers = headersOf(options, body !== undefined, idempotencyKey);
      const request = { method, headers, body: JSON.stringify(body) ?? null, signal: signal ?? null };
      return ask(options.fetch ?? fetch, (options.base ?? "") + addressOf(path, params), request);
    };
    return [operation, run];
  });
  return Object.fromEntries(methods) as Api;
}

type Values = Record<string, string | number | boolean | undefined>;

/** The path with its names filled in, and what it does not name as a query. */
function addressOf(path: string, params: Values): string {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(params)) {
    if (value === undefined) continue;
    if (path.includes(`{${name}}`)) path = path.replace(`{${name}}`, encodeURIComponent(value));
    else query.set(name, String(value));
  }
  return query.size ? `${path}?${query}` : path;
}

function headersOf({ token, language }: ApiOptions, hasBody: boolean, idempotencyKey?: string): Headers {
  const headers = new Headers();
  const set = (name: string, value: string | null | undefined) => value && headers.set(name, value);
  const secret = token?.();
  set("Authorization", secret && `Bearer ${secret}`);
  set("Accept-Language", language?.());
  set("Idempotency-Key", idempotencyKey);
  set("Content-Type", hasBody ? "application/json" : null);
  return headers;
}

async function ask(fetch: typeof globalThis.fetch, address: string, request: RequestInit): Promise<unknown> {
  try {
    const response = await fetch(address, request);
    const text = await response.text();
    const type = response.headers.get("Content-Type") ?? "";
    const content: unknown = type.includes("json") ? JSON.parse(text) : text;
    if (response.ok) return text ? content : undefined;
    throw failureOf(response, type.includes("problem+json") ? (content as ProblemBody) : null);
  } catch (error) {
    if (error instanceof Problem || error instanceof Unreachable || request.signal?.aborted) throw error;
    throw new Unreachable(String(error), { cause: error });
  }
}

const AWAY = [502, 503, 504]; // what a proxy answers where no service stands behind it

function failureOf({ status, statusText, headers }: Response, body: ProblemBody | null): Problem | Unreachable {
  if (!body && AWAY.includes(status)) return new Unreachable(`${status} ${statusText}`);
  const seconds = headers.get("Retry-After");
  return new Problem(body ?? { status, code: "unexpected", detail: statusText }, seconds ? Number(seconds) : null);
}
