// @vitest-environment node
import { spawn, type ChildProcess } from "node:child_process";
import { createRequire } from "node:module";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { createApi, openLive, type Live, type Outcome, type Session } from "../../src/sdk/index.ts";

const PROGRAM = process.env["CONSTITUTION"] ?? join(import.meta.dirname, "../../../../.venv/bin/constitution");

/** This Node has no WebSocket of its own; the one that happy-dom brings is hidden where modules are those of browsers. */
const happyDom = createRequire(createRequire(import.meta.url).resolve("happy-dom"));
const Socket = happyDom(join(happyDom.resolve("ws"), "../index.js")) as new (url: string, protocol: string) => WebSocket;

let data = "";
let service: ChildProcess;
let url = "";
let token: string | null = null;
let live: Live;
const api = createApi({ token: () => token, fetch: (address, request) => fetch(url + String(address), request) });

/** Starts the service, on whatever port is free or on the same as before, and waits until it is open. */
async function start() {
  const env = { ...process.env, PORT: url ? new URL(url).port : "0", DATA: data, DAYS_AHEAD: "0", SOLVERS: "1" };
  service = spawn(PROGRAM, ["serve"], { env, stdio: ["ignore", "pipe", "inherit"] });
  url = await new Promise((opened, failed) => {
    service.once("error", failed);
    service.once("exit", () => failed(new Error("the service did not start")));
    service.stdout?.on("data", (text) => {
      const [found] = String(text).match(/http:\S+:\d+/) ?? [];
      if (found) opened(found);
    });
  });
}

async function stop(signal: NodeJS.Signals) {
  if (service.exitCode !== null) return;
  const gone = new Promise((done) => service.once("exit", done));
  service.kill(signal);
  await gone;
}

beforeAll(async () => {
  data = await mkdtemp(join(tmpdir(), "constitution-"));
  await start();
  token = (await api.createPlayer()).token;
  live = openLive({
    url: `${url}/v1/live`,
    ticket: async () => (await api.createTicket()).ticket,
    environment: {
      connect(address, protocol) {
        const socket = new Socket(address, protocol);
        socket.onerror = () => {}; // the close follows
        return socket;
      },
    },
  });
}, 60_000);

afterAll(async () => {
  live.close();
  await stop("SIGTERM");
  await rm(data, { recursive: true });
});

test("a game goes on where it was after the service was killed", { timeout: 60_000 }, async () => {
  const session = await api.createSession({}, { rules: "modern", deal: "pysol:1" });
  const told: number[] = [];
  const listener = { session: ({ seq }: Session) => void told.push(seq) };
  const feed = live.session(session.id, listener, { from: session });
  const outcomes: Outcome[] = [];
  const killed = new Promise<void>((done) => setTimeout(() => void stop("SIGKILL").then(start).then(done), 1000));
  const isOver = { value: false };
  void killed.then(() => (isOver.value = true));

  while (!isOver.value || outcomes.length < 20) {
    const [move] = feed.session?.legal ?? [];
    const command = outcomes.length % 2 || !move ? ({ type: "undo" } as const) : { type: "play" as const, move: move.move };
    outcomes.push(await feed.command(command));
  }

  expect(new Set(outcomes.map(({ kind }) => kind))).toEqual(new Set(["ack"]));
  expect(told).toEqual(outcomes.map((_, index) => index + 1));
  expect(feed.session).toEqual(await api.readSession({ session: session.id }));
});

test("a refusal says why, over both", async () => {
  const session = await api.createSession({}, { rules: "modern", deal: "pysol:1" });
  const feed = live.session(session.id, { session() {} }, { from: session });
  const why = { code: "illegal_move", reason: "wrong_rank" };
  expect(await feed.command({ type: "play", move: "a2b1" })).toMatchObject({ kind: "refused", ...why });
  await expect(api.playMove({ session: session.id }, { move: "a2b1", at: 0 })).rejects.toMatchObject(why);
});

test("the lines of the README make a first move", async () => {
  const sdk = join(import.meta.dirname, "../../src/sdk");
  const [, lines = ""] = (await readFile(join(sdk, "README.md"), "utf8")).match(/```ts\n([^]*?)```/) ?? [];
  expect(lines.trim().split("\n").length).toBeLessThanOrEqual(10);
  const { fetch } = globalThis;
  vi.stubGlobal("fetch", (address: string, request: RequestInit) => fetch(url + address, request));
  vi.stubGlobal("location", { href: url });
  vi.stubGlobal("WebSocket", Socket);
  const print = vi.spyOn(console, "log").mockImplementation(() => {});
  const file = join(data, "first_move.ts");
  await writeFile(file, lines.replace("./index.ts", join(sdk, "index.ts")));
  await import(/* @vite-ignore */ file);
  expect(print.mock.lastCall).toEqual([expect.objectContaining({ kind: "ack", seq: 1 })]);
});
