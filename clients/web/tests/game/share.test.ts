import { afterEach, describe, expect, test } from "vitest";
import { dealLink, inviteLink, shareText } from "../../src/screens/play/share.ts";
import { LANGUAGES } from "../../src/words/language.ts";
import { speak } from "../../src/words/words.svelte.ts";
import { session } from "./sessions.ts";

const won = session({ seq: 274, status: "won", points: { total: 10058, promoted: 80, tempo: 1058, assists: 0, won: true } });
const origin = "https://example.org";

afterEach(() => speak("en"));

describe("what is shared", () => {
  test("a win, in four plain lines", () => {
    expect(shareText(won, origin)).toBe(
      "British Constitution, deal pysol:1, modern rules\nWon with 10,058 points, no assists\nTempo 1,058, 274 moves\nhttps://example.org/d/pysol%3A1?rules=modern",
    );
  });

  test.each(LANGUAGES)("never more than four lines, in %s", async (language) => {
    await speak(language);
    const day = { date: "2026-11-30", kind: "first", ends_at: "2026-12-01T02:00:00.000Z" } as const;
    for (const game of [won, session({ deal: null }), { ...won, daily: day, deal: null }]) {
      const lines = shareText(game, origin).split("\n");
      expect(lines).toHaveLength(4);
      for (const line of lines) expect(line).not.toMatch(/undefined|null|#/);
    }
  });

  test("a day's run links to its day, and says nothing of its deal", () => {
    const run = { ...won, daily: { date: "2026-11-30", kind: "open", ends_at: "2026-12-01T02:00:00.000Z" } as const };
    expect(shareText(run, origin)).toContain("https://example.org/daily/2026-11-30/modern");
    expect(shareText(run, origin)).not.toContain("pysol:1");
  });

  test("links", () => {
    expect(inviteLink(session({ invite: "K7-Q2" }), origin)).toBe("https://example.org/join/deadbeef#K7-Q2");
    expect(dealLink(session({ deal: "42" }), origin)).toBe("https://example.org/d/42?rules=modern");
  });
});
