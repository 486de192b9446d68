"""How the English client calls cards and places, reckoned apart from it."""

from typing import Final

from tests.live.client import Message

_RANKS: Final = ("ace", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "jack")
RANKS: Final = dict(zip("A23456789TJ", _RANKS, strict=True))
SUITS: Final = {"C": "clubs", "D": "diamonds", "H": "hearts", "S": "spades"}
ROWS: Final = ("Privy Council", "House of Lords", "House of Commons", "People\N{RIGHT SINGLE QUOTATION MARK}s Row")
ALONE: Final = {"G": "Government", "W": "Waste", "S": "Stock"}
COLUMNS: Final = "abcdefgh"


def card_name(card: str) -> str:
    """`TH` is the ten of hearts."""
    return f"{RANKS[card[0]]} of {SUITS[card[1]]}"


def place_name(place: str) -> str:
    """`c2` is House of Lords 3."""
    return ALONE.get(place) or f"{ROWS[int(place[1]) - 1]} {COLUMNS.index(place[0]) + 1}"


def piles_of(session: Message) -> dict[str, str]:
    """The pile of each place of the tableau, bottom first."""
    return {
        f"{column}{row}": pile
        for row, piles in enumerate(session["rows"], 1)
        for column, pile in zip(COLUMNS, piles, strict=True)
    }
