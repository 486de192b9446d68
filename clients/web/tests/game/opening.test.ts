import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { become } from "../../src/app/player.svelte.ts";
import { remember, sessionToPlay } from "../../src/screens/play/opening.ts";
import { session } from "./sessions.ts";

/** What the service answers, by method and path; what is not there is not known to it. */
let answers: Record<string, unknown>;
let asked: string[];

function answer(address: RequestInfo | URL, request?: RequestInit): Promise<Response> {
  const call = `${request?.method ?? "GET"} ${String(address)}`;
  asked.push(call);
  const body = answers[call];
  const problem = { type: "about:blank", title: "Not Found", status: 404, code: "no_such_session", detail: "There is none." };
  const type = body ? "application/json" : "application/problem+json";
  return Promise.resolve(new Response(JSON.stringify(body ?? problem), { status: body ? 200 : 404, headers: { "Content-Type": type } }));
}

beforeEach(() => {
  localStorage.clear();
  become({ id: "a", name: "Quiet Heron", token: "t", recoveryCode: null });
  asked = [];
  answers = { "GET /v1/sessions?limit=20": { sessions: [], next: null }, "POST /v1/sessions": session({ id: "new", seq: 0 }) };
  vi.stubGlobal("fetch", answer);
});
afterEach(() => vi.unstubAllGlobals());

describe("where one lands", () => {
  test("a newcomer is somebody first, and has a new board at once", async () => {
    become(null);
    answers["POST /v1/players"] = { id: "b", name: "Bold Otter", token: "u", recovery_code: "r" };
    expect((await sessionToPlay(undefined)).id).toBe("new");
    expect(asked[0]).toBe("POST /v1/players");
  });

  test("the game that was played last goes on", async () => {
    remember("old");
    answers["GET /v1/sessions/old"] = session({ id: "old" });
    expect((await sessionToPlay(undefined)).id).toBe("old");
  });

  test.each([
    ["is over", session({ id: "old", status: "won" })],
    ["is somebody else's", session({ id: "old", you: null })],
    ["is no more", undefined],
  ])("if that one %s, the newest unfinished one does", async (_, old) => {
    remember("old");
    answers["GET /v1/sessions/old"] = old;
    answers["GET /v1/sessions?limit=20"] = { sessions: [{ id: "done", status: "resigned" }, { id: "open", status: "stuck" }], next: null };
    answers["GET /v1/sessions/open"] = session({ id: "open", status: "stuck" });
    expect((await sessionToPlay(undefined)).id).toBe("open");
  });

  test("a session that was named is that one, or none", async () => {
    await expect(sessionToPlay("gone")).rejects.toMatchObject({ code: "no_such_session" });
  });
});
