"""The lemma of SOLVER.md: which cards of rows 2 to 4 and the stock can be drawn in which order."""

from collections.abc import Iterator
from functools import cache
from itertools import product
from typing import TypeAlias

import pytest
from hypothesis import given
from hypothesis import strategies as st

from service.engine import PRESETS
from service.engine.moves import must_fill
from service.engine.piles import COLUMNS, COMMONS, LORDS, PRIVY_COUNCIL, row_of
from service.solver.modern_game import RELEASES, cards_in, root_of, with_released
from tests.engine.games import Play, plays

Cards: TypeAlias = tuple[str, ...]
Rows: TypeAlias = tuple[Cards, ...]
"""Rows 2, 3 and 4 of a mini layout, and the stock with the next card first; every card is another."""


def laid_out(width: int, stock: int, vacant: int) -> Rows:
    """A layout of so many columns with a vacancy in this row; that of row 1 is nobody's here."""
    rows = [tuple(f"{row}{column}" for column in range(width - (row == vacant))) for row in (LORDS, COMMONS, 3)]
    return (*rows, tuple(f"s{card}" for card in range(stock)))


def pulled_up(rows: Rows, width: int) -> Iterator[Rows]:
    """What the layout may become once its vacancies are filled, by the rules to the letter: each card may be pulled."""
    for row in (0, 1):
        if len(rows[row]) < width and rows[row + 1]:
            for card in rows[row + 1]:
                there = [*rows]
                there[row] = tuple(sorted((*rows[row], card)))
                there[row + 1] = tuple(other for other in rows[row + 1] if other != card)
                yield from pulled_up(tuple(there), width)
            return
    if len(rows[2]) < width and rows[3]:
        yield (*rows[:2], tuple(sorted((*rows[2], rows[3][0]))), rows[3][1:])
    else:
        yield rows


def drawn_by_the_rules(rows: Rows, width: int) -> frozenset[Cards]:
    """All orders in which the cards of a layout can be drawn to the last."""

    @cache
    def orders(rows: Rows) -> frozenset[Cards]:
        if not any(rows):
            return frozenset({()})
        return frozenset(
            (card, *later)
            for settled in set(pulled_up(rows, width))
            for card in settled[0]
            for later in orders((tuple(other for other in settled[0] if other != card), *settled[1:]))
        )

    return orders(rows)


def drawn_by_the_lemma(rows: Rows, vacant: int) -> frozenset[Cards]:
    """All orders in which no card comes before it is released."""
    commons, people, stock = RELEASES[vacant]
    release = dict.fromkeys(rows[0], 0) | dict.fromkeys(rows[1], commons) | dict.fromkeys(rows[2], people)
    release |= {card: stock + behind for behind, card in enumerate(rows[3])}

    def orders(left: frozenset[str], draws: int) -> Iterator[Cards]:
        if not left:
            yield ()
        for card in left:
            if release[card] <= draws:
                for later in orders(left - {card}, draws + 1):
                    yield (card, *later)

    return frozenset(orders(frozenset(release), 0))


LAYOUTS = [
    *product((1, 2), range(4), (PRIVY_COUNCIL, LORDS, COMMONS)),
    *((3, stock, vacant) for stock in range(1) for vacant in (PRIVY_COUNCIL, LORDS, COMMONS)),
]


@pytest.mark.parametrize(("width", "stock", "vacant"), LAYOUTS)
def test_cards_are_drawn_in_just_the_orders_that_the_lemma_allows(width: int, stock: int, vacant: int) -> None:
    rows = laid_out(width, stock, vacant)
    assert drawn_by_the_rules(rows, width) == drawn_by_the_lemma(rows, vacant)


@given(plays(st.just(PRESETS["modern"])))
def test_no_play_draws_a_card_before_it_is_released(play: Play) -> None:
    root = root_of(play.positions[0])
    one, two, draws = root.state[2], root.state[3], 0
    for position, move, _ in play.steps:
        if row_of(move.source) == LORDS and move.target < COLUMNS:
            card = position.tops[move.source]
            assert card in cards_in(one)
            one, two = (one, two ^ 1 << card) if two >> card & 1 else (one ^ 1 << card, two)
            draws += 1
            one, two = with_released(one, two, root.released_with(draws))
    assert draws <= root.draws


@given(plays(st.just(PRESETS["modern"])))
def test_the_stock_is_what_the_draws_have_left_of_it_whenever_a_card_can_be_promoted(play: Play) -> None:
    root, draws = root_of(play.positions[0]), 0
    for position, move, after in play.steps:
        if must_fill(position, play.rules) is None:
            assert root.stock_after(draws) == len(position.stock)
        draws += row_of(move.source) == LORDS and after.row(PRIVY_COUNCIL) != position.row(PRIVY_COUNCIL)
