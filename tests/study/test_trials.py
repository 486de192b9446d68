"""A trial of a deal: nothing is told that the check does not bear out."""

import pytest

from service.engine import PRESETS, Numbered
from service.engine.deal import start
from service.engine.notation import parse_move
from service.solver.solve import solve
from service.solver.verify import wins
from service.study.trials import played, tried

MODERN = PRESETS["modern"]


@pytest.mark.parametrize("rules", PRESETS)
def test_a_win_is_told_with_a_line_that_the_engine_plays(rules: str) -> None:
    trial = tried(rules, 20_000, is_graded=False, number=1)
    line = [parse_move(move) for move in trial.line]

    assert (trial.deal, trial.rules, trial.result, trial.grade) == (1, rules, "won", None)
    assert trial.nodes == solve(start(Numbered(1), PRESETS[rules]), PRESETS[rules], 20_000).nodes
    assert wins(start(Numbered(1), PRESETS[rules]), PRESETS[rules], line)
    points = played(Numbered(1), PRESETS[rules], line)
    assert points is not None
    assert points.tempo == trial.tempo


def test_a_graded_win_has_its_grade_and_a_line_that_is_no_slower() -> None:
    plain, graded = (tried("modern", 20_000, is_graded, 1) for is_graded in (False, True))

    assert graded.grade is not None
    assert graded.result == "won"
    assert graded.nodes == plain.nodes
    assert (graded.tempo or 0) >= (plain.tempo or 0)


def test_a_deal_that_nothing_wins_has_no_line() -> None:
    trial = tried("modern", 20_000, is_graded=True, number=167)
    assert (trial.result, trial.tempo, trial.grade, trial.line) == ("unwinnable", None, None, ())


def test_a_deal_that_is_given_up_had_all_its_nodes() -> None:
    trial = tried("cadogan", 50, is_graded=False, number=1)
    assert (trial.result, trial.nodes, trial.line) == ("gave_up", 50, ())


def test_a_line_that_does_not_win_is_seen() -> None:
    line = [parse_move(move) for move in tried("modern", 20_000, is_graded=False, number=1).line]

    points = played(Numbered(1), MODERN, line[:-1])
    assert points is not None
    assert not points.won
    assert played(Numbered(1), MODERN, [*line, line[0]]) is None
    assert played(Numbered(2), MODERN, line) is None
