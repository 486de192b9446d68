"""Six facts that follow from the rules, and that clients and the solver lean on."""

from collections import Counter
from itertools import pairwise
from random import Random

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from service.engine import PRESETS, Fill, Kind, Position, Rules, apply, legal_moves, perft, status
from service.engine.cards import ACE, EMPTY, JACK, Card, Suit, card_of, may_build, rank_of
from service.engine.moves import TURN, kind_of, must_fill
from service.engine.notation import parse_deal
from service.engine.piles import COLUMNS, PEOPLE, ROWS, TABLEAU, row_of
from service.engine.position import canonical
from tests.engine.games import WINS, Play, Win, played, plays, preset_rules

UPWARD = {Kind.PROMOTE, Kind.BUILD, Kind.FILL}
FORCED = [rules for rules in PRESETS.values() if rules.fill is Fill.FORCED]
CADOGAN, CADOGAN_1914, PYSOL = (PRESETS[name] for name in ("cadogan", "cadogan-1914", "pysol"))


def kinds(play: Play) -> list[Kind]:
    return [kind_of(position, move) for position, move, _ in play.steps]


# 1


@given(plays())
def test_every_pile_is_a_run_down_in_alternating_colours(play: Play) -> None:
    for position in play.positions:
        for place in TABLEAU:
            assert all(may_build(card, base) for base, card in pairwise(position.pile(place)))


# 2


@given(plays(st.sampled_from(FORCED)))
def test_there_is_never_more_than_one_vacancy_where_filling_is_forced(play: Play) -> None:
    for position in play.positions:
        gaps = [row for row in range(PEOPLE) if any(position.row(row + 1)) for top in position.row(row) if not top]
        assert len(gaps) == (must_fill(position, play.rules) is not None)


# 3


@st.composite
def last_stands(draw: st.DrawFn) -> Position:
    """Positions whose cards are all in the Government and the Privy Council, in eight runs at most."""
    least = draw(st.integers(ACE, JACK))
    ranks = [min(least + draw(st.integers(0, 2)), JACK) for _ in range(8)]
    founded = [rank for suit in Suit for rank in sorted(ranks[2 * suit : 2 * suit + 2], reverse=True)]
    out = [card_of(rank, at // 2) for at, top in enumerate(founded) for rank in range(top + 1, JACK + 1)]
    piles: list[list[Card]] = []
    for card in sorted(draw(st.permutations(out)), key=rank_of, reverse=True):
        if hosts := [pile for pile in piles if may_build(card, pile[-1])]:
            draw(st.sampled_from(hosts)).append(card)
        else:
            piles.append([card])
    assume(len(piles) <= COLUMNS)
    piles += [[]] * (len(TABLEAU) - len(piles))
    return Position(
        tops=bytes(pile[-1] if pile else EMPTY for pile in piles),
        under=tuple(bytes(pile[:-1]) for pile in piles),
        foundations=bytes(card_of(rank, at // 2) for at, rank in enumerate(founded)),
        stock=b"",
        waste=b"",
    )


@given(last_stands(), preset_rules, st.randoms(use_true_random=False))
def test_with_all_cards_in_the_privy_council_promotions_in_any_order_win(
    position: Position, rules: Rules, chance: Random
) -> None:
    while not position.is_won:
        promotions = [move for move in legal_moves(position, rules) if kind_of(position, move) is Kind.PROMOTE]
        position = apply(position, chance.choice(promotions), rules)


# 4


def height(position: Position) -> int:
    """How many rows all cards have still to rise."""
    in_tableau = sum((row_of(place) + 1) * len(position.pile(place)) for place in TABLEAU)
    return in_tableau + 4 * len(position.stock + position.waste)


def transitions_left(position: Position) -> int:
    """How many moves there can be at most, laterals aside: a stock card is turned, built on the People, and rises."""
    return height(position) + 2 * len(position.stock) + len(position.waste)


@given(plays())
def test_promotions_builds_and_fills_and_nothing_else_raise_a_card_by_a_row(play: Play) -> None:
    upward = [kind for kind in kinds(play) if kind in UPWARD]
    assert height(play.positions[0]) - height(play.last) == len(upward)


@pytest.mark.parametrize("win", WINS, ids=str)
def test_every_win_takes_272_promotions_builds_and_fills(win: Win) -> None:
    upward = [kind for kind in kinds(win.play) if kind in UPWARD]
    assert len(upward) == 272


@pytest.mark.parametrize("win", [win for win in WINS if win.rules.waste], ids=str)
def test_a_win_with_a_waste_takes_at_most_48_turns_and_48_builds_on_the_people_more(win: Win) -> None:
    count = Counter(kinds(win.play))
    assert count[Kind.TURN] <= 48
    assert count[Kind.PEOPLE] <= 48


@given(plays())
def test_each_move_but_a_lateral_uses_up_one_of_368_transitions_and_no_lateral_gives_any_back(play: Play) -> None:
    left = list(map(transitions_left, play.positions))
    assert left[0] <= 368
    for kind, (before, after) in zip(kinds(play), pairwise(left), strict=True):
        assert after == before if kind is Kind.LATERAL else after < before


# 5


@given(plays(), st.data())
def test_places_within_a_row_are_interchangeable(play: Play, data: st.DataObject) -> None:
    order = [place for row in ROWS for place in data.draw(st.permutations(row))]
    position = play.last
    shuffled = position._replace(
        tops=bytes(position.tops[place] for place in order), under=tuple(position.under[place] for place in order)
    )

    assert canonical(shuffled) == canonical(position)
    assert perft(shuffled, play.rules, 2) == perft(position, play.rules, 2) == perft(canonical(position), play.rules, 2)
    assert status(shuffled, play.rules) == status(position, play.rules)


@given(plays())
def test_the_higher_foundation_of_a_suit_always_comes_first(play: Play) -> None:
    for position in play.positions:
        pairs = zip(position.foundations[::2], position.foundations[1::2], strict=True)
        assert all(first >= second for first, second in pairs)


# 6


def assert_is_a_pysol_game(play: Play) -> None:
    """PySolFC turns a card up at once where Lady Cadogan's waste is empty, so that there is no such turn to make."""
    position = topped_up(play.positions[0])
    for before, move, after in play.steps:
        if move != TURN or before.waste:
            position = apply(position, move, PYSOL)
        assert position == topped_up(after)


def topped_up(position: Position) -> Position:
    return position if position.waste else position._replace(waste=position.stock[:1], stock=position.stock[1:])


@pytest.mark.parametrize("win", [win for win in WINS if win.preset == "cadogan-1914"], ids=str)
def test_a_win_of_1914_is_a_win_of_cadogan(win: Win) -> None:
    assert played(parse_deal(win.deal), CADOGAN, win.moves) == win.play._replace(rules=CADOGAN)


@pytest.mark.parametrize("win", [win for win in WINS if win.preset == "cadogan"], ids=str)
def test_a_win_of_cadogan_is_a_win_of_pysol(win: Win) -> None:
    assert_is_a_pysol_game(win.play)


@given(plays(st.just(CADOGAN_1914)))
def test_a_game_of_1914_is_a_game_of_cadogan(play: Play) -> None:
    for before, move, after in play.steps:
        assert apply(before, move, CADOGAN) == after


@given(plays(st.just(CADOGAN)))
def test_a_game_of_cadogan_is_a_game_of_pysol(play: Play) -> None:
    assert_is_a_pysol_game(play)
