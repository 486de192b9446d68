"""Nothing overflows on any screen, in any language, on windows of six sizes; nor where text is twice as large."""

from typing import Final

import pytest
from playwright.async_api import Page

from tests.browser.conftest import Visit
from tests.browser.screens import SCREENS, Screen
from tests.browser.town import Town

LANGUAGES: Final = ("en", "es", "ru")
WINDOWS: Final = ((320, 640), (360, 740), (390, 844), (844, 390), (768, 1024), (1280, 800))
LARGE: Final = (WINDOWS[2], WINDOWS[-1])
"""Those on which text twice as large has to fit too."""
LEAST_PLACE: Final = 37
LEAST_TARGET: Final = 24


async def measured(page: Page, window: tuple[int, int], measures: list[str]) -> list[str]:
    """What does not fit a window of that size."""
    width, height = window
    await page.set_viewport_size({"width": width, "height": height})
    await page.evaluate("measures.drawn()")
    found: list[list[str]] = [await page.evaluate(f"measures.{measure}") for measure in measures]
    wrong = zip(measures, found, strict=True)
    return [f"{width}x{height} {measure} {one}" for measure, ones in wrong for one in ones]


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("screen", SCREENS, ids=str)
async def test_a_screen_fits_every_window(screen: Screen, language: str, visit: Visit, town: Town) -> None:
    visitor = await visit(town.ada, {"language": language}, viewport={"width": 320, "height": 640})
    page = await screen.opened(visitor, town)
    measures = ["outside()", f"smallTargets({LEAST_TARGET})"]
    if screen.is_board:
        measures += ["below()", f"smallPlaces({LEAST_PLACE})"]
    wrong = [one for window in WINDOWS for one in await measured(page, window, measures)]
    if not screen.is_board:
        await page.evaluate("document.documentElement.style.fontSize = '200%'")
        wrong += [f"large {one}" for window in LARGE for one in await measured(page, window, ["outside()"])]
    assert not wrong, "\n" + "\n".join(wrong)
