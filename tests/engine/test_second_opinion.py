"""The engine and a plain second engine say the same."""

from hypothesis import given, settings

from service.engine import status, why_not
from service.engine.moves import ALL_MOVES, legal_moves, perft
from service.engine.notation import format_position
from tests.engine import second_opinion
from tests.engine.games import Play, any_rules, plays


@given(plays() | plays(any_rules))
def test_the_second_engine_plays_every_move_to_the_same_position(play: Play) -> None:
    for before, move, after in play.steps:
        board = second_opinion.read(format_position(before))
        assert second_opinion.write(second_opinion.play(board, str(move), play.rules)) == format_position(after)


@given(plays() | plays(any_rules))
def test_the_second_engine_finds_the_same_moves_legal(play: Play) -> None:
    for position in play.positions[-8:]:
        board = second_opinion.read(format_position(position))
        ours = sorted(str(move) for move in ALL_MOVES if why_not(position, move, play.rules) is None)
        assert ours == sorted(second_opinion.legal(board, play.rules))


@given(plays() | plays(any_rules))
def test_the_second_engine_calls_the_same_games_won_and_stuck(play: Play) -> None:
    for position in play.positions[-8:]:
        board = second_opinion.read(format_position(position))
        assert status(position, play.rules) == second_opinion.status(board, play.rules)


@settings(max_examples=25)
@given(plays())
def test_the_second_engine_counts_the_same_lines(play: Play) -> None:
    board = second_opinion.read(format_position(play.last))
    assert perft(play.last, play.rules, 2) == second_opinion.perft(board, play.rules, 2)


@given(plays() | plays(any_rules))
def test_legal_moves_are_the_moves_against_which_nothing_is_to_be_said(play: Play) -> None:
    for position in play.positions[-8:]:
        legal = legal_moves(position, play.rules)
        assert len(legal) == len(set(legal))
        assert set(legal) == {move for move in ALL_MOVES if why_not(position, move, play.rules) is None}
