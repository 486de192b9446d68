"""Where a played line was lost, by asking about few of its positions."""

from collections.abc import Sequence
from math import ceil, log2

from hypothesis import given
from hypothesis import strategies as st

from service.engine import PRESETS, Position
from service.solver.results import GaveUp, Won
from service.solver.solve import solve
from service.solver.turning import Turning, turning
from tests.engine.games import WINS

YES_NO = {True: "yes", False: "no", None: "?"}


def asked(verdicts: Sequence[bool | None]) -> tuple[Turning, list[int]]:
    """What the bisection tells of positions with these verdicts, and which it asks about."""
    asking, numbers = turning(len(verdicts)), []
    try:
        number = next(asking)
        while True:
            numbers.append(number)
            number = asking.send(verdicts[number])
    except StopIteration as end:
        return end.value, numbers


@st.composite
def lines(draw: st.DrawFn) -> list[bool | None]:
    """A game's verdicts: it can be won for a while, and then no more; some nobody knows."""
    won, lost = draw(st.integers(0, 200)), draw(st.integers(0, 200))
    known = draw(st.lists(st.booleans(), min_size=won + lost, max_size=won + lost))
    return [verdict if known_ else None for verdict, known_ in zip([True] * won + [False] * lost, known, strict=True)]


@given(st.integers(0, 300), st.integers(0, 300))
def test_a_game_of_which_all_can_be_known_is_told_to_the_move(won: int, lost: int) -> None:
    found, numbers = asked([True] * won + [False] * lost)

    assert found == Turning(won - 1 if won else None, won if lost else None)
    assert [found.winnable(number) for number in range(won + lost)] == [True] * won + [False] * lost
    assert len(numbers) <= ceil(log2(won + lost + 1))


@given(lines())
def test_what_nobody_knows_is_told_as_neither(verdicts: list[bool | None]) -> None:
    found, numbers = asked(verdicts)

    assert len(set(numbers)) == len(numbers) <= 2 * ceil(log2(len(verdicts) + 1))
    assert found.won == max((number for number in numbers if verdicts[number]), default=None)
    assert found.lost == min((number for number in numbers if verdicts[number] is False), default=None)
    for number, verdict in enumerate(verdicts):
        told = found.winnable(number)
        assert told is verdict or None in {told, verdict}, f"{number} is {YES_NO[verdict]} and not {YES_NO[told]}"


def test_one_that_is_not_known_hides_no_lost_one_after_it() -> None:
    found, _ = asked([True] * 10 + [None] * 5 + [False] * 10)
    assert found == Turning(9, 15)


def test_a_game_that_ends_in_a_win_could_be_won_all_along() -> None:
    win = next(win for win in WINS if win.preset == "modern")
    found, numbers = asked(verdicts_of(win.play.positions[::20]))

    assert found.lost is None
    assert found.won == len(win.play.positions[::20]) - 1
    assert len(numbers) < 6


def verdicts_of(positions: tuple[Position, ...]) -> list[bool | None]:
    answers = [solve(position, PRESETS["modern"], 20_000) for position in positions]
    return [None if isinstance(answer, GaveUp) else isinstance(answer, Won) for answer in answers]
