"""The search under any rules: its answers against the engine's own, and what it may not claim."""

from random import Random

import pytest

from service.engine import PRESETS, Numbered, Position, Rules
from service.engine.deal import start
from service.engine.moves import must_fill, transfer
from service.engine.notation import parse_position
from service.solver.budget import Budget, OutOfBudget
from service.solver.full import search
from service.solver.full_board import Table, board_of
from service.solver.full_proof import Proof
from service.solver.results import GaveUp, Unwinnable, Won
from service.solver.verify import holds, winnable
from tests.solver.positions import end_position

PLENTY = 1_000_000
ENOUGH = 20_000
WITH_A_WASTE = [name for name, rules in PRESETS.items() if rules.waste]

every_preset = pytest.mark.parametrize("rules", PRESETS.values(), ids=PRESETS)
every_cadogan = pytest.mark.parametrize("rules", [PRESETS[name] for name in WITH_A_WASTE], ids=WITH_A_WASTE)


def won_line(rules: Rules, number: int) -> tuple[list[Position], Won]:
    """The positions of a line that wins a deal, but the last, and the answer that gave it."""
    position = start(Numbered(number), rules)
    answer = search(position, rules, ENOUGH)
    assert isinstance(answer, Won)
    positions = []
    for move in answer.line:
        positions.append(position)
        position = transfer(position, move, rules)
    return positions, answer


@every_cadogan
def test_nearly_every_deal_is_won_by_a_line_that_the_engine_replays(rules: Rules) -> None:
    deals = [start(Numbered(number), rules) for number in range(30)]
    answers = [search(deal, rules, ENOUGH) for deal in deals]

    assert all(holds(answer, deal, rules, 0) for answer, deal in zip(answers, deals, strict=True))
    assert sum(isinstance(answer, Won) for answer in answers) >= 28


def test_a_proof_goes_on_where_its_budget_ran_out() -> None:
    rules = PRESETS["cadogan"]
    chance, steps = Random(11), 0
    for _ in range(20):
        position = end_position(rules, chance, 20, 24)
        whole, parts = Budget(PLENTY), Budget(PLENTY)
        expected = Proof(Table(rules, position.stock), board_of(position)).run(whole)
        proof = Proof(Table(rules, position.stock), board_of(position))
        while True:
            part = parts.part(3)
            try:
                assert proof.run(part) == expected
                break
            except OutOfBudget:
                steps += 1
            finally:
                parts.nodes += part.nodes
        assert parts.nodes == whole.nodes
    assert steps > 20


def test_a_promotion_is_not_safe_while_it_takes_its_twin_s_place() -> None:
    """To win, the single six of spades must go first, and make a vacancy; the one on the seven must wait."""
    rules = PRESETS["cadogan"]
    position = parse_position(
        "TD9S8D,9D8S,TS,JS,JDTS,6S,JS,7D6S/7S6D5S,7S,9S,8S,4S,-,-,-/-,-,-,-,-,-,-,-/-,-,-,-,-,-,-,- JJ53JJJ5 - -"
    )

    assert winnable(position, rules, PLENTY)
    assert Proof(Table(rules, position.stock), board_of(position)).run(Budget(PLENTY)) is not None


@every_cadogan
def test_no_position_on_a_winning_line_is_called_unwinnable(rules: Rules) -> None:
    positions, _ = won_line(rules, 1)
    vacant = [position for position in positions if must_fill(position, rules) is not None]
    answers = [search(position, rules, ENOUGH) for position in (*positions[::20], *vacant[::20])]

    assert not any(isinstance(answer, Unwinnable) for answer in answers)
    assert sum(isinstance(answer, Won) for answer in answers) >= 0.9 * len(answers)


@every_preset
@pytest.mark.parametrize("limit", [0, 1, 100, 1500, 5000])
def test_a_search_keeps_its_budget_and_says_that_it_gave_up(rules: Rules, limit: int) -> None:
    for number in range(4):
        answer = search(start(Numbered(number), rules), rules, limit)

        assert answer.nodes <= limit
        assert not isinstance(answer, Unwinnable)
        if isinstance(answer, GaveUp):
            assert answer.nodes == limit


@every_preset
def test_a_lost_position_is_unwinnable_only_once_every_line_was_followed(rules: Rules) -> None:
    chance, lost = Random(3), 0
    while lost < 5:
        position = end_position(rules, chance, 16, 24)
        answer = search(position, rules, 3000)
        if isinstance(answer, Unwinnable) and answer.nodes > 2:
            lost += 1
            assert search(position, rules, answer.nodes) == answer
            assert search(position, rules, answer.nodes - 1) == GaveUp(answer.nodes - 1)
            with pytest.raises(OutOfBudget):
                Proof(Table(rules, position.stock), board_of(position)).run(Budget(0))


@every_preset
def test_a_won_position_needs_no_move(rules: Rules) -> None:
    nothing = "/".join([",".join("-" * 8)] * 4)

    assert search(parse_position(f"{nothing} JJJJJJJJ - -"), rules, 0) == Won((), 0)


@every_cadogan
def test_the_same_question_has_the_same_answer(rules: Rules) -> None:
    for number in range(5):
        deal = start(Numbered(number), rules)

        assert search(deal, rules, 3000) == search(deal, rules, 3000)
