/**
 * Keeps the page for when there is no network. The service is always asked itself: nothing under /v1 is kept, and the
 * page comes from the network as long as there is one, so an old page never meets a newer service. A new worker waits
 * until the pages of the old one are closed, for these may still need its files.
 */
const SHELL = { version: "", files: [] };
const NAME = `shell-${SHELL.version}`;

addEventListener("install", (event) => event.waitUntil(keep()));
addEventListener("activate", (event) => event.waitUntil(forgetOthers()));
addEventListener("fetch", (event) => {
  const { method, mode, url } = event.request;
  const { origin, pathname } = new URL(url);
  if (method !== "GET" || origin !== location.origin || pathname.startsWith("/v1/")) return;
  if (mode === "navigate") event.respondWith(page(event.request));
  else if (SHELL.files.includes(pathname)) event.respondWith(file(event.request, pathname));
});

async function keep() {
  const cache = await caches.open(NAME);
  await cache.addAll(SHELL.files);
}

async function forgetOthers() {
  const names = await caches.keys();
  await Promise.all(names.filter((name) => name.startsWith("shell-") && name !== NAME).map((name) => caches.delete(name)));
}

/** The page from the network; where the service is away, or the network, the one that was kept. */
async function page(request) {
  const answer = await fetch(request).catch(() => null);
  if (answer && answer.status < 500) return answer;
  const cache = await caches.open(NAME);
  return (await cache.match("/")) ?? answer ?? Response.error();
}

async function file(request, pathname) {
  return (await (await caches.open(NAME)).match(pathname)) ?? fetch(request);
}
