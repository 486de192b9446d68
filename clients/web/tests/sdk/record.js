// Plays a game of many kinds of commands on a running service, and writes every event and the session after it:
// node tests/sdk/record.js http://127.0.0.1:8000 > tests/sdk/recorded.json
const [service] = process.argv.slice(2);
const COMMANDS = 32;
let token = null;

async function ask(method, path, body) {
  const headers = { "Content-Type": "application/json", ...(token && { Authorization: `Bearer ${token}` }) };
  const answer = await fetch(`${service}/v1${path}`, { method, headers, body: body && JSON.stringify(body) });
  if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${await answer.text()}`);
  return answer.json();
}

/** What to do as the `n`th command: mostly moves, and now and then something else that can be done. */
function commandOf(session, n) {
  if (n === COMMANDS - 1) return ["resign", {}];
  if (n === COMMANDS - 8) return ["restart", {}];
  if (n % 7 === 5) return ["undo", { by: "group" }];
  if (n % 14 === 6) return ["redo", { by: "step" }];
  if (n % 9 === 4) return ["hint", {}];
  const turn = n % 3 === 0 && session.legal.find(({ kind }) => kind === "turn");
  return ["moves", { move: (turn || session.legal[(n * 5) % session.legal.length]).move }];
}

token = (await ask("POST", "/players")).token;
const sessions = [await ask("POST", "/sessions", { rules: "cadogan", deal: "pysol:1" })];
const path = `/sessions/${sessions[0].id}`;
for (let n = 0; n < COMMANDS; n++) {
  const { seq: at, crc, ...session } = sessions[n];
  const [command, body] = commandOf(session, n);
  await ask("POST", `${path}/${command}`, { ...body, at, crc });
  sessions.push(await ask("GET", path));
}
const { events } = await ask("GET", `${path}/events?after=0`);
console.log(JSON.stringify({ sessions, events }));
