import pytest

from service.engine import CorruptLog, EngineError, IllegalMove, NotationError, Reason
from service.engine.errors import ConsentNeeded, GameOver, NothingToDo, OthersPlay, UnplayablePosition


@pytest.mark.parametrize(
    ("error", "message"),
    [
        (NotationError("card", "TX", 0, "a card"), "not a card: at 0, 'TX', there should be a card"),
        (NotationError("move", "a1", 2, "a place"), "not a move: at 2, the end, there should be a place"),
        (NotationError("deal", "12345678901234567890", 3, "x"), "not a deal: at 3, '456789012345', there should be x"),
        (IllegalMove("a1G", Reason.WRONG_RANK), "a1G is not legal: wrong_rank"),
        (NothingToDo("redo"), "there is nothing to redo"),
        (GameOver("won"), "the game is won"),
        (ConsentNeeded("undo", 2, frozenset({3})), "seat 3 must consent to the undo of 2"),
        (ConsentNeeded("restart", 9, frozenset({2, 0})), "seats 0, 2 must consent to the restart of 9"),
        (OthersPlay(frozenset({2, 1})), "the game goes on for seats 1, 2"),
        (UnplayablePosition("these rules have no waste"), "these rules have no waste"),
        (CorruptLog(3, "its checksum does not match"), "entry 3 is corrupt: its checksum does not match"),
    ],
)
def test_an_error_says_what_is_wrong(error: EngineError, message: str) -> None:
    assert str(error) == message


def test_the_reasons_are_the_codes_of_the_wire() -> None:
    assert " ".join(Reason) == (
        "must_fill no_vacancy empty_source not_top_row not_row_below wrong_rank wrong_colour wrong_suit same_place "
        "no_lateral not_deep no_waste stock_empty no_people over "
        "not_your_turn not_your_department"
    )
