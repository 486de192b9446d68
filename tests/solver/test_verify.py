"""The verifier, which trusts no search."""

import pytest

from service.engine import PRESETS, Position
from service.engine.notation import parse_move, parse_position
from service.solver.results import GaveUp, Unwinnable, Won
from service.solver.verify import holds, winnable, wins
from tests.engine.games import TO_AND_FRO, WINS, Win, won

MODERN = PRESETS["modern"]
LOST = parse_position(TO_AND_FRO)
MOST = 1000


def near_the_end(moves: int) -> tuple[Position, Won]:
    """A golden win so many moves before its end, and the rest of it."""
    line = WINS[0].play.moves
    return won(WINS[0].preset, WINS[0].deal, len(line) - moves), Won(line[len(line) - moves :], 0)


@pytest.mark.parametrize("win", WINS, ids=str)
def test_a_golden_win_is_one(win: Win) -> None:
    play = win.play
    assert wins(play.positions[0], win.rules, play.moves)
    assert not wins(play.positions[0], win.rules, play.moves[:-1])


def test_a_line_that_is_not_legal_wins_nothing() -> None:
    position, rest = near_the_end(5)
    assert not wins(position, WINS[0].rules, [parse_move("a1a1"), *rest.line])
    assert not wins(position, WINS[0].rules, [*rest.line, parse_move("a1G")])


def test_play_is_looked_at_to_its_end_or_to_a_bound() -> None:
    assert winnable(near_the_end(10)[0], WINS[0].rules, MOST) is True
    assert winnable(LOST, MODERN, MOST) is False
    assert winnable(LOST, MODERN, 0) is None


def test_answers_hold_or_do_not() -> None:
    position, rest = near_the_end(10)
    rules = WINS[0].rules
    assert holds(rest, position, rules, MOST) is True
    assert holds(Won((), 0), position, rules, MOST) is False
    assert holds(Unwinnable(1), position, rules, MOST) is False
    assert holds(Unwinnable(1), LOST, MODERN, MOST) is True
    assert holds(Unwinnable(1), LOST, MODERN, 0) is None


def test_giving_up_claims_nothing() -> None:
    assert holds(GaveUp(1), LOST, MODERN, MOST) is True
