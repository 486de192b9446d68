"""`solve`, for whatever rules and position."""

import pytest

from service.engine import PRESETS, Numbered
from service.engine.deal import start
from service.solver import full, modern
from service.solver.results import Won
from service.solver.solve import solve
from service.solver.verify import wins
from tests.engine.games import WINS, Win


@pytest.mark.parametrize("win", {win.preset: win for win in WINS}.values(), ids=str)
def test_a_game_half_won_is_won_under_every_preset(win: Win) -> None:
    position = win.play.positions[len(win.moves) // 2]
    answer = solve(position, win.rules, 20_000)

    assert isinstance(answer, Won)
    assert wins(position, win.rules, answer.line)


def test_modern_is_solved_by_its_own_search_and_the_others_by_the_full_one() -> None:
    for preset, rules in PRESETS.items():
        position = start(Numbered(1), rules)
        own = modern.search(position, 50) if preset == "modern" else full.search(position, rules, 50)
        assert solve(position, rules, 50) == own
