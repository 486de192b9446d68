/** The service worker, run as it stands, in a world of the least that it needs. */
import { readFileSync } from "node:fs";
import { beforeEach, expect, test, vi } from "vitest";
import { filled } from "../../scripts/offline.ts";

type Listener = (event: { request: object; respondWith: (answer: Promise<unknown>) => void; waitUntil: (work: Promise<unknown>) => void }) => void;

const PAGE = { status: 200 };
const network = vi.fn<(request: unknown) => Promise<object>>();
let stores: Map<string, Map<string, string>>;
let listeners: Map<string, Listener>;

function cacheOf(name: string) {
  const store = stores.get(name) ?? new Map<string, string>();
  stores.set(name, store);
  return {
    addAll: async (files: string[]) => files.forEach((file) => store.set(file, `kept ${file}`)),
    match: async (file: string) => store.get(file),
  };
}

beforeEach(() => {
  stores = new Map([["shell-old", new Map()], ["other", new Map()]]);
  listeners = new Map();
  network.mockReset().mockResolvedValue(PAGE);
  const caches = { open: async (name: string) => cacheOf(name), keys: async () => [...stores.keys()], delete: async (name: string) => stores.delete(name) };
  const source = filled(readFileSync("src/sw.js", "utf8"), "new", ["/", "/assets/index-1f.js"]);
  const run = new Function("addEventListener", "caches", "fetch", "location", source);
  run((type: string, listener: Listener) => listeners.set(type, listener), caches, network, { origin: "https://play.example" });
});

/** What the worker answers; null where it leaves the request to the browser. */
async function send(type: string, request: object = {}): Promise<unknown> {
  let answer: Promise<unknown> | null = null;
  listeners.get(type)?.({ request, respondWith: (given) => (answer = given), waitUntil: (work) => (answer = work) });
  return answer;
}

const get = (path: string, mode = "cors", method = "GET") => ({ url: `https://play.example${path}`, mode, method });

test("an old worker's files go when the new one takes over, and nobody else's do", async () => {
  await send("install");
  await send("activate");
  expect([...stores.keys()]).toEqual(["other", "shell-new"]);
});

test("the page comes from the network, and is kept for when there is none", async () => {
  await send("install");
  expect(await send("fetch", get("/daily", "navigate"))).toBe(PAGE);
  network.mockRejectedValue(new TypeError("offline"));
  expect(await send("fetch", get("/daily", "navigate"))).toBe("kept /");
});

test("where only a proxy answers, the page that was kept is shown; an answer of the service's own is not hidden", async () => {
  await send("install");
  network.mockResolvedValue({ status: 502 });
  expect(await send("fetch", get("/daily", "navigate"))).toBe("kept /");
  network.mockResolvedValue({ status: 404 });
  expect(await send("fetch", get("/nowhere", "navigate"))).toEqual({ status: 404 });
});

test("files that were kept are not asked for again", async () => {
  await send("install");
  expect(await send("fetch", get("/assets/index-1f.js"))).toBe("kept /assets/index-1f.js");
  expect(network).not.toHaveBeenCalled();
});

test.each([get("/v1/sessions/ab12"), get("/docs"), get("/", "navigate", "POST"), { ...get("/"), url: "https://else.example/" }])(
  "%j is none of its business",
  async (request) => expect(await send("fetch", request)).toBeNull(),
);
