"""Certificates of deals: a win, a grade, and the line of most tempo."""

import pytest

from service.engine import PRESETS, Numbered, Rules
from service.engine.deal import start
from service.engine.position import canonical
from service.solver.certify import TRIES, Certificate, Difficulty, certify, difficulty_of, tempo_of
from service.solver.results import GaveUp, Unwinnable, Won
from service.solver.solve import solve
from service.solver.verify import wins
from tests.engine.games import WINS, Win

ENOUGH = 20_000
MODERN = PRESETS["modern"]
LOST = 167
"""A deal of modern that nothing wins."""

every_preset = pytest.mark.parametrize("rules", PRESETS.values(), ids=PRESETS)


@every_preset
def test_a_deal_that_is_won_has_a_grade_and_a_best_line_that_wins_too(rules: Rules) -> None:
    better = 0
    for number in (1, 2):
        deal = start(Numbered(number), rules)
        answer, difficulty, best, par = certify(deal, rules, ENOUGH)

        assert answer == solve(deal, rules, ENOUGH)
        assert isinstance(answer, Won)
        assert isinstance(difficulty, Difficulty)
        assert wins(deal, rules, best)
        assert par == tempo_of(deal, rules, best) >= tempo_of(deal, rules, answer.line)
        better += best != answer.line
    assert better > 0


@pytest.mark.parametrize("preset", ["modern", "cadogan"])
def test_a_deal_and_its_canonical_form_have_the_same_grade_and_par(preset: str) -> None:
    rules = PRESETS[preset]
    deal = start(Numbered(4), rules)
    one, other = certify(deal, rules, ENOUGH), certify(canonical(deal), rules, ENOUGH)

    assert (one.difficulty, one.par, one.answer.nodes) == (other.difficulty, other.par, other.answer.nodes)


def test_the_same_deal_has_the_same_certificate() -> None:
    deal = start(Numbered(2), MODERN)
    assert certify(deal, MODERN, ENOUGH) == certify(deal, MODERN, ENOUGH)


def test_a_deal_that_is_not_won_has_no_more_than_that_answer() -> None:
    lost = certify(start(Numbered(LOST), MODERN), MODERN, ENOUGH)
    unknown = certify(start(Numbered(1), MODERN), MODERN, 10)

    assert isinstance(lost.answer, Unwinnable)
    assert lost == Certificate(lost.answer)
    assert unknown == Certificate(GaveUp(10), difficulty=None, best=(), par=None)


@pytest.mark.parametrize("win", {win.preset: win for win in WINS}.values(), ids=str)
def test_what_only_needs_promotions_is_gentle(win: Win) -> None:
    for left in (0, 1, 2):
        position = win.play.positions[len(win.moves) - left]
        answer, difficulty, best, par = certify(position, win.rules, ENOUGH)

        assert isinstance(answer, Won)
        assert (difficulty, len(best), par) == (Difficulty.GENTLE, left, 0)


@pytest.mark.parametrize(
    ("number", "difficulty"),
    [(1, Difficulty.GENTLE), (2, Difficulty.STEADY), (4, Difficulty.TESTING), (23, Difficulty.FIERCE)],
)
def test_a_deal_keeps_its_grade(number: int, difficulty: Difficulty) -> None:
    assert certify(start(Numbered(number), MODERN), MODERN, ENOUGH).difficulty is difficulty


def test_the_fewer_hasty_searches_win_the_harder_is_the_deal() -> None:
    gentlest_first = list(Difficulty)
    grades = [gentlest_first.index(difficulty_of(won)) for won in range(TRIES, -1, -1)]

    assert grades == sorted(grades)
    assert set(grades) == set(range(len(gentlest_first)))


@pytest.mark.parametrize("win", WINS, ids=str)
def test_the_tempo_of_a_line_is_that_of_the_game_it_makes(win: Win) -> None:
    assert tempo_of(win.play.positions[0], win.rules, win.play.moves) == win.tempo
