"""Boards: who stands where, as the use cases need it kept.

A board is a sorted set in one slot. Whoever has an equal rank key shares a rank, and so ranks go 1, 2, 2, 4.
"""

from collections.abc import Sequence
from enum import StrEnum
from typing import Final, NamedTuple, Protocol

from service.ports.daily import Field


class Scope(StrEnum):
    """What a board ranks."""

    FIRST = "first"
    OPEN = "open"
    SPEED = "speed"


class Board(NamedTuple):
    """A board.

    home: what it is about, and what lies together in one slot: a day as `2026-11-30/modern`, or a period, as
          `2026-W48/modern`, `2026-11/modern` or `all/modern`
    """

    home: str
    scope: Scope
    field: Field


class Result(NamedTuple):
    """What a run came to, from its log alone.

    tenths: tenths of a second from the layout to the last entry, by the server's clock
    """

    session: str
    won: bool
    points: int
    assists: int
    promoted: int
    tempo: int
    tenths: int


class Standing(NamedTuple):
    """A row of a board: a player, the rank key (a larger one is better), and in a day's board the result behind it."""

    player: str
    key: int
    result: Result | None = None


class Ranked(NamedTuple):
    """A row where it stands, from rank 1."""

    rank: int
    standing: Standing


class BoardPage(NamedTuple):
    """Some rows in order, how many the board has, and the cursor of what follows, None at its end."""

    rows: list[Ranked]
    size: int
    following: str | None


MAX_KEY: Final = 2**53 - 1
"""The largest rank key, either way: the score of a sorted set is exact up to it."""
MEAN_OF: Final = 7
"""How many days a mean needs at least."""


class BoardStore(Protocol):
    """Boards. Every method may raise StoreUnavailable; one round trip, one slot; n is the board's size."""

    async def submit(self, board: Board, standing: Standing) -> bool:
        """Puts the player where the key belongs, and says True, if that is better than what stands; O(log n).

        A player who was taken off the boards of this home stays off them.
        """
        ...

    async def page(self, board: Board, cursor: str | None, limit: int) -> BoardPage:
        """Rows from the cursor on, or from the top, best first; O(log² n + limit).

        The cursor names a row, so that whoever comes or goes above it moves nobody across it. Raises ValueError for
        one that this method never gave.
        """
        ...

    async def around(self, board: Board, player: str, each_side: int) -> BoardPage:
        """The player's row, with so many above and below; no rows where the player has none; O(log n + each_side)."""
        ...

    async def among(self, board: Board, players: Sequence[str]) -> BoardPage:
        """The rows that these players have, with their ranks among all, best first; O(players log n)."""
        ...

    async def rank(self, board: Board, player: str) -> int | None:
        """The player's rank; O(log n)."""
        ...

    async def versions(self, homes: Sequence[str]) -> list[int]:
        """For each home a number that is another one after every change of its boards; one round trip to each node."""
        ...

    async def remove(self, home: str, player: str) -> bool:
        """Takes the player off all boards of the home for good; whether there was a row; O(log n)."""
        ...

    async def removed(self, home: str) -> set[str]:
        """The players who were taken off the home's boards."""
        ...

    async def rebuild(self, home: str, boards: dict[Board, list[Standing]]) -> None:
        """Has a day's boards be these and no others, at once, but for players who were taken off.

        Several round trips, of which the last has the new ones take the place of the old; O(n log n).
        """
        ...

    async def add_up(self, board: Board, player: str, date: str, value: int | None, best: int) -> None:
        """Counts a day's value for a player's row in a period, or no more (None); again without effect; O(days).

        The key is the sum of the `best` largest; with `best` 0 the mean of all, rounded down, once there are MEAN_OF.
        """
        ...
