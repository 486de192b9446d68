// Writes what the SDK takes from the two contracts: the types of what HTTP and sockets carry, and the table of calls.
import { readFile, writeFile } from "node:fs/promises";
import openapiTS, { astToString } from "openapi-typescript";

const here = (path) => new URL(path, import.meta.url);
const withoutProse = { excludeDeprecated: false, defaultNonNullable: false };

/** The schemas of the AsyncAPI document, as a document of OpenAPI without paths. */
function schemasOf(asyncapi) {
  const text = JSON.stringify(asyncapi.components.schemas);
  const info = { title: asyncapi.info.title, version: asyncapi.info.version };
  return { openapi: "3.1.0", info, paths: {}, components: { schemas: JSON.parse(text) } };
}

/** Method and path of every operation, but of streams, for which there are sockets. */
function callsOf(openapi) {
  const calls = {};
  for (const [path, item] of Object.entries(openapi.paths))
    for (const [method, operation] of Object.entries(item))
      if (operation.operationId && !isStream(operation)) calls[operation.operationId] = `${method.toUpperCase()} ${path}`;
  return calls;
}

const isStream = (operation) => "text/event-stream" in (operation.responses["200"]?.content ?? {});

async function writeTypes(document, path) {
  const nodes = await openapiTS(document, withoutProse);
  await writeFile(here(path), astToString(nodes));
}

const read = async (path) => JSON.parse(await readFile(here(path), "utf8"));
const openapi = await read("../../../openapi.json");
const calls = `export const calls = ${JSON.stringify(callsOf(openapi), null, 2)} as const;\n`;
await writeFile(here("../src/sdk/calls.gen.ts"), calls);
await writeTypes(openapi, "../src/sdk/openapi.gen.ts");
await writeTypes(schemasOf(await read("../../../asyncapi.json")), "../src/sdk/asyncapi.gen.ts");
