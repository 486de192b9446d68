"""How long it takes from a click to what it paints, with a processor that is slowed down four times.

`python -m tests.browser.paint` plays on the board by mouse, does the same on a page with nothing but a button, the
floor, and prints both; times are those of the browser's own Event Timing, which counts in steps of 8 ms.
"""

import asyncio
import statistics
import tempfile
from pathlib import Path
from typing import Final

from playwright.async_api import Page

from tests.browser.chromium import chromium
from tests.browser.hands import Mouse, Wish
from tests.browser.table import at_table
from tests.browser.town import newcomer
from tests.browser.visitors import KNOWN, visitor
from tests.engine.games import win
from tests.live.replica import replica

SLOWER: Final = 4
CLICKS: Final = 60
LEAST_MS: Final = 16
"""Shorter ones are not told."""
_OBSERVE: Final = """least => {
    window.paints = new Map();
    new PerformanceObserver(list => {
        for (const {interactionId, duration} of list.getEntries())
            if (interactionId) paints.set(interactionId, Math.max(duration, paints.get(interactionId) ?? 0));
    }).observe({type: "event", durationThreshold: least});
}"""
_BUTTON: Final = "<button onclick='this.textContent++'>0</button>"


async def slow_down(page: Page) -> None:
    session = await page.context.new_cdp_session(page)
    await session.send("Emulation.setCPUThrottlingRate", {"rate": SLOWER})
    await page.evaluate(_OBSERVE, LEAST_MS)


async def paints(page: Page) -> list[float]:
    """The milliseconds of each click so far."""
    await page.wait_for_timeout(500)  # the last are told a while later
    told: list[float] = await page.evaluate("[...paints.values()]")
    return told + [LEAST_MS] * (CLICKS - len(told))


async def on_a_button(page: Page) -> list[float]:
    await page.set_content(_BUTTON)
    await slow_down(page)
    for _ in range(CLICKS):
        await page.mouse.click(20, 20)
    return await paints(page)


async def measure(url: str) -> tuple[list[float], list[float]]:
    """The times on the board, and those on the button."""
    won, hand = win("modern", "pysol:9"), Mouse()
    async with newcomer(url) as player, chromium() as browser:
        session = await player.deal(won.deal, rules=won.preset)
        table = await at_table(await visitor(browser, url, player, KNOWN), session)
        await slow_down(table.page)
        for seq, (position, move, _) in enumerate(won.play.steps[:CLICKS], 1):
            await hand.play(table, Wish.of(position, move, won.rules))
            await table.reach(seq)
        return await paints(table.page), await on_a_button(await browser.new_page())


def main() -> None:
    with tempfile.TemporaryDirectory() as folder, replica("", Path(folder, "log"), DATA=f"{folder}/data") as running:
        board, button = asyncio.run(measure(running.url))
    late = [statistics.quantiles(times, n=20)[-1] for times in (board, button)]
    for name, times, p95 in zip(("board", "button"), (board, button), late, strict=True):
        print(f"click to paint, {name}: median {statistics.median(times):.0f} ms, p95 {p95:.0f} ms")
    print(f"ratio click-to-paint {late[0] / late[1]:.2f}")


if __name__ == "__main__":
    main()
