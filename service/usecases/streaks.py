"""A player's days in a row, from day numbers alone.

1. A day is played if anything was moved in its run, the first one or the late one.
2. Days in a row are days played; wins in a row are days won.
3. A day that was played but not won ends the row of wins, not the row of days.
4. A missed day ends both rows, unless a freeze is in hand, which is then used on it.
5. Every 7 days played earn a freeze; two at most are in hand, and what is earned beyond them is lost.
6. A void day counts for nothing, whether it was played or not, and ends no row; nor does a frozen day.
7. A day is not missed while it can be played: today, and yesterday by a late run, end no row.
8. A run of today or yesterday that goes on counts for the row of days, and does not end the row of wins yet.

All of it is worked out anew each time, so that a late run or a void day changes the past as if it had always been so.
"""

from collections.abc import Mapping, Set
from enum import Enum
from typing import Final

from service.ports.daily import PlayedDay
from service.protocol.days import CalendarDay, DayState, Row, StreakCounts
from service.usecases.days import dates_of, number_of

DAYS_A_FREEZE: Final = 7
FREEZES_IN_HAND: Final = 2


class Outcome(Enum):
    """What came of a day that was played."""

    WON = "won"
    NOT_WON = "not_won"
    UNFINISHED = "unfinished"


def outcomes(days: Mapping[str, PlayedDay]) -> dict[int, Outcome]:
    """What came of each day that was played, by day number, from a player's record by date."""
    return {number_of(date): _outcome(run) for date, run in days.items() if run.moves}


def streaks(days: Mapping[int, Outcome], void: Set[int], today: int) -> StreakCounts:
    """The three counters and the freezes in hand."""
    states, freezes = _states(days, void, today)
    played = _Counter()
    won = _Counter()
    for number, state in states.items():
        if state == "missed":
            played.end()
            won.end()
        elif state in {"won", "played"}:
            played.count()
            if state == "won":
                won.count()
            elif days[number] is not Outcome.UNFINISHED or not _is_open(number, today):
                won.end()
    return StreakCounts(played.total, played.row(), won.row(), freezes)


def calendar(days: Mapping[int, Outcome], void: Set[int], today: int, month: str) -> list[CalendarDay]:
    """Every date of the month with its state."""
    states, _ = _states(days, void, today)
    dates = [(date, number_of(date)) for date in dates_of(month)]
    return [CalendarDay(date, number, states.get(number) or _around(number, void, today)) for date, number in dates]


class _Counter:
    """Counts days, those in a row, and the longest row."""

    def __init__(self) -> None:
        self.total = self._current = self._longest = 0

    def count(self) -> None:
        self.total += 1
        self._current += 1
        self._longest = max(self._longest, self._current)

    def end(self) -> None:
        self._current = 0

    def row(self) -> Row:
        return Row(self._current, self._longest)


def _states(days: Mapping[int, Outcome], void: Set[int], today: int) -> tuple[dict[int, DayState], int]:
    """The state of each day from the first that was played to today, and the freezes in hand after them."""
    states: dict[int, DayState] = {}
    played = freezes = 0
    for number in range(min(days, default=today), today + 1):
        state = _state_of(number, days, void, today)
        if state in {"won", "played"}:
            played += 1
            freezes = min(freezes + (played % DAYS_A_FREEZE == 0), FREEZES_IN_HAND)
        elif state == "missed" and freezes:
            freezes -= 1
            state = "frozen"
        states[number] = state
    return states, freezes


def _state_of(number: int, days: Mapping[int, Outcome], void: Set[int], today: int) -> DayState:
    """The state of a day from the first that was played to today, had there never been a freeze."""
    if number in void:
        return "void"
    if number in days:
        return "won" if days[number] is Outcome.WON else "played"
    return "open" if _is_open(number, today) else "missed"


def _around(number: int, void: Set[int], today: int) -> DayState:
    """The state of a day that is still to come, or before the first that was played."""
    if number in void:
        return "void"
    if number > today:
        return "future"
    return "open" if _is_open(number, today) else "before"


def _is_open(number: int, today: int) -> bool:
    """Whether the day is today, or yesterday, which can be played late until today ends."""
    return number >= today - 1


def _outcome(run: PlayedDay) -> Outcome:
    if run.won:
        return Outcome.WON
    return Outcome.UNFINISHED if run.points is None else Outcome.NOT_WON
