"""Deals: the order of the 80 cards, and what makes it.

A number, a PySolFC number, a seed of 256 bits and a position of one's own are four ways to say what is dealt.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from hashlib import sha256
from typing import Final, TypeAlias, assert_never

from pysol_cards.cards import createCards
from pysol_cards.random import LCRandom31, MTRandom

from service.engine.cards import ACE, ALL_CARDS, EMPTY, JACK, Cards, card_of, rank_of
from service.engine.errors import UnplayablePosition
from service.engine.piles import COLUMNS, PEOPLE, PEOPLE_START, PLACE_NAMES, TABLEAU
from service.engine.position import Position, opening
from service.engine.rules import Fill, Rules

NUMBERS: Final = range(2**64)
SEED_BYTES: Final = 32
PYSOL_NUMBERS: Final = range(1, 10**20 + 1)
PYSOL_MS_NUMBERS: Final = range(1, 2**33)
_PYSOL_FIRST_TWISTER: Final = 32000

IN_PLAY: Final[Cards] = bytes(card for _ in range(2) for card in ALL_CARDS if rank_of(card) > ACE)
"""The 80 cards before the shuffle: twice, by suit (clubs, spades, hearts, diamonds), two to jack."""


@dataclass(frozen=True, slots=True)
class Numbered:
    """Deal `number` of NUMBERS, by the shuffle that NOTATION.md specifies."""

    number: int


@dataclass(frozen=True, slots=True)
class Pysol:
    """PySolFC's deal of this number; `ms` asks for its Microsoft generator, as numbers below 32000 do anyway."""

    number: int
    ms: bool = False


@dataclass(frozen=True, slots=True)
class Seeded:
    """The deal of a seed of SEED_BYTES random bytes, which nobody can guess: for deals that stay secret for a while."""

    seed: bytes


@dataclass(frozen=True, slots=True)
class Given:
    """A position of one's own, to study."""

    position: Position


Deal: TypeAlias = Numbered | Pysol | Seeded | Given


def start(deal: Deal, rules: Rules) -> Position:
    """The position a session of this deal starts from; raises UnplayablePosition."""
    if isinstance(deal, Given):
        _check(deal.position, rules)
        return deal.position
    position = opening(dealt(deal))
    if rules.fill is Fill.FREE:
        position = position._replace(waste=position.stock[:1], stock=position.stock[1:])
    return position


def dealt(deal: Numbered | Pysol | Seeded) -> Cards:
    """The 80 cards in dealing order: the tableau row by row from the Privy Council, then the stock, next first."""
    match deal:
        case Numbered(number):
            return _shuffled(b"number" + number.to_bytes(8, "big"))
        case Seeded(seed):
            return _shuffled(b"seed" + seed)
        case Pysol(number, ms):
            return _shuffled_by_pysol(number, ms)
    assert_never(deal)


def _shuffled(source: bytes) -> Cards:
    """A Fisher-Yates shuffle whose draws are bytes of SHA-256, rejected where they would favour a card."""
    cards = bytearray(IN_PLAY)
    draws = _bytes_from(source)
    for last in range(len(cards) - 1, 0, -1):
        fair = 256 - 256 % (last + 1)
        draw = next(byte for byte in draws if byte < fair)
        other = draw % (last + 1)
        cards[last], cards[other] = cards[other], cards[last]
    return bytes(cards)


def _bytes_from(source: bytes) -> Iterator[int]:
    prefix = b"british-constitution deal 1 " + source
    return (byte for block in range(2**32) for byte in sha256(prefix + block.to_bytes(4, "big")).digest())


def _shuffled_by_pysol(number: int, ms: bool) -> Cards:
    by_microsoft = ms or number < _PYSOL_FIRST_TWISTER
    generator = LCRandom31(number) if by_microsoft else MTRandom(number)
    shuffled = generator.shuffle(createCards(2, JACK))
    return bytes(card_of(card.rank, card.suit) for card in reversed(shuffled) if card.rank > ACE)


def _check(position: Position, rules: Rules) -> None:
    """Raises UnplayablePosition unless play under the rules could have left the piles like this."""
    if position.waste and not rules.waste:
        raise UnplayablePosition("these rules have no waste, and the position has one")
    for place in TABLEAU[COLUMNS:]:
        if position.under[place] and not (rules.people if place >= PEOPLE_START else rules.deep):
            raise UnplayablePosition(f"these rules build no pile on {PLACE_NAMES[place]}, and the position has one")
    if (position.stock or position.waste) and EMPTY in position.tops[PEOPLE_START:]:
        raise UnplayablePosition("a place of the People stands empty, which the waste or the stock would fill at once")
    if rules.fill is Fill.FREE and position.stock and not position.waste:
        raise UnplayablePosition("these rules turn a card up whenever the waste is empty")
    if rules.fill is Fill.FORCED and _vacancies(position) > 1:
        raise UnplayablePosition("these rules fill a vacancy at once, and the position has more than one")


def _vacancies(position: Position) -> int:
    """How many empty places of rows 1 to 3 could be filled from the next row."""
    return sum(position.row(row).count(EMPTY) for row in range(PEOPLE) if any(position.row(row + 1)))
