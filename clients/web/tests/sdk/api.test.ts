// @vitest-environment node
import { describe, expect, test } from "vitest";
import { createApi, Problem, Unreachable, type Api, type ApiOptions } from "../../src/sdk/index.ts";

/** An API whose service answers alike to all it is asked, and what it was asked. */
function apiOf(answer: () => Response | Promise<Response>, options: ApiOptions = {}) {
  const asked: { address: string; request: RequestInit; headers: Headers }[] = [];
  const fetch = async (address: RequestInfo | URL, request: RequestInit = {}) => {
    asked.push({ address: String(address), request, headers: new Headers(request.headers) });
    return answer();
  };
  return { api: createApi({ fetch: fetch as typeof globalThis.fetch, ...options }), asked };
}

const json = (body: unknown, status = 200, headers = {}) =>
  new Response(JSON.stringify(body), { status, headers: { "Content-Type": "application/json", ...headers } });

const problem = (body: object, status: number, headers = {}) =>
  json({ type: "urn:x", title: "X", status, ...body }, status, { "Content-Type": "application/problem+json", ...headers });

const failure = (call: Promise<unknown>) => call.then(() => null, (error: unknown) => error);

describe("a call", () => {
  test("puts its params in the path and the rest in the query, but what is undefined", async () => {
    const { api, asked } = apiOf(() => json({}), { base: "https://example.org" });
    await api.readDeal({ deal: "pysol:1", rules: "modern", wait: undefined });
    await api.readCalendar({ rules: "modern" });
    expect(asked.map(({ address, request }) => [request.method, address])).toEqual([
      ["GET", "https://example.org/v1/deals/pysol%3A1?rules=modern"],
      ["GET", "https://example.org/v1/players/me/days/modern"],
    ]);
  });

  test("names the player, the language and the key, and has its body as JSON", async () => {
    const { api, asked } = apiOf(() => json({ id: "x" }, 201), { token: () => "secret", language: () => "ru" });
    expect(await api.createSession({}, { rules: "modern" }, { idempotencyKey: "once" })).toEqual({ id: "x" });
    expect(Object.fromEntries(asked[0]?.headers ?? [])).toEqual({
      "accept-language": "ru",
      authorization: "Bearer secret",
      "content-type": "application/json",
      "idempotency-key": "once",
    });
    expect(asked[0]?.request.body).toBe('{"rules":"modern"}');
  });

  test("says nothing that there is not", async () => {
    const { api, asked } = apiOf(() => json({ ticket: "x" }), { token: () => null });
    await api.createTicket();
    expect([...(asked[0]?.headers ?? [])]).toEqual([]);
    expect(asked[0]?.request.body).toBeNull();
  });

  test("answers a text as it is, and nothing where there is nothing", async () => {
    const record = apiOf(() => new Response("b1G", { headers: { "Content-Type": "text/plain" } }));
    expect(await record.api.readRecord({ session: "x" })).toBe("b1G");
    const { api } = apiOf(() => new Response(null, { status: 204 }));
    expect(await api.deletePlayer()).toBeUndefined();
  });

  test("that is wrong does not compile", () => {
    const wrong = (api: Api) => [
      // @ts-expect-error a move is wanted
      api.playMove({ session: "x" }),
      // @ts-expect-error a session is wanted
      api.readSession({}),
      // @ts-expect-error there is no such parameter
      api.readSession({ session: "x", place: 1 }),
      // @ts-expect-error streams are no methods
      api.streamEvents,
    ];
    expect(wrong).toBeTypeOf("function");
  });
});

describe("a call that fails", () => {
  test("throws the problem with all that it says", async () => {
    const body = { code: "illegal_move", detail: "No.", reason: "wrong_rank", legal: [] };
    const { api } = apiOf(() => problem(body, 409));
    const error = await failure(api.playMove({ session: "x" }, { move: "a1a2" }));
    expect(error).toBeInstanceOf(Problem);
    expect(error).toMatchObject({ status: 409, ...body, message: "No.", retryAfter: null });
  });

  test("tells when to come back, also where the service is away for a reason that it names", async () => {
    const { api } = apiOf(() => problem({ code: "unavailable", detail: "" }, 503, { "Retry-After": "2" }));
    expect(await failure(api.isReady())).toMatchObject({ name: "Problem", code: "unavailable", retryAfter: 2 });
  });

  test.each([502, 503, 504])("is unreachable where a proxy answers %i", async (status) => {
    const { api } = apiOf(() => new Response("<html>", { status, headers: { "Content-Type": "text/html" } }));
    expect(await failure(api.isReady())).toBeInstanceOf(Unreachable);
  });

  test("is a problem without a name where somebody else answers anything else", async () => {
    const { api } = apiOf(() => new Response("too large", { status: 413 }));
    expect(await failure(api.isReady())).toMatchObject({ status: 413, code: "unexpected" });
  });

  test("is unreachable where no answer comes, or half of one", async () => {
    const { api } = apiOf(() => Promise.reject(new TypeError("Failed to fetch")));
    expect(await failure(api.isReady())).toBeInstanceOf(Unreachable);
    const half = apiOf(() => new Response('{"sta', { headers: { "Content-Type": "application/json" } }));
    expect(await failure(half.api.isReady())).toBeInstanceOf(Unreachable);
  });

  test("throws what it was aborted with", async () => {
    const abort = new AbortController();
    const { api } = apiOf(() => (abort.abort(), Promise.reject(abort.signal.reason as Error)));
    expect(await failure(api.isReady({}, undefined, { signal: abort.signal }))).toBe(abort.signal.reason);
  });
});
