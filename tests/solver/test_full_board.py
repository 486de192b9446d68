"""The board of the search under any rules: it moves as the engine does, and its worth is reckoned right."""

import pytest
from hypothesis import given, settings

from service.engine import Position, legal_moves
from service.engine.moves import transfer
from service.solver.full_board import Board, Table, board_of
from service.solver.full_value import Appraiser
from tests.engine.games import Play, any_rules, plays


def followers(table: Table, board: Board) -> set[Board]:
    """What one step or turn makes of a board."""
    turned = table.turned(board, table.forced)
    there = {table.after(board, step) for step in table.steps(board, table.forced)}
    return there | {turned} if turned else there


def as_seen_from(position: Position, later: Position) -> Board:
    """The board of a position on a table that another has been laid on."""
    return board_of(later)._replace(dealt=len(position.stock) - len(later.stock))


@settings(deadline=None)  # a busy machine is no reason to fail
@given(plays(any_rules))
def test_a_board_can_become_what_the_engine_s_moves_make_of_its_position(play: Play) -> None:
    for position in play.positions[-5:]:
        table = Table(play.rules, position.stock)
        by_engine = {
            as_seen_from(position, transfer(position, move, play.rules)) for move in legal_moves(position, play.rules)
        }

        assert table.is_won(board_of(position)) or followers(table, board_of(position)) == by_engine


@settings(deadline=None)  # a busy machine is no reason to fail
@given(plays(any_rules))
def test_a_worth_changed_step_by_step_is_the_worth_reckoned_afresh(play: Play) -> None:
    for position in play.positions[-5:]:
        table, board = Table(play.rules, position.stock), board_of(position)
        appraiser = Appraiser(table)
        worth, steps = appraiser.worth(board), table.steps(board, table.forced)

        changed = appraiser.worths_after(board, worth, steps)
        afresh = [appraiser.worth(table.after(board, step)) for step in steps]
        assert changed == pytest.approx(afresh)
        if turned := table.turned(board, table.forced):
            assert worth + appraiser.change_of_hand(board, turned) == pytest.approx(appraiser.worth(turned))
