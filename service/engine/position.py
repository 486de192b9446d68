"""A position: where all 88 cards lie, as an immutable value that is cheap to change by one transfer."""

from typing import Final, NamedTuple

from service.engine.cards import ACE, EMPTY, JACK, Card, Cards, Suit, card_of
from service.engine.piles import COLUMNS, GOVERNMENT, PEOPLE_START, TABLEAU, WASTE, Place

ACES_FOUNDED: Final[Cards] = bytes(card_of(ACE, suit) for suit in Suit for _ in range(2))
ALL_FOUNDED: Final[Cards] = bytes(card_of(JACK, suit) for suit in Suit for _ in range(2))
_ACES: Final = sum(ACES_FOUNDED)
NO_TOPS: Final[Cards] = bytes(COLUMNS)
_made: Final = tuple.__new__
"""Makes a position of its five values in half the time of `Position(…)`."""


class Position(NamedTuple):
    """All cards. Positions that differ only in what no rule can see are still different: see `canonical`.

    tops:        the available card of each of the 32 tableau places, EMPTY where there is none
    under:       for each of them the cards below its top, bottom first
    foundations: the top cards of the Government, two a suit, the higher of a pair first
    stock:       undealt cards, next first
    waste:       turned cards, top last
    """

    tops: Cards
    under: tuple[Cards, ...]
    foundations: Cards
    stock: Cards
    waste: Cards

    def pile(self, place: Place) -> Cards:
        """The cards of a tableau place, bottom first."""
        tops = self.tops
        return self.under[place] + tops[place : place + 1] if tops[place] else b""

    @property
    def promoted(self) -> int:
        """Cards in the Government beyond the aces, 0..80: a rank more is a card that is 4 more."""
        return (sum(self.foundations) - _ACES) // 4

    @property
    def is_won(self) -> bool:
        return self.foundations == ALL_FOUNDED

    def row(self, row: int) -> Cards:
        """The tops of a row's eight places."""
        return self.tops[row * COLUMNS : (row + 1) * COLUMNS]

    def vacancy(self) -> Place | None:
        """The empty place of the least row in 1..3 whose next row has a card, which a forced fill must fill."""
        tops = self.tops
        place = tops.find(EMPTY)
        while 0 <= place < PEOPLE_START:
            next_row = place - place % COLUMNS + COLUMNS
            if tops[next_row : next_row + COLUMNS] != NO_TOPS:
                return place
            place = tops.find(EMPTY, next_row)
        return None

    def transfer(self, source: Place, target: Place, top_up: bool) -> "Position":  # noqa: C901, PLR0912 - the hot path
        """The position after one card has moved and the automatic part is done; legality is not asked.

        An emptied place of the People takes the waste's top card, else the next stock card. `top_up` also keeps
        the waste from being empty while there is stock.
        """
        tops, under, foundations, stock, waste = self
        changed = bytearray(tops)

        if source < WASTE:
            card = tops[source]
            if below := under[source]:
                changed[source] = below[-1]
                under = _replaced(under, source, below[:-1])
            elif source < PEOPLE_START:
                changed[source] = EMPTY
            elif waste:
                changed[source] = waste[-1]
                waste = waste[:-1]
            elif stock:
                changed[source] = stock[0]
                stock = stock[1:]
            else:
                changed[source] = EMPTY
        elif source == WASTE:
            card = waste[-1]
            waste = waste[:-1]
        else:
            card = stock[0]
            stock = stock[1:]

        if target < WASTE:
            if tops[target]:
                under = _replaced(under, target, under[target] + tops[target : target + 1])
            changed[target] = card
        elif target == GOVERNMENT:
            foundations = founded(foundations, card)
        else:
            waste += bytes((card,))

        if top_up and stock and not waste:
            waste, stock = stock[:1], stock[1:]
        return _made(Position, (bytes(changed), under, foundations, stock, waste))


def founded(foundations: Cards, card: Card) -> Cards:
    """The Government with the card on the first foundation that shows the card below it."""
    return foundations.replace(bytes((card - 4,)), bytes((card,)), 1)


def canonical(position: Position) -> Position:
    """One position for all that differ only in the order within rows: for search and hashing, never for display."""
    tops: list[Card] = []
    under: list[Cards] = []
    for start in range(0, len(TABLEAU), COLUMNS):
        row = sorted(zip(position.tops[start : start + COLUMNS], position.under[start : start + COLUMNS], strict=True))
        tops += [top for top, _ in row]
        under += [below for _, below in row]
    return position._replace(tops=bytes(tops), under=tuple(under))


def opening(cards: Cards) -> Position:
    """The position that 80 cards in dealing order make: the tableau row by row, then the stock."""
    return Position(cards[: len(TABLEAU)], (b"",) * len(TABLEAU), ACES_FOUNDED, cards[len(TABLEAU) :], b"")


def _replaced(under: tuple[Cards, ...], place: Place, cards: Cards) -> tuple[Cards, ...]:
    piles = list(under)
    piles[place] = cards
    return tuple(piles)
