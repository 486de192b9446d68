"""Every screen of the client, with something on it."""

from collections.abc import Callable
from typing import Final, NamedTuple

from playwright.async_api import Page

from tests.browser.town import Town
from tests.browser.visitors import Visitor


class Screen(NamedTuple):
    """`shown` is the name that the page gives it; a board has to fit without scrolling."""

    name: str
    shown: str
    path: Callable[[Town], str]
    is_board: bool = False

    def __str__(self) -> str:
        return self.name

    async def opened(self, visitor: Visitor, town: Town) -> Page:
        """The screen on a page, with all that it loads."""
        page = await visitor.open(self.path(town))
        await self.settled(page)
        return page

    async def settled(self, page: Page) -> None:
        """Returns when the screen is there, and has all that it asked the service for."""
        await page.locator(f'[data-screen="{self.shown}"]').wait_for()
        await page.wait_for_load_state("networkidle")


SCREENS: Final = [
    Screen("play", "play", lambda town: f"/play/{town.begun['id']}", is_board=True),
    Screen("vacancy", "play", lambda town: f"/play/{town.vacant['id']}", is_board=True),
    Screen("cadogan", "play", lambda town: f"/play/{town.turned['id']}", is_board=True),
    Screen("won", "play", lambda town: f"/play/{town.won['id']}", is_board=True),
    Screen("shared", "play", lambda town: f"/play/{town.shared['id']}", is_board=True),
    Screen("watch", "watch", lambda town: f"/watch/{town.begun['id']}", is_board=True),
    Screen("replay", "replay", lambda town: f"/replay/{town.won['id']}"),
    Screen("new", "new", lambda town: "/new"),
    Screen("deal", "deal", lambda town: "/d/pysol:42"),
    Screen("join", "join", lambda town: f"/join/{town.open_to_others['id']}"),
    Screen("daily", "daily", lambda town: "/daily"),
    Screen("day", "daily", lambda town: f"/daily/{town.date}/cadogan"),
    Screen("boards", "boards", lambda town: "/boards"),
    Screen("statistics", "statistics", lambda town: "/statistics"),
    Screen("rules", "rules", lambda town: "/rules"),
    Screen("rules-1914", "rules", lambda town: "/rules/cadogan"),
    Screen("settings", "settings", lambda town: "/settings"),
]
