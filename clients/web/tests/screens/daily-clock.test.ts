import { afterEach, describe, expect, it, vi } from "vitest";
import { now, timed } from "../../src/app/clock.ts";

afterEach(() => void vi.unstubAllGlobals());

async function told(date: string): Promise<void> {
  vi.stubGlobal("fetch", async () => new Response(null, { headers: { Date: date } }));
  await timed("/v1/daily/today/modern");
}

describe("the service's clock", () => {
  it("is the device's until the service has said anything, or where it says nothing that can be read", async () => {
    await told("soon");
    expect(Math.abs(now() - Date.now())).toBeLessThan(50);
  });

  it("is ahead of the device's as far as the service says, and no answer that was kept sets it back", async () => {
    const inThreeHours = Math.floor(Date.now() / 1000) * 1000 + 3 * 3_600_000;
    await told(new Date(inThreeHours).toUTCString());
    await told(new Date(inThreeHours - 60_000).toUTCString());
    expect(Math.abs(now() - inThreeHours)).toBeLessThan(2000);
  });
});
