"""A board on a page, in the words of the game: the one that somebody plays at, or watches."""

import asyncio
import re
from typing import Final, NamedTuple

from playwright.async_api import Locator, Page

from tests.browser.names import card_name, piles_of, place_name
from tests.browser.visitors import Visitor
from tests.live.client import PATIENCE, Message

MOST_STOPS: Final = 40
"""How the page ends where a card was only picked up."""
_CENTRE: Final = """cell => {
    const box = document.querySelector(cell).getBoundingClientRect();
    return [box.x + box.width / 2, box.y + box.height / 2];
}"""
_NAMES: Final = """() => Object.fromEntries(
    [...document.querySelectorAll("[data-place]")].map(cell => [cell.dataset.place, cell.ariaLabel ?? ""])
)"""


class Stand(NamedTuple):
    """Where a board stands: the place of the session that the service has confirmed."""

    session: str
    seq: int
    crc: str
    status: str


class Table:
    """A page that shows a board."""

    def __init__(self, page: Page) -> None:
        self.page = page

    @property
    def root(self) -> Locator:
        return self.page.locator("section[data-seq]")

    def cell(self, place: str) -> Locator:
        """The cell of a place; `G3` is the third foundation."""
        return self.page.locator(_selector(place))

    async def stand(self) -> Stand:
        root = self.root
        seq = int(await root.get_attribute("data-seq") or -1)
        session, crc, status = [await root.get_attribute(f"data-{name}") or "" for name in ("session", "crc", "status")]
        return Stand(session, seq, crc, status)

    async def centre(self, place: str) -> tuple[float, float]:
        """Where a hand finds a cell."""
        x, y = await self.page.evaluate(_CENTRE, _selector(place))
        return x, y

    async def focus(self) -> str:
        """The place that has the keyboard's focus."""
        place: str = await self.page.evaluate("document.activeElement?.dataset.place ?? ''")
        return place

    async def is_written_on(self) -> bool:
        """Whether keys go to the command line."""
        return bool(await self.page.evaluate("document.activeElement?.localName === 'input'"))

    async def begin(self) -> None:
        """Goes to the board by the keyboard alone."""
        for _ in range(MOST_STOPS):
            if await self.focus():
                return
            await self.page.keyboard.press("Tab")
        raise AssertionError("the board is not to be reached by Tab")

    async def reach(self, seq: int, within: float = PATIENCE) -> None:
        """Returns when the board stands at an entry of the log, or after it."""
        try:
            async with asyncio.timeout(within):
                await self.page.evaluate("seq => reached(seq)", seq)
        except TimeoutError:
            raise AssertionError(f"it does not reach {seq}: {await self.stand()}, {(await self.said())[-3:]}") from None

    @property
    def trouble(self) -> Locator:
        """What the page says of its link to the service while that is not well."""
        return self.page.locator("[data-connection]")

    @property
    def here(self) -> Locator:
        """The players who are here, as this page knows of them by its socket."""
        players = self.page.get_by_role("region", name="Players").get_by_role("listitem")
        return players.filter(has_text=re.compile(r"\bhere\b"))

    async def come_back(self) -> None:
        """Presses the button that ends the wait for the next attempt, unless that has begun by itself."""
        await self.page.evaluate("document.querySelector('[data-connection] button')?.click()")

    async def hear(self, words: str) -> None:
        """Returns when the page has said these words."""
        try:
            async with asyncio.timeout(PATIENCE):
                await self.page.evaluate("words => hasSaid(words)", words)
        except TimeoutError:
            raise AssertionError(f"it does not say {words!r}: {(await self.said())[-3:]}") from None

    async def said(self) -> list[str]:
        """All that the live region has told."""
        said: list[str] = await self.page.evaluate("record.said")
        return said

    async def seqs(self) -> list[int]:
        """Each place of the log that the board has stood at, in order."""
        seqs: list[int] = await self.page.evaluate("record.seqs")
        return seqs

    async def names(self) -> dict[str, str]:
        """What each cell is called."""
        names: dict[str, str] = await self.page.evaluate(_NAMES)
        return names

    async def must_show(self, session: Message) -> None:
        """Fails unless the board stands where the session does, and names what lies on it."""
        await self.reach(session["seq"])
        assert await self.stand() == (session["id"], session["seq"], session["crc"], session["status"])
        names = await self.names()
        for place, pile in piles_of(session).items():
            assert place_name(place) in names[place]
            if pile:
                assert card_name(pile[-2:]) in names[place]
                assert len(pile) == 2 or f"{len(pile) // 2} cards" in names[place]
            else:
                assert " of " not in names[place].replace(place_name(place), ""), "an empty place names no card"


def _selector(place: str) -> str:
    column = f'[data-column="{place[1]}"]' if place[0] == "G" else ""
    return f'[data-place="{place.rstrip("12345678") if column else place}"]{column}'


async def at_table(visitor: Visitor, session: Message) -> Table:
    """The table of a session that the visitor has a seat at."""
    return await _table(visitor, f"/play/{session['id']}")


async def watching(visitor: Visitor, session: Message) -> Table:
    """The table of a session, for somebody who only watches."""
    return await _table(visitor, f"/watch/{session['id']}")


async def _table(visitor: Visitor, path: str) -> Table:
    table = Table(await visitor.open(path))
    await table.root.wait_for()
    await table.reach(0)
    return table
