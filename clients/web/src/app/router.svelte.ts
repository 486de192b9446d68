/** Which screen the address asks for. Addresses are paths; query and fragment belong to the screen. */

export interface Route {
  screen: Screen;
  params: Readonly<Record<string, string>>;
}
export type Screen = (typeof PATHS)[number][0];

/** The first that fits is taken; `:name` is one part of the path. The service serves the page at the same first parts. */
const PATHS = [
  ["play", "/"],
  ["play", "/play/:session"],
  ["new", "/new"],
  ["deal", "/d/:deal"],
  ["join", "/join/:session"],
  ["watch", "/watch/:session"],
  ["replay", "/replay/:session"],
  ["daily", "/daily"],
  ["daily", "/daily/:date/:rules"],
  ["boards", "/boards"],
  ["statistics", "/statistics"],
  ["rules", "/rules"],
  ["rules", "/rules/:version"],
  ["settings", "/settings"],
] as const;

/** The route of a path; null where there is none. */
export function routeOf(path: string): Route | null {
  const parts = path.split("/").filter(Boolean).map(decoded);
  for (const [screen, pattern] of PATHS) {
    const params = paramsOf(pattern.split("/").filter(Boolean), parts);
    if (params) return { screen, params };
  }
  return null;
}

function paramsOf(wanted: readonly string[], given: readonly string[]): Record<string, string> | null {
  if (wanted.length !== given.length) return null;
  const params: Record<string, string> = {};
  for (const [index, part] of given.entries()) {
    const name = wanted[index] ?? "";
    if (name.startsWith(":")) params[name.slice(1)] = part;
    else if (name !== part) return null;
  }
  return params;
}

function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}

let path = $state(location.pathname);
let query = $state(location.search);
let visit = $state(0);
const route = $derived(routeOf(path));

export const router = {
  get path(): string {
    return path;
  },
  /** With its question mark; empty without one. */
  get query(): string {
    return query;
  },
  get route(): Route | null {
    return route;
  },
  /** Counts the screens that were gone to; an address that is only replaced stays on its screen. */
  get visit(): number {
    return visit;
  },
};

function arrive(): void {
  path = location.pathname;
  query = location.search;
  visit += 1;
}

/** Shows another address, as if a link had been followed. */
export function go(to: string, options: { replace?: boolean } = {}): void {
  if (options.replace) {
    history.replaceState(null, "", to);
    path = location.pathname;
    query = location.search;
    return;
  }
  history.pushState(null, "", to);
  arrive();
  scrollTo(0, 0);
}

/** Has links within the page change the address without loading it anew. */
export function follow(event: MouseEvent): void {
  const link = event.target instanceof Element ? event.target.closest("a") : null;
  if (!link || link.target || link.hasAttribute("download") || link.origin !== location.origin) return;
  if (event.defaultPrevented || event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
  if (!routeOf(link.pathname) || link.getAttribute("href")?.startsWith("#")) return;
  event.preventDefault();
  go(link.href);
}

addEventListener("popstate", () => {
  if (location.pathname !== path || location.search !== query) arrive(); // else only the fragment is another
});
