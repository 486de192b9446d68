"""`python -m tests.browser.pictures FOLDER` makes a picture of every screen, at two sizes and in three languages."""

import argparse
import asyncio
import tempfile
from pathlib import Path
from typing import Final

from playwright.async_api import Browser

from tests.browser.chromium import chromium
from tests.browser.screens import SCREENS, Screen
from tests.browser.test_layout import LANGUAGES
from tests.browser.town import Town, keep_days, town
from tests.browser.visitors import KNOWN, visitor
from tests.live.replica import replica

WINDOWS: Final = ((390, 844), (1280, 800))


async def take(screen: Screen, language: str, browser: Browser, peopled: Town, folder: Path) -> None:
    """Takes a screen at each size; a sheet is taken to its end."""
    who = await visitor(browser, peopled.url, peopled.ada, KNOWN | {"language": language})
    page = await screen.opened(who, peopled)
    for width, height in WINDOWS:
        await page.set_viewport_size({"width": width, "height": height})
        path = folder / f"{screen}-{language}-{width}x{height}.png"
        await page.screenshot(path=path, full_page=not screen.is_board, animations="disabled")
        print(path, *who.complaints, sep="\n  ", flush=True)
    await who.context.close()


async def take_all(folder: Path) -> None:
    with tempfile.TemporaryDirectory() as kept:
        data = Path(kept, "data")
        with replica("", Path(kept, "log"), DATA=str(data)) as running:
            date = await keep_days(data)
            async with town(running.url, date) as peopled, chromium() as browser:
                for screen in SCREENS:
                    for language in LANGUAGES:
                        await take(screen, language, browser, peopled, folder)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(prog="python -m tests.browser.pictures", description=__doc__)
    parser.add_argument("folder", type=Path)
    asked = parser.parse_args()
    asked.folder.mkdir(parents=True, exist_ok=True)
    asyncio.run(take_all(asked.folder))
