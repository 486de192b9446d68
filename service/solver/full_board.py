"""The whole board for a search under any rules: packed, and alike for all that no rule can tell apart.

A pile is an integer, six bits a card and the top lowest, so that `pile & TOP` is the available card, `pile >> CARD`
what lies below it and 0 an empty place. A row is a sorted tuple of its eight piles, and the waste is one more pile.
"""

from collections.abc import Iterable
from functools import lru_cache
from typing import Final, NamedTuple, TypeAlias

from service.engine.cards import BASE_FAMILY, FAMILY, NO_FAMILY, Card, Cards
from service.engine.piles import COLUMNS, LORDS, PEOPLE, PRIVY_COUNCIL, ROWS
from service.engine.position import Position, founded
from service.engine.rules import Fill, Rules

Pile: TypeAlias = int
Row: TypeAlias = tuple[Pile, ...]
Step: TypeAlias = tuple[int, Pile, int, Pile]
"""A move by rows and piles instead of places: from a row the top of a pile, to a row, on to a pile (0 is to fill)."""
Steps: TypeAlias = tuple[Step, ...]

CARD: Final = 6
TOP: Final = (1 << CARD) - 1
NO_PILES: Final[Row] = (0,) * COLUMNS
_NOTHING_BELOW: Final = (NO_PILES,) * PEOPLE

_REMEMBERED: Final = 2**14
"""How many pairs of rows are remembered with the builds between them, since most steps change one pair at most."""

HAND: Final = 4
"""The row of a step that plays the waste or turns the stock."""
GOVERNMENT: Final = -1
"""The row that a step leads to when it promotes."""
TURNED: Final[Step] = (HAND, 0, HAND, 0)

FAMILY_BIT: Final = tuple(1 << FAMILY[card] if card else 0 for card in range(TOP + 1))
"""For each card the bit of its family; for EMPTY none."""
BASE_BIT: Final = tuple(1 << base if (base := BASE_FAMILY[card]) != NO_FAMILY else 0 for card in range(TOP + 1))
"""For each card the bit of the family that it may be built on; for jacks and EMPTY none."""


class Board(NamedTuple):
    """rows: from the Privy Council to the People; dealt: how many cards have left the stock as the search began."""

    rows: tuple[Row, ...]
    foundations: Cards
    waste: Pile
    dealt: int


class Table:
    """What stays the same in a search: the rules, and the stock it began with."""

    def __init__(self, rules: Rules, stock: Cards) -> None:
        self.stock = stock
        self.turns, self.people, self.lateral = rules.waste, rules.waste and rules.people, rules.lateral
        self.forced = rules.fill is Fill.FORCED
        self.hosts = range(PEOPLE if rules.deep else LORDS)

    def is_won(self, board: Board) -> bool:
        """Whether promotions alone now win, since nothing is left outside the Privy Council."""
        return board.rows[1:] == _NOTHING_BELOW and not board.waste and board.dealt == len(self.stock)

    def steps(self, board: Board, forced: bool) -> list[Step]:
        """The legal moves but for turns, promotions first; if `forced`, a vacancy is filled first under any rules."""
        rows, foundations = board.rows, board.foundations
        vacancies = _vacancies(rows)
        if forced and vacancies:
            return _fills(rows, vacancies[0])
        steps: list[Step] = [
            (PRIVY_COUNCIL, pile, GOVERNMENT, 0)
            for pile in _different(rows[PRIVY_COUNCIL])
            if pile and (pile & TOP) - 4 in foundations
        ]
        for row in self.hosts:
            steps += _builds(row + 1, rows[row + 1], row, rows[row])
        for row in vacancies:
            steps += _fills(rows, row)
        if self.lateral:
            steps += _builds(PRIVY_COUNCIL, rows[PRIVY_COUNCIL], PRIVY_COUNCIL, rows[PRIVY_COUNCIL])
        if self.people and board.waste:
            steps += _builds(HAND, (board.waste & TOP,), PEOPLE, rows[PEOPLE])
        return steps

    def steps_after_turn(self, board: Board, forced: bool) -> list[Step]:
        """Those of the steps that a turn just before can matter to: all others may as well come before the turn.

        A turn matters to what plays the waste, or leads to a refill of the People.
        """
        return [
            step
            for step in self.steps(board, forced)
            if step[0] == HAND or (not step[1] >> CARD and (forced or step[0] == PEOPLE))
        ]

    def turned(self, board: Board, forced: bool) -> Board | None:
        """The board with one card more turned, where that is legal."""
        rows, foundations, waste, dealt = board
        if not self.turns or dealt == len(self.stock) or (forced and _vacancies(rows)):
            return None
        return Board(rows, foundations, waste << CARD | self.stock[dealt], dealt + 1)

    def after(self, board: Board, step: Step) -> Board:
        """The board after a step and its automatic part."""
        source, pile, target, base = step
        before, foundations, waste, dealt = board
        rows = list(before)
        if source == HAND:
            waste, dealt = self.topped_up(waste >> CARD, dealt)
        else:
            below = pile >> CARD
            if not below and source == PEOPLE:
                below, waste, dealt = self.refill(waste, dealt)
            rows[source] = exchanged(rows[source], pile, below)
        if target == GOVERNMENT:
            foundations = founded(foundations, pile & TOP)
        else:
            rows[target] = exchanged(rows[target], base, base << CARD | pile & TOP)
        return Board(tuple(rows), foundations, waste, dealt)

    def refill(self, waste: Pile, dealt: int) -> tuple[Card, Pile, int]:
        """The card that an emptied place of the People takes, and the hand after that."""
        if waste:
            return waste & TOP, *self.topped_up(waste >> CARD, dealt)
        if dealt < len(self.stock):
            return self.stock[dealt], *self.topped_up(0, dealt + 1)
        return 0, 0, dealt

    def topped_up(self, waste: Pile, dealt: int) -> tuple[Pile, int]:
        """The hand once an empty waste is topped up, if the rules do that."""
        if self.forced or waste or dealt == len(self.stock):
            return waste, dealt
        return self.stock[dealt], dealt + 1


def board_of(position: Position) -> Board:
    """The position's board; its stock is the table's."""
    rows = tuple(tuple(sorted(packed(position.pile(place)) for place in row)) for row in ROWS)
    return Board(rows, position.foundations, packed(position.waste), 0)


def packed(cards: Iterable[Card]) -> Pile:
    """The pile of these cards, bottom first."""
    pile = 0
    for card in cards:
        pile = pile << CARD | card
    return pile


def exchanged(row: Row, pile: Pile, other: Pile) -> Row:
    """The row with another pile in the place of one."""
    piles = list(row)
    piles[piles.index(pile)] = other
    piles.sort()
    return tuple(piles)


def cards_of(pile: Pile) -> list[Card]:
    """The cards of a pile, top first."""
    cards = []
    while pile:
        cards.append(pile & TOP)
        pile >>= CARD
    return cards


def _vacancies(rows: tuple[Row, ...]) -> list[int]:
    """The rows that have an empty place and could fill it from the next."""
    return [row for row in range(PEOPLE) if not rows[row][0] and rows[row + 1][-1]]


def _fills(rows: tuple[Row, ...], row: int) -> list[Step]:
    return [(row + 1, pile, row, 0) for pile in _different(rows[row + 1]) if pile]


def _different(row: Row) -> Iterable[Pile]:
    return dict.fromkeys(row)


@lru_cache(_REMEMBERED)
def _builds(source: int, piles: Row, target: int, bases: Row) -> list[Step]:
    """The builds of one row's tops on another's, once for piles that are alike."""
    hosts = [(FAMILY_BIT[base & TOP], base) for base in _different(bases) if base]
    return [
        (source, pile, target, base)
        for pile in _different(piles)
        if (wanted := BASE_BIT[pile & TOP])
        for family, base in hosts
        if family == wanted
    ]
