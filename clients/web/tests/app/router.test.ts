import { afterEach, beforeEach, expect, test } from "vitest";
import { follow, go, routeOf, router } from "../../src/app/router.svelte.ts";

test.each([
  ["/", "play", {}],
  ["/play/ab12", "play", { session: "ab12" }],
  ["/new", "new", {}],
  ["/new/", "new", {}],
  ["/d/pysol:42", "deal", { deal: "pysol:42" }],
  ["/d/position%3A9S8D", "deal", { deal: "position:9S8D" }],
  ["/join/ab12", "join", { session: "ab12" }],
  ["/watch/ab12", "watch", { session: "ab12" }],
  ["/replay/ab12", "replay", { session: "ab12" }],
  ["/daily", "daily", {}],
  ["/daily/2026-11-30/cadogan", "daily", { date: "2026-11-30", rules: "cadogan" }],
  ["/boards", "boards", {}],
  ["/statistics", "statistics", {}],
  ["/rules", "rules", {}],
  ["/rules/cadogan", "rules", { version: "cadogan" }],
  ["/settings", "settings", {}],
])("%s is a screen's address", (path, screen, params) => {
  expect(routeOf(path)).toEqual({ screen, params });
});

test.each(["/nowhere", "/new/more", "/play/a/b", "/daily/2026-11-30", "/d"])("%s is no screen's address", (path) => {
  expect(routeOf(path)).toBeNull();
});

test("an escape that is none is taken as it stands", () => {
  expect(routeOf("/d/%E0%A4%A")).toEqual({ screen: "deal", params: { deal: "%E0%A4%A" } });
});

beforeEach(() => go("/", { replace: true }));

test("going somewhere counts as a visit; replacing the address does not", () => {
  const before = router.visit;
  go("/daily?rules=cadogan");
  expect([router.route?.screen, router.query, router.visit]).toEqual(["daily", "?rules=cadogan", before + 1]);
  go("/play/ab12", { replace: true });
  expect([router.path, router.query, router.visit]).toEqual(["/play/ab12", "", before + 1]);
});

test("another fragment is no other screen", () => {
  const before = router.visit;
  history.replaceState(null, "", "/#row-2");
  dispatchEvent(new PopStateEvent("popstate"));
  expect(router.visit).toBe(before);
  history.replaceState(null, "", "/rules");
  dispatchEvent(new PopStateEvent("popstate"));
  expect([router.visit, router.route?.screen]).toEqual([before + 1, "rules"]);
});

let followed = false;
function listen(event: MouseEvent): void {
  follow(event);
  followed = event.defaultPrevented;
  event.preventDefault(); // or the page of the tests would go there
}

beforeEach(() => document.addEventListener("click", listen));
afterEach(() => {
  document.removeEventListener("click", listen);
  document.body.replaceChildren();
});

/** Clicks a link within a page that follows links; whether it was followed there. */
function click(attributes: Record<string, string>, event: MouseEventInit = {}): boolean {
  const link = document.createElement("a");
  for (const [name, value] of Object.entries(attributes)) link.setAttribute(name, value);
  document.body.append(link);
  link.dispatchEvent(new MouseEvent("click", { bubbles: true, cancelable: true, ...event }));
  return followed;
}

test("a link to a screen is followed within the page", () => {
  expect(click({ href: "/settings" })).toBe(true);
  expect(router.route?.screen).toBe("settings");
});

test.each([
  ["to the service's own pages", { href: "/docs" }, {}],
  ["to elsewhere", { href: "https://example.org/new" }, {}],
  ["into another tab", { href: "/new", target: "_blank" }, {}],
  ["that downloads", { href: "/new", download: "" }, {}],
  ["to a place in the page", { href: "#row-2" }, {}],
  ["with Ctrl held", { href: "/new" }, { ctrlKey: true }],
  ["with the middle button", { href: "/new" }, { button: 1 }],
])("a link %s is the browser's", (_, attributes, event) => {
  expect(click(attributes, event)).toBe(false);
  expect(router.path).toBe("/");
});
