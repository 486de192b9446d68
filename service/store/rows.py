"""Rows of a board: their order, their ranks, and the cursors that name them."""

import re
from collections.abc import Iterator, Sequence
from typing import Final

from service.ports.boards import Ranked, Standing

_CURSOR: Final = re.compile(r"(-?[0-9]{1,16}):(.+)", re.DOTALL)


def cursor_of(last: Standing) -> str:
    """The cursor of what follows a row."""
    return f"{last.key}:{last.player}"


def place_of(cursor: str) -> tuple[int, str]:
    """The rank key and the player of the row that a cursor names; raises ValueError for a text that is none."""
    if not (found := _CURSOR.fullmatch(cursor)):
        raise ValueError("there should be the `next` of a page before")
    return int(found[1]), found[2]


def in_order(row: Ranked) -> tuple[int, str]:
    """By what rows are sorted, the largest first; of those who share a rank, by the player's id, which says nothing."""
    return row.standing.key, row.standing.player


def ranked(standings: Sequence[Standing], first: int, rank: int) -> Iterator[Ranked]:
    """Rows that follow one another: how many stand before the first of them, and which rank that has."""
    for number, standing in enumerate(standings):
        if number and standing.key != standings[number - 1].key:
            rank = first + number + 1
        yield Ranked(rank, standing)
