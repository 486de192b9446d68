"""The ways in which people make a move on a board: with a mouse, by touch, by keys, and in writing."""

import asyncio
from typing import Any, ClassVar, NamedTuple, Protocol

from service.engine import Kind, Move, Position, Rules, legal_moves
from service.engine.cards import Card, Suit, suit_of
from service.engine.moves import kind_of, must_fill
from service.engine.piles import STOCK, WASTE, Place
from tests.browser.names import COLUMNS
from tests.browser.table import Table


class Wish(NamedTuple):
    """A move that somebody wants to make.

    kind: what it is, as in the log
    suit: its card's, or the stock's next card's
    is_only: whether its card can go nowhere else
    is_due: whether a vacancy has to be filled before anything else
    """

    move: str
    kind: Kind
    suit: Suit
    is_only: bool
    is_due: bool

    @property
    def source(self) -> str:
        return self.move[:1] if self.move[0] in "SW" else self.move[:2]

    @property
    def target(self) -> str:
        """Where the card goes; a turn's to the waste."""
        return self.move.removeprefix(self.source) or "W"

    @property
    def spot(self) -> str:
        """Where a hand lays the card: of the Government, on a foundation of its suit."""
        return f"G{2 * self.suit + 1}" if self.kind is Kind.PROMOTE else self.target

    @classmethod
    def of(cls, position: Position, move: Move, rules: Rules) -> "Wish":
        choices = [other for other in legal_moves(position, rules) if other.source == move.source]
        is_due = must_fill(position, rules) is not None
        return cls(
            str(move), kind_of(position, move), suit_of(top_of(position, move.source)), len(choices) == 1, is_due
        )


def top_of(position: Position, place: Place) -> Card:
    """The card at hand of a place."""
    if place == STOCK:
        return position.stock[0]
    return position.waste[-1] if place == WASTE else position.tops[place]


class Hand(Protocol):
    """`profile` is what a browser needs to have for it."""

    profile: ClassVar[dict[str, Any]]

    async def play(self, table: Table, wish: Wish) -> None:
        """Makes a move; does not wait for what becomes of it."""
        ...


class Mouse:
    """Drags cards, and clicks the stock."""

    profile: ClassVar[dict[str, Any]] = {}

    async def play(self, table: Table, wish: Wish) -> None:
        mouse = table.page.mouse
        await mouse.move(*await table.centre(wish.source))
        await mouse.down()
        if wish.kind is not Kind.TURN:
            await mouse.move(*await table.centre(wish.spot), steps=2)
        await mouse.up()


class Touch:
    """Taps a card, and then, if there is a choice, where it goes."""

    profile: ClassVar[dict[str, Any]] = {"has_touch": True, "viewport": {"width": 390, "height": 844}}
    DOUBLE: ClassVar[float] = 0.32
    """Seconds after which two taps are no double tap."""

    def __init__(self) -> None:
        self._tapped = ""

    async def play(self, table: Table, wish: Wish) -> None:
        await self._tap(table, wish.source)
        if not wish.is_only:
            await self._tap(table, wish.spot)

    async def _tap(self, table: Table, place: str) -> None:
        if place == self._tapped and place != "S":
            await asyncio.sleep(self.DOUBLE)
        self._tapped = place
        await table.page.touchscreen.tap(*await table.centre(place))


class Keys:
    """Goes to a card by arrows, and then, if there is a choice, to where it goes; answers a vacancy with a digit."""

    profile: ClassVar[dict[str, Any]] = {"reduced_motion": "reduce"}

    async def play(self, table: Table, wish: Wish) -> None:
        press = table.page.keyboard.press
        if wish.kind is Kind.TURN:
            await press("KeyD")
        elif wish.is_due:
            await press(f"Digit{COLUMNS.index(wish.source[0]) + 1}")
        else:
            await self._go(table, wish.source)
            await press("KeyF" if wish.kind is Kind.PROMOTE else "Enter")
            if wish.kind is not Kind.PROMOTE and not wish.is_only:
                await self._go(table, wish.target)
                await press("Enter")

    async def _go(self, table: Table, place: str) -> None:
        await table.begin()
        for key in _way(await table.focus(), place):
            await table.page.keyboard.press(key)
        assert await table.focus() == place


class Writing:
    """Writes moves on the command line, which stays open."""

    profile: ClassVar[dict[str, Any]] = {"reduced_motion": "reduce"}

    async def play(self, table: Table, wish: Wish) -> None:
        await write(table, wish.move)


async def write(table: Table, text: str) -> None:
    """Enters a text on the command line."""
    keyboard = table.page.keyboard
    if not await table.is_written_on():
        await keyboard.press("Slash")
    await keyboard.type(text)
    await keyboard.press("Enter")


def _way(source: str, target: str) -> list[str]:
    """The arrows from one cell of the grid to another: stock and waste are the last line, under the rows."""
    (line, column), (to_line, to_column) = map(_cell, (source, target))
    across = ["ArrowRight" if to_column > column else "ArrowLeft"] * abs(to_column - column)
    down = ["ArrowDown" if to_line > line else "ArrowUp"] * abs(to_line - line)
    return down + across if line > to_line else across + down


def _cell(place: str) -> tuple[int, int]:
    return (5, "SW".index(place)) if place in "SW" else (int(place[1]), COLUMNS.index(place[0]))
