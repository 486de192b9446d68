"""What the engine finds without asking its judge, against what the judge and the moves themselves say."""

from hypothesis import given

from service.engine.moves import kind_of, legal_by_kind, legal_moves, must_fill, transfer, turns_up
from service.engine.piles import row_of
from tests.engine.games import Play, any_rules, plays


@given(plays() | plays(any_rules))
def test_a_move_brings_up_a_card_exactly_if_the_stock_is_less_after_it(play: Play) -> None:
    for position in play.positions[-20:]:
        for move in legal_moves(position, play.rules):
            after = transfer(position, move, play.rules)
            assert turns_up(position, move, play.rules) == (len(after.stock) < len(position.stock))


@given(plays() | plays(any_rules))
def test_legal_moves_are_listed_with_their_kinds_and_each_list_leaves_one_row(play: Play) -> None:
    for position in play.positions[-20:]:
        for kind, moves in legal_by_kind(position, play.rules, must_fill(position, play.rules)):
            assert {kind_of(position, move) for move in moves} <= {kind}
            assert len({row_of(move.source) for move in moves}) <= 1
