"""Cards: two packs without kings and queens, packed into small integers.

A card is `rank * 4 + suit`, 4 (ace of clubs) to 47 (jack of diamonds), and EMPTY, 0, is no card. Equal cards of
the two packs are one value: no rule tells them apart. Suits count clubs, spades, hearts, diamonds, so that
`suit // 2` is the colour. A row of cards is a `bytes`.
"""

from enum import IntEnum, StrEnum
from typing import Final, TypeAlias

Card: TypeAlias = int
Cards: TypeAlias = bytes

EMPTY: Final[Card] = 0
ACE: Final = 1
JACK: Final = 11
RANKS: Final = "A23456789TJ"
SUITS: Final = "CSHD"


class Colour(StrEnum):
    BLACK = "black"
    RED = "red"


class Suit(IntEnum):
    CLUBS = 0
    SPADES = 1
    HEARTS = 2
    DIAMONDS = 3

    @property
    def colour(self) -> Colour:
        return Colour.RED if self >= Suit.HEARTS else Colour.BLACK


def card_of(rank: int, suit: int) -> Card:
    """The card of a rank (1..11) and a suit (0..3)."""
    return rank << 2 | suit


def rank_of(card: Card) -> int:
    return card >> 2


def suit_of(card: Card) -> Suit:
    return Suit(card & 3)


def may_build(card: Card, base: Card) -> bool:
    """Whether the card continues the run: one lower, other colour."""
    return rank_of(card) + 1 == rank_of(base) and suit_of(card).colour is not suit_of(base).colour


ALL_CARDS: Final[Cards] = bytes(card_of(rank, suit) for suit in Suit for rank in range(ACE, JACK + 1))
"""The 44 different cards, by suit and then rank. Each is in play twice."""

RANK: Final[Cards] = bytes(map(rank_of, range(256)))
"""For each card its rank. A table for `bytes.translate`, an aid to speed, as are the next two."""
ONE_UP: Final[Cards] = bytes((card + card_of(1, 0)) % 256 for card in range(256))
"""For each card the one of its suit that is a rank above it."""
FAMILY: Final[Cards] = bytes(card >> 1 for card in range(256))
"""For each card its family, the cards of the same rank and colour."""
NO_FAMILY: Final = 255
BASE_FAMILY: Final[Cards] = bytes(
    next((FAMILY[base] for base in ALL_CARDS if card in ALL_CARDS and may_build(card, base)), NO_FAMILY)
    for card in range(256)
)
"""For each card the family that it may be built on: NO_FAMILY for a jack and for EMPTY."""

CARD_NAMES: Final[tuple[str, ...]] = (
    *[""] * card_of(ACE, Suit.CLUBS),
    *(RANKS[rank - 1] + SUITS[suit] for rank in range(ACE, JACK + 1) for suit in Suit),
)
"""For each card its two characters, as `TH`."""
