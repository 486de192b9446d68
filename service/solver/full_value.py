"""What a board is worth to the beam: how soon its cards will be wanted against how deep they lie."""

from functools import cache
from math import exp
from typing import Final, NamedTuple

from service.engine.cards import JACK, Card, Cards, Suit, rank_of
from service.engine.piles import LORDS, PEOPLE, PRIVY_COUNCIL, ROWS
from service.engine.position import founded
from service.solver.full_board import (
    BASE_BIT,
    CARD,
    FAMILY_BIT,
    GOVERNMENT,
    HAND,
    TOP,
    Board,
    Pile,
    Row,
    Step,
    Table,
    cards_of,
)

_MOST_INVERTED: Final = 4
_MOST_NEEDED: Final = 6
_MOST_BUILDS: Final = 5
_MOST_STANDINGS: Final = 4000
"""How many are remembered at once: some 40 MB."""


class Weights(NamedTuple):
    """The weights of the features.

    impatience:    how fast urgency falls with a card's need, the promotions of its suit that must come first
    rows:          the cost of lying on top in each row, times urgency, as are the next three
    covered:       ... for each card above it in its pile
    waste:         ... for each card from the top of the waste, on top of a place in the People
    stock:         ... for each card from the next of the stock, likewise
    promoted, low: a card promoted, and one on the lower foundation of its suit
    inverted:      for each card how much later than it one above it is needed; in row 1, and in the others
    buildable:     a top of row 2 that can be built on row 1
    host:          a family among the tops of row 1
    single:        a pile of one card in row 1
    wanted:        a top of row 1 that can be promoted
    needs:         the need of a top, in row 1 and in row 2
    buried:        a covered card, in row 1 and in the others
    """

    impatience: float = 0.3485
    rows: tuple[float, ...] = (0.2177, 1.6297, 1.2743, 1.9454)
    covered: float = 0.1859
    waste: float = 0.8844
    stock: float = -0.0659
    promoted: float = -0.5450
    low: float = 0.3809
    inverted: tuple[float, float] = (0.0065, -0.0796)
    buildable: float = 1.5621
    host: float = 0.0790
    single: float = -0.1294
    wanted: float = 0.4219
    needs: tuple[float, ...] = (-0.1310, -0.1191, 0.0, 0.0)
    buried: tuple[float, float] = (0.2129, 0.2867)


TUNED: Final = Weights()
_URGENCY: Final = tuple(exp(-TUNED.impatience * need) for need in range(11))


class PileWorths(dict[Pile, float]):
    """The worth of each pile of a row while the foundations stand as they do, reckoned when first asked for."""

    def __init__(self, row: int, needs: bytes) -> None:
        super().__init__()
        self._row, self._needs = row, needs
        self[0] = 0.0

    def __missing__(self, pile: Pile) -> float:
        row, needs = self._row, self._needs
        if pile <= TOP:
            worth = _SINGLES[row][needs[pile]]
        else:
            worth = _pile_worth(row, [needs[card] for card in cards_of(pile)])
        self[pile] = worth
        return worth


def _pile_worth(row: int, needs: list[int]) -> float:
    """The worth of a pile in a row, of the needs of its cards from the top."""
    top, *below = needs
    cost, others = TUNED.rows[row], int(row > PRIVY_COUNCIL)
    worth = TUNED.needs[row] * min(top, _MOST_NEEDED) - cost * _URGENCY[top]
    if row == PRIVY_COUNCIL:
        worth += TUNED.wanted * (top == 0) + TUNED.single * (not below)
    latest = top
    for need in below:
        cost += TUNED.covered
        worth += TUNED.buried[others] - cost * _URGENCY[need]
        if need < latest:
            worth += TUNED.inverted[others] * min(_MOST_INVERTED, latest - need)
        latest = max(latest, need)
    return worth


_SINGLES: Final = tuple(tuple(_pile_worth(row, [need]) for need in range(JACK)) for row in range(len(ROWS)))
"""For each row and need the worth of a pile of one card."""


class Standing:
    """What piles and hands are worth while the foundations stand as they do."""

    def __init__(self, foundations: Cards, stock: Cards) -> None:
        self.needs = _needs(foundations)
        self.rows = tuple(PileWorths(row, self.needs) for row in range(len(ROWS)))
        ranks = [rank_of(card) for card in foundations]
        self.founded = TUNED.promoted * sum(ranks) + TUNED.low * sum(ranks[1::2])
        self._stock = stock
        self._hands: dict[tuple[Pile, int], float] = {}

    def hand(self, waste: Pile, dealt: int) -> float:
        """The worth of the waste and of the stock."""
        key = waste, dealt
        if (worth := self._hands.get(key)) is None:
            needs = self.needs
            cost, worth = TUNED.rows[PEOPLE], 0.0
            for card in cards_of(waste):
                cost += TUNED.waste
                worth -= cost * _URGENCY[needs[card]]
            cost = TUNED.rows[PEOPLE]
            for card in self._stock[dealt:]:
                cost += TUNED.stock
                worth -= cost * _URGENCY[needs[card]]
            self._hands[key] = worth
        return worth

    def without_contact(self, rows: tuple[Row, ...], waste: Pile, dealt: int) -> float:
        """The worth of a board, but for what its rows are worth to one another."""
        worth = self.founded + self.hand(waste, dealt)
        for row, worths in zip(rows, self.rows, strict=True):
            worth += sum(map(worths.__getitem__, row))
        return worth


class Appraiser:
    """Appraises the boards of one table; remembers what it has reckoned."""

    def __init__(self, table: Table) -> None:
        self._table = table
        self._standings: dict[Cards, Standing] = {}

    def standing(self, foundations: Cards) -> Standing:
        if (standing := self._standings.get(foundations)) is None:
            if len(self._standings) == _MOST_STANDINGS:
                self._standings.clear()
            standing = self._standings[foundations] = Standing(foundations, self._table.stock)
        return standing

    def worth(self, board: Board) -> float:
        """The worth of a board, reckoned afresh."""
        rows, foundations, waste, dealt = board
        contact = Contact(rows[PRIVY_COUNCIL], rows[LORDS])
        return self.standing(foundations).without_contact(rows, waste, dealt) + contact.worth

    def change_of_hand(self, board: Board, turned: Board) -> float:
        """What a turn changes in the worth of a board."""
        standing = self.standing(board.foundations)
        return standing.hand(turned.waste, turned.dealt) - standing.hand(board.waste, board.dealt)

    def worths_after(self, board: Board, worth: float, steps: list[Step]) -> list[float]:
        """The worth of the board after each of the steps, from the board's own and from what the step changes."""
        table, standing = self._table, self.standing(board.foundations)
        rows, foundations, waste, dealt = board
        worths, hand = standing.rows, standing.hand(waste, dealt)
        contact = Contact(rows[PRIVY_COUNCIL], rows[LORDS])
        after = []
        for step in steps:
            source, pile, target, base = step
            if source in (target, HAND):
                after.append(self.worth(table.after(board, step)))
                continue
            if target == GOVERNMENT:
                then = self.standing(founded(foundations, pile & TOP))
                change = then.rows[source][pile >> CARD] - then.rows[source][pile]
                change += contact.worth + contact.change(pile, pile >> CARD, 0, 0)
                after.append(then.without_contact(rows, waste, dealt) + change)
                continue
            change, below, built = 0.0, pile >> CARD, base << CARD | pile & TOP
            if source == PEOPLE and not below:
                below, new_waste, new_dealt = table.refill(waste, dealt)
                change = standing.hand(new_waste, new_dealt) - hand
            left, gained = worths[source], worths[target]
            change += left[below] - left[pile] + gained[built] - gained[base]
            if target == PRIVY_COUNCIL:
                change += contact.change(base, built, pile, below)
            elif target == LORDS:
                change += contact.change(0, 0, base, built)
            after.append(worth + change)
        return after


class Contact:
    """What the tops of row 1 are worth to those of row 2, and how that changes with a pile of each."""

    def __init__(self, first: Row, second: Row) -> None:
        self.once = self.twice = 0
        for pile in first:
            family = FAMILY_BIT[pile & TOP]
            self.twice |= self.once & family
            self.once |= family
        self.wanted = [BASE_BIT[pile & TOP] for pile in second]
        self.worth = self._worth(self.once, sum([1 for base in self.wanted if base & self.once]))

    def _worth(self, families: int, builds: int) -> float:
        return TUNED.host * families.bit_count() + TUNED.buildable * min(_MOST_BUILDS, builds)

    def change(self, host: Pile, new_host: Pile, guest: Pile, new_guest: Pile) -> float:
        """The difference when a pile of row 1 and one of row 2 become others."""
        once = self.once
        families = once & ~(FAMILY_BIT[host & TOP] & ~self.twice) | FAMILY_BIT[new_host & TOP]
        builds = sum([1 for base in self.wanted if base & families])
        builds += bool(BASE_BIT[new_guest & TOP] & families) - bool(BASE_BIT[guest & TOP] & families)
        return self._worth(families, builds) - self.worth


def _needs(foundations: Cards) -> bytes:
    """For each card how many promotions of its suit come before it can be promoted."""
    needs = bytearray(len(Suit) * (JACK + 1))
    for suit in range(len(Suit)):
        needs[suit :: len(Suit)] = _needs_of_suit(foundations[2 * suit], foundations[2 * suit + 1])
    return bytes(needs)


@cache
def _needs_of_suit(high: Card, low: Card) -> bytes:
    """For each rank from 0 how many promotions of the suit come first, where its foundations show these cards."""
    first, second = rank_of(high), rank_of(low)
    return bytes(max(0, rank - 1 - (first if rank > first else second)) for rank in range(JACK + 1))
