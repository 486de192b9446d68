"""`modern`: every answer is checked by the engine alone, or by a proof that takes no shortcut."""

from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from service.engine import PRESETS, Numbered, Position, Status, status
from service.engine.deal import start
from service.engine.notation import parse_position
from service.engine.piles import LORDS, PRIVY_COUNCIL, row_of
from service.engine.position import ALL_FOUNDED, canonical
from service.solver import modern
from service.solver.budget import Budget
from service.solver.modern_beam import Plan, beam
from service.solver.modern_game import GREEDY, PATIENT, root_of
from service.solver.modern_proof import proof
from service.solver.modern_value import TUNED, Values
from service.solver.results import Answer, GaveUp, Unwinnable, Won
from service.solver.verify import winnable, wins
from tests.engine.games import TO_AND_FRO, WINS, Play, Win, plays
from tests.solver.positions import end_position

MODERN = PRESETS["modern"]
BUDGET = 5000
MISSED = (188, 293, 380, 422, 472, 485, 571, 579)
"""Deals that the narrowest beam does not win."""
LOST = (167, 699, 710)
"""Deals that nothing wins."""


def unsettled(position: Position) -> int | None:
    """The row of the vacancy."""
    return None if (vacancy := position.vacancy()) is None else row_of(vacancy)


def check(answer: Answer, position: Position) -> None:
    """A win replays; where none was found, none is found without the shortcut of safe promotions either."""
    if isinstance(answer, Won):
        assert wins(position, MODERN, answer.line)
    elif isinstance(answer, Unwinnable):
        assert proof(root_of(position), Budget(20 * BUDGET), PATIENT) is None


@pytest.mark.parametrize("numbers", [range(1, 21), range(21, 41), range(41, 61)], ids=lambda numbers: f"{numbers[0]}-")
def test_deals_are_won_and_their_lines_replay(numbers: range) -> None:
    for number in numbers:
        position = start(Numbered(number), MODERN)
        answer = modern.search(position, BUDGET)
        assert isinstance(answer, Won)
        assert wins(position, MODERN, answer.line)


@pytest.mark.parametrize("number", MISSED)
def test_a_deal_that_the_narrowest_beam_misses_is_won_by_another(number: int) -> None:
    position = start(Numbered(number), MODERN)
    root = root_of(position)
    assert beam(root, Values(root, TUNED), Plan(TUNED, 1, GREEDY), Budget(BUDGET), Random(0)) is None

    answer = modern.search(position, BUDGET)
    assert isinstance(answer, Won)
    assert wins(position, MODERN, answer.line)


@pytest.mark.parametrize("number", LOST)
def test_a_lost_deal_is_proved_lost(number: int) -> None:
    position = start(Numbered(number), MODERN)
    answer = modern.search(position, BUDGET)
    assert isinstance(answer, Unwinnable)
    check(answer, position)


@pytest.mark.parametrize("seed", range(4))
def test_end_positions_are_judged_as_by_looking_at_all_play(seed: int) -> None:
    chance, met = Random(seed), set()
    for _ in range(500):
        position = end_position(MODERN, chance, 1, 24)
        answer = modern.search(position, BUDGET)
        assert isinstance(answer, Won) is winnable(position, MODERN, 100_000)
        check(answer, position)
        met.add((type(answer), unsettled(position)))
    assert met >= {(Won, row) for row in (None, PRIVY_COUNCIL, LORDS)} | {(Unwinnable, row) for row in (None, LORDS)}


@settings(deadline=None, max_examples=50)
@given(plays(st.just(MODERN)))
def test_any_position_of_a_game_is_judged_soundly(play: Play) -> None:
    answer = modern.search(play.last, BUDGET)
    check(answer, play.last)
    if status(play.last, MODERN) is Status.STUCK:
        assert isinstance(answer, Unwinnable)


@pytest.mark.parametrize("win", [win for win in WINS if win.preset == "modern"][:4], ids=str)
def test_no_position_on_the_way_to_a_win_is_given_up_for_lost(win: Win) -> None:
    for position in win.play.positions[::5]:
        answer = modern.search(position, BUDGET)
        assert isinstance(answer, Won)
        assert wins(position, MODERN, answer.line)


def test_a_position_and_its_mirror_take_the_same_nodes() -> None:
    for number in (1, 167):
        position = start(Numbered(number), MODERN)
        assert modern.search(position, BUDGET).nodes == modern.search(canonical(position), BUDGET).nodes


def test_the_same_question_has_the_same_answer() -> None:
    position = start(Numbered(1), MODERN)
    assert modern.search(position, BUDGET) == modern.search(position, BUDGET)


@pytest.mark.parametrize("limit", [1, 5, 100])
def test_a_search_gives_up_when_its_budget_is_spent(limit: int) -> None:
    assert modern.search(start(Numbered(1), MODERN), limit) == GaveUp(limit)


def test_a_won_game_is_won_at_once() -> None:
    won = Position(bytes(32), (b"",) * 32, ALL_FOUNDED, b"", b"")
    assert modern.search(won, 1) == Won((), 0)


def test_cards_that_can_only_go_to_and_fro_are_proved_lost() -> None:
    assert modern.search(parse_position(TO_AND_FRO), BUDGET) == Unwinnable(2)
