"""The canonical order of a position, and lines of it renamed for the real one."""

from random import Random

import pytest
from hypothesis import given

from service.engine import PRESETS, Position, Rules, apply, legal_moves
from service.engine.moves import must_fill
from service.engine.piles import TABLEAU
from service.engine.position import canonical
from service.solver.canonical import Canonical, canonical_form
from service.solver.results import Won
from service.solver.solve import solve
from service.solver.verify import wins
from tests.engine.games import WINS, Play, Win, plays
from tests.solver.positions import end_position

every_preset = pytest.mark.parametrize("rules", PRESETS.values(), ids=PRESETS)


def is_image(position: Position, form: Canonical) -> bool:
    """Whether the form's position is this one with the piles of each row in the order of the form's places."""
    there = form.position
    return there[2:] == position[2:] and all(
        there.pile(place) == position.pile(form.places[place]) for place in TABLEAU
    )


@given(plays())
def test_moves_of_the_canonical_position_are_renamed_to_those_of_the_real_one(play: Play) -> None:
    for position in play.positions:
        form = canonical_form(position)
        moves = legal_moves(form.position, play.rules)

        assert form.position == canonical(position)
        assert is_image(position, form)
        assert {form.real(move) for move in moves} == set(legal_moves(position, play.rules))
        for move in moves:
            after = apply(position, form.real(move), play.rules)
            assert is_image(after, Canonical(apply(form.position, move, play.rules), form.places))


@pytest.mark.parametrize("win", {win.preset: win for win in WINS}.values(), ids=str)
def test_a_win_of_the_canonical_position_is_one_of_the_real_one(win: Win) -> None:
    """From places all along a game, each of its vacancies among them."""
    for position in win.play.positions[len(win.moves) // 3 :: 7]:
        form = canonical_form(position)
        answer = solve(form.position, win.rules, 20_000)
        assert isinstance(answer, Won)
        assert wins(position, win.rules, map(form.real, answer.line))


@every_preset
def test_so_it_is_where_places_are_empty_or_must_be_filled(rules: Rules) -> None:
    chance, won, vacant = Random(8), 0, 0
    for _ in range(300):
        position = end_position(rules, chance, 1, 24)
        form = canonical_form(position)
        answer = solve(form.position, rules, 20_000)
        if isinstance(answer, Won):
            won += 1
            vacant += must_fill(position, rules) is not None
            assert wins(position, rules, map(form.real, answer.line))
    assert won > 50
    assert vacant > 5 or rules == PRESETS["pysol"]


@every_preset
def test_positions_that_differ_in_the_order_within_rows_have_one_canonical_form(rules: Rules) -> None:
    chance = Random(9)
    for _ in range(100):
        position = end_position(rules, chance, 1, 24)
        order = [place for row in range(4) for place in chance.sample(range(row * 8, row * 8 + 8), 8)]
        tops = bytes(position.tops[place] for place in order)
        shuffled = position._replace(tops=tops, under=tuple(position.under[place] for place in order))

        assert canonical_form(shuffled).position == canonical_form(position).position
