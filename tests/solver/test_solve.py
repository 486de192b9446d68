"""`solve`, for whatever rules and position, and `is_lost`, which takes no shortcut."""

from random import Random

import pytest

from service.engine import PRESETS, Numbered, Rules, apply, legal_moves
from service.engine.deal import start
from service.solver import full, modern
from service.solver.budget import OutOfBudget
from service.solver.results import Unwinnable, Won
from service.solver.solve import is_lost, solve
from service.solver.verify import wins
from tests.engine.games import WINS, Win
from tests.solver.positions import end_position

ENOUGH = 20_000
PLENTY = 1_000_000

every_preset = pytest.mark.parametrize("rules", PRESETS.values(), ids=PRESETS)


@pytest.mark.parametrize("win", {win.preset: win for win in WINS}.values(), ids=str)
def test_a_game_half_won_is_won_under_every_preset(win: Win) -> None:
    position = win.play.positions[len(win.moves) // 2]
    answer = solve(position, win.rules, ENOUGH)

    assert isinstance(answer, Won)
    assert wins(position, win.rules, answer.line)


def test_modern_is_solved_by_its_own_search_and_the_others_by_the_full_one() -> None:
    for preset, rules in PRESETS.items():
        position = start(Numbered(1), rules)
        own = modern.search(position, 50) if preset == "modern" else full.search(position, rules, 50)
        assert solve(position, rules, 50) == own


@every_preset
def test_a_position_that_can_become_a_won_one_is_won(rules: Rules) -> None:
    chance, steps = Random(21), 0
    for _ in range(100):
        position = end_position(rules, chance, 6, 16)
        answer = solve(position, rules, PLENTY)
        for move in legal_moves(position, rules):
            if isinstance(solve(apply(position, move, rules), rules, PLENTY), Won):
                steps += 1
                assert isinstance(answer, Won)
    assert steps > 50


@every_preset
def test_what_is_unwinnable_is_proved_again_without_a_shortcut_and_what_is_won_is_not(rules: Rules) -> None:
    chance, met = Random(22), set()
    for _ in range(300):
        position = end_position(rules, chance, 6, 18)
        answer = solve(position, rules, PLENTY)
        met.add(type(answer))
        assert is_lost(position, rules, PLENTY) is isinstance(answer, Unwinnable)
    assert met == {Won, Unwinnable}


@every_preset
def test_a_proof_that_would_take_more_nodes_is_none(rules: Rules) -> None:
    with pytest.raises(OutOfBudget):
        is_lost(start(Numbered(1), rules), rules, 100)
