"""The search and its proof under any rules, on hundreds of end positions that are settled by trying every move."""

from random import Random

import pytest

from service.engine import PRESETS, Rules
from service.solver.budget import Budget
from service.solver.full import search
from service.solver.full_board import Table, board_of
from service.solver.full_proof import Proof
from service.solver.results import Unwinnable, Won
from service.solver.verify import winnable, wins
from tests.solver.positions import end_position

PLENTY = 1_000_000

every_preset = pytest.mark.parametrize("rules", PRESETS.values(), ids=PRESETS)


@every_preset
@pytest.mark.parametrize(
    ("seed", "count", "least", "most", "ways"),
    [(1, 500, 1, 24, 300), (2, 500, 1, 24, 300), (3, 80, 33, 38, 500)],
    ids=["few cards", "few other cards", "with a hand"],
)
def test_end_positions_are_judged_as_by_trying_every_move(
    rules: Rules, seed: int, count: int, least: int, most: int, ways: int
) -> None:
    chance = Random(seed)
    positions = [end_position(rules, chance, least, most) for _ in range(count)]
    judged = [(position, can) for position in positions if (can := winnable(position, rules, ways)) is not None]

    for position, can in judged:
        answer = search(position, rules, PLENTY)
        assert wins(position, rules, answer.line) if isinstance(answer, Won) else isinstance(answer, Unwinnable)
        assert isinstance(answer, Won) == can
    assert len(judged) > count * 0.6
    assert {can for _, can in judged} == {True, False}


@every_preset
@pytest.mark.parametrize("shortcut", [True, False])
def test_the_proof_alone_judges_them_so_too_with_its_shortcut_and_without(rules: Rules, shortcut: bool) -> None:
    chance, judged = Random(5), set()
    for _ in range(200):
        position = end_position(rules, chance, 12, 24)
        if (can := winnable(position, rules, 300)) is not None:
            judged.add(can)
            proof = Proof(Table(rules, position.stock), board_of(position), shortcut=shortcut)
            assert (proof.run(Budget(PLENTY)) is not None) == can
    assert judged == {True, False}
