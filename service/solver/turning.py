"""Where a played line was lost. If a later position of a line can be won, so can all before it: a bisection tells.

It asks about few of a game's positions and does no search of its own, so that whoever can search may drive it.
"""

from collections.abc import Generator
from typing import NamedTuple, TypeAlias

Asking: TypeAlias = "Generator[int, bool | None, Turning]"
"""Yields the number of a position, is sent whether it can be won (None: not known), and returns what that tells."""


class Turning(NamedTuple):
    """Positions up to number `won` can be won, those from `lost` on cannot; of those between nobody knows."""

    won: int | None
    lost: int | None

    def winnable(self, number: int) -> bool | None:
        """Whether the position can be won, None where that is not known."""
        if self.won is not None and number <= self.won:
            return True
        return False if self.lost is not None and number >= self.lost else None


def turning(count: int) -> Asking:
    """Finds the last position of `count` that is known to be winnable, and the first that is known not to be.

    An answer of None counts for neither, so there may be positions nobody knows about, and more of them than need be.
    """
    known: dict[int, bool | None] = {}
    won, unwon = -1, count
    while unwon - won > 1:
        middle = (won + unwon) // 2
        known[middle] = yield middle
        if known[middle]:
            won = middle
        else:
            unwon = middle
    lost = min([count, *[number for number, can in known.items() if can is False]])
    unlost = max([won, *[number for number, can in known.items() if can is None and number < lost]])
    while lost - unlost > 1:
        middle = (unlost + lost) // 2
        can = yield middle
        if can is False:
            lost = middle
        else:
            unlost = middle
            won = middle if can else won
    return Turning(None if won < 0 else won, None if lost == count else lost)
