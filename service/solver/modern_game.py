"""The reduced game of `modern`: the Privy Council, the Government, and a pool of released cards for all the rest.

SOLVER.md has the lemma by which rows 2 to 4 and the stock come down to when each of their cards is released. A draw
takes a card of the pool to the Privy Council, as a build or into the vacancy there.
"""

from collections.abc import Iterable, Iterator
from functools import cache, lru_cache
from typing import Final, NamedTuple, TypeAlias

from service.engine.cards import ALL_CARDS, FAMILY, JACK, Card, Cards, may_build, rank_of
from service.engine.piles import COLUMNS, COMMONS, LORDS, PEOPLE, PRIVY_COUNCIL, ROWS, row_of
from service.engine.position import Position, founded

Pile: TypeAlias = Cards
Mask: TypeAlias = int
"""A set of cards, as the bits `1 << card`."""

FOUNDED: Final = None
"""The target of a promotion."""
VACANCY: Final[Pile] = b""
"""The target of a fill."""
POOL: Final = None
"""The source of a draw."""

Line: TypeAlias = "tuple[Line, Card, Pile | None, Pile | None] | None"
"""The steps that led to a state, the last first: each a card, the pile that it was the top of, and where it went."""
State: TypeAlias = tuple[Cards, tuple[Pile, ...], Mask, Mask, Line]
"""Foundations, piles (sorted; seven where one is vacant), the cards of which the pool has a copy, those of which it
has both, and the line."""

RELEASES: Final = {PRIVY_COUNCIL: (1, 2, 3), LORDS: (0, 1, 2), COMMONS: (1, 1, 2)}
"""By the row of the vacancy, a settled position being as one in row 1: after how many draws the cards of rows 3 and 4
and the next stock card can be drawn. Each further stock card takes one draw more."""

_STOCK_LEAD: Final = 3
"""A card of the stock can be drawn so many draws after one that leaves it there as the next card."""


class Root(NamedTuple):
    """The reduced game of a position.

    released: for each number of draws the cards that are in the pool only from then on
    draws:    how many cards can be drawn; the game is won with the last one
    """

    state: State
    released: tuple[Cards, ...]
    draws: int

    def released_with(self, draws: int) -> Cards:
        """The cards that draw number `draws` puts into the pool."""
        return self.released[draws] if draws < len(self.released) else b""

    def stock_after(self, draws: int) -> int:
        """How many cards are in the stock after so many draws and all that they pull up."""
        return max(0, len(self.released) - 1 - _STOCK_LEAD - draws)


def root_of(position: Position) -> Root:
    """The reduced game that starts at a position of `modern`, settled or not."""
    vacancy = position.vacancy()
    commons, people, stock = RELEASES[PRIVY_COUNCIL if vacancy is None else row_of(vacancy)]
    rows = [(0, position.row(LORDS)), (commons, position.row(COMMONS)), (people, position.row(PEOPLE))]
    rows += [(stock + behind, bytes((card,))) for behind, card in enumerate(position.stock)]
    released = [b""] * (stock + len(position.stock) + 1)
    for draws, row in rows:
        released[draws] += row.replace(b"\0", b"")
    piles = tuple(sorted(pile for place in ROWS[PRIVY_COUNCIL] if (pile := position.pile(place))))
    one, two = with_released(0, 0, released[0])
    return Root((position.foundations, piles, one, two, None), tuple(released), sum(map(len, released)))


def with_released(one: Mask, two: Mask, cards: Cards) -> tuple[Mask, Mask]:
    """A pool with these cards added."""
    for card in cards:
        bit = 1 << card
        two |= one & bit
        one |= bit
    return one, two


def mask_of(cards: Iterable[Card]) -> Mask:
    return sum(1 << card for card in set(cards))


def cards_in(mask: Mask) -> Iterator[Card]:
    while mask:
        yield (mask & -mask).bit_length() - 1
        mask &= mask - 1


GUESTS: Final = tuple(bytes(card for card in ALL_CARDS if may_build(card, base)) for base in range(max(ALL_CARDS) + 1))
"""For each card those that may be built on it."""
SINGLE: Final = tuple(bytes((card,)) for card in range(max(ALL_CARDS) + 1))
"""For each card the pile of it alone."""

Haste: TypeAlias = int
"""Which promotions off piles of two or more are made at once, without thought of anything else."""
PATIENT, SAFE, GREEDY = range(3)
"""None, the safe ones, or all. The first two lose no win; a greedy search also thinks of one other promotion alone."""


@lru_cache(maxsize=1 << 14)
def takes(foundations: Cards) -> tuple[Mask, Mask, Mask]:
    """For each Haste the cards that are promoted at once; the last are all that the Government takes next.

    Safe are those of which it takes both copies, and on which nothing can be built any more: see SOLVER.md.
    """
    next_ = [card + 4 for card in foundations if rank_of(card) < JACK]
    lower = foundations[1::2]
    safe = [
        card
        for card in next_
        if card - 4 <= lower[card & 3] and all(guest <= lower[guest & 3] for guest in GUESTS[card])
    ]
    return 0, mask_of(safe), mask_of(next_)


def rearranged(state: State, haste: Haste) -> Iterator[State]:
    """The states after one promotion or lateral of a settled state."""
    foundations, piles, one, two, line = state
    next_ = takes(foundations)[GREEDY]
    for at, pile in _distinct(piles):
        if next_ >> (card := pile[-1]) & 1:
            after = (line, card, pile, FOUNDED)
            yield at_once((founded(foundations, card), _replaced(piles, at, pile[:-1]), one, two, after), haste)
            if haste == GREEDY:
                return
    for at, pile in _distinct(piles):
        card, left = pile[-1], _replaced(piles, at, pile[:-1])
        for base in dict.fromkeys(piles):
            if card in GUESTS[base[-1]]:
                there = _replaced(left, left.index(base), base + SINGLE[card])
                yield at_once((foundations, there, one, two, (line, card, pile, base)), haste)


def drawn(state: State, released: Cards, haste: Haste) -> Iterator[State]:
    """The states after one draw, with which these cards are released."""
    foundations, piles, free, both, line = state
    one, two = with_released(free, both, released)
    hasty = takes(foundations)[haste]
    if len(piles) < COLUMNS:
        waiting = any(hasty >> pile[-1] & 1 and len(pile) > 1 for pile in piles)
        for card in cards_in(free):
            filled = tuple(sorted((*piles, SINGLE[card])))
            child = foundations, filled, *_without(one, two, 1 << card), (line, card, POOL, VACANCY)
            yield at_once(child, haste) if waiting else child
        return
    for at, pile in _distinct(piles):
        for card in GUESTS[pile[-1]]:
            bit = 1 << card
            if free & bit:
                built = _replaced(piles, at, pile + SINGLE[card])
                child = foundations, built, *_without(one, two, bit), (line, card, POOL, pile)
                yield at_once(child, haste) if hasty & bit else child


def at_once(state: State, haste: Haste) -> State:
    """The state after the promotions that are made at once; none while there is a vacancy."""
    foundations, piles, one, two, line = state
    if len(piles) < COLUMNS:
        return state
    hasty = takes(foundations)[haste]
    at = 0
    while at < COLUMNS:
        pile = piles[at]
        card = pile[-1]
        if hasty >> card & 1 and len(pile) > 1:
            foundations, line = founded(foundations, card), (line, card, pile, FOUNDED)
            piles = _replaced(piles, at, pile[:-1])
            hasty = takes(foundations)[haste]
            at = 0
        else:
            at += 1
    return foundations, piles, one, two, line


def _distinct(piles: tuple[Pile, ...]) -> list[tuple[int, Pile]]:
    """The piles, equal ones once, each with its place among all."""
    return [(at, pile) for at, pile in enumerate(piles) if at == 0 or pile != piles[at - 1]]


def _replaced(piles: tuple[Pile, ...], at: int, pile: Pile) -> tuple[Pile, ...]:
    """The piles, sorted, with another for one of them; an empty one is none."""
    changed = list(piles)
    if pile:
        changed[at] = pile
        changed.sort()
    else:
        del changed[at]
    return tuple(changed)


def _without(one: Mask, two: Mask, bit: Mask) -> tuple[Mask, Mask]:
    """A pool with one copy of a card less."""
    return (one, two ^ bit) if two & bit else (one ^ bit, two)


class Traits(NamedTuple):
    """What of a pile any search may ask for, as masks but for `family`, a bit for its top's rank and colour."""

    top: Mask
    covered: Mask
    guests: Mask
    family: int


@cache
def traits_of(pile: Pile) -> Traits:
    top = pile[-1]
    return Traits(1 << top, mask_of(pile[:-1]), mask_of(GUESTS[top]), 1 << FAMILY[top])
