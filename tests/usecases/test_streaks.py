"""Days in a row, with freezes, void days and late runs.

A player's days are written a letter each, from day 1 on: `W` won, `L` played and not won, `u` a run that goes on, `.`
nothing, `v` void; `V` void, and won.
"""

import itertools
import random
import re
from collections.abc import Mapping, Set

import pytest
from hypothesis import given
from hypothesis import strategies as st

from service.ports.daily import PlayedDay, RunKind
from service.protocol.days import CalendarDay, Row, StreakCounts
from service.usecases.days import date_of, dates_of, late_until, number_of
from service.usecases.days import today as date_at
from service.usecases.streaks import Outcome, calendar, outcomes, streaks

LETTERS = {"W": Outcome.WON, "V": Outcome.WON, "L": Outcome.NOT_WON, "u": Outcome.UNFINISHED}

Letters = st.text("WWWLLu...vV", max_size=60)


def read(letters: str) -> tuple[dict[int, Outcome], set[int], int]:
    """The days of the letters, the last of which is today."""
    days = {number: LETTERS[letter] for number, letter in enumerate(letters, start=1) if letter in LETTERS}
    void = {number for number, letter in enumerate(letters, start=1) if letter in "vV"}
    return days, void, len(letters)


def counted(letters: str) -> StreakCounts:
    return streaks(*read(letters))


def days_in_row(letters: str) -> tuple[int, int]:
    row = counted(letters).days
    return row.current, row.longest


def wins_in_row(letters: str) -> tuple[int, int]:
    row = counted(letters).wins
    return row.current, row.longest


def states(letters: str, month: str = "2026-01") -> list[str]:
    """The states of a month, by default of the one that day 1 begins."""
    return [day.state for day in calendar(*read(letters), month)]


# What counts.


def test_a_day_is_played_if_anything_was_moved_in_its_run() -> None:
    record = {
        "2026-01-01": PlayedDay("a", RunKind.FIRST, 0, moves=True, won=True, points=9000),
        "2026-01-02": PlayedDay("b", RunKind.FIRST, 0, moves=True, points=1200),
        "2026-01-03": PlayedDay("c", RunKind.LATE, 0, moves=True),
        "2026-01-04": PlayedDay("d", RunKind.FIRST, 0, points=0),
        "2026-01-05": PlayedDay("e", RunKind.FIRST, 0),
    }

    assert outcomes(record) == {1: Outcome.WON, 2: Outcome.NOT_WON, 3: Outcome.UNFINISHED}


def test_who_has_played_nothing_has_no_row() -> None:
    assert counted("....") == counted("") == StreakCounts(0, Row(0, 0), Row(0, 0), 0)


def test_three_counters_count_days_days_in_a_row_and_wins_in_a_row() -> None:
    assert counted("WW..WLWWW") == StreakCounts(7, Row(5, 5), Row(3, 3), 1)


def test_a_day_that_was_not_won_ends_the_row_of_wins_alone() -> None:
    assert days_in_row("WWWL") == (4, 4)
    assert wins_in_row("WWWL") == (0, 3)


def test_a_missed_day_ends_both_rows_and_the_longest_stay() -> None:
    assert days_in_row("WWW.L") == (4, 4), "yesterday is not missed yet"
    assert days_in_row("WWW.LL") == (2, 3)
    assert wins_in_row("WWW..W") == (1, 3)


# Freezes.


def test_seven_days_played_earn_a_freeze() -> None:
    assert counted("WWWWWW").freezes == 0
    assert counted("WWWLWWW").freezes == 1
    assert counted("WWW...WWWW").freezes == 1, "they need not be in a row"


def test_a_freeze_is_used_by_itself_and_neither_ends_a_row_nor_adds_to_it() -> None:
    assert counted("WWWWWWW.WW") == StreakCounts(9, Row(9, 9), Row(9, 9), 0)


def test_a_freeze_comes_too_late_for_a_day_that_was_missed_before_it_was_earned() -> None:
    assert days_in_row("WWWWWW.W") == (7, 7), "the day before today is not missed yet"
    assert days_in_row("WWWWWW.WW") == (2, 6)
    assert counted("WWWWWW.WW").freezes == 1


def test_a_second_miss_without_a_freeze_ends_the_rows() -> None:
    assert days_in_row("WWWWWWW.WW.WWW") == (3, 9)


def test_two_freezes_at_most_are_in_hand() -> None:
    assert counted("W" * 14).freezes == counted("W" * 28).freezes == 2
    assert days_in_row("W" * 28 + "..WW") == (30, 30)
    assert days_in_row("W" * 28 + "...WW") == (2, 28)


def test_a_freeze_that_was_used_can_be_earned_again() -> None:
    assert counted("W" * 14 + ".." + "W" * 7).freezes == 1


# Void days.


def test_a_void_day_counts_for_nothing_and_ends_no_row() -> None:
    assert counted("WWvWW") == counted("WWVWW") == StreakCounts(4, Row(4, 4), Row(4, 4), 0)


def test_a_void_day_takes_no_freeze_and_earns_none() -> None:
    assert counted("WWWWWWWvWW").freezes == 1
    assert counted("WWWWWWV").freezes == 0


# Days that are not over.


def test_today_ends_no_row_while_it_can_be_played_nor_does_yesterday() -> None:
    assert days_in_row("WWW.") == (3, 3)
    assert days_in_row("WWW..") == (3, 3)
    assert days_in_row("WWW...") == (0, 3)


def test_today_can_be_played_before_yesterday_is_played_late() -> None:
    assert days_in_row("WWW.W") == (4, 4)
    assert days_in_row("WWWWW") == (5, 5)


@given(st.integers(1, 10_000), st.integers(0, 86_399_999))
def test_a_day_stays_open_as_long_as_a_late_run_can_begin(number: int, after: int) -> None:
    end = late_until(date_of(number))

    assert streaks({number - 1: Outcome.WON}, set(), number_of(date_at(end - 1 - after))).days.current == 1
    assert streaks({number - 1: Outcome.WON}, set(), number_of(date_at(end + after))).days.current == 0


def test_a_run_that_goes_on_does_not_end_the_row_of_wins_yet() -> None:
    assert wins_in_row("WWu") == (2, 2)
    assert wins_in_row("WWuW") == (3, 3)
    assert wins_in_row("WWu..") == (0, 2)
    assert days_in_row("WWu") == (3, 3)


# The calendar.


def test_the_calendar_says_what_each_date_was() -> None:
    told = states(".v.WWWLWWWu..W..")

    assert told[:3] == ["before", "void", "before"]
    assert told[3:11] == ["won", "won", "won", "played", "won", "won", "won", "played"]
    assert told[11:16] == ["frozen", "missed", "won", "open", "open"]
    assert told[16:] == ["future"] * 15


def test_a_void_day_is_void_whatever_else_it_was() -> None:
    days, _, today = read("WV.WW")

    assert [day.state for day in calendar(days, {2, 5, 6}, today, "2026-01")][:7] == [
        "won", "void", "missed", "won", "void", "void", "future",
    ]  # fmt: skip


def test_the_calendar_has_every_date_of_the_month_with_its_number() -> None:
    told = calendar({}, set(), number_of("2028-02-29"), "2028-02")

    assert [day.date for day in told] == dates_of("2028-02")
    assert told[-2:] == [CalendarDay("2028-02-28", 789, "open"), CalendarDay("2028-02-29", 790, "open")]
    assert {day.state for day in told[:-2]} == {"before"}


def test_a_freeze_that_was_earned_in_one_month_is_used_in_the_next() -> None:
    letters = "." * 20 + "W" * 10 + "L" + ".W"

    assert states(letters, "2026-02")[:3] == ["open", "won", "future"]
    assert states(letters + "W", "2026-02")[:3] == ["frozen", "won", "won"]


# Against a second way to work it out.


def in_hand(number: int, days: Mapping[int, Outcome], void: Set[int], today: int) -> int:
    """The freezes in hand when a day is over."""
    if number < 1:
        return 0
    before = in_hand(number - 1, days, void, today)
    if number in void:
        return before
    if number in days:
        so_far = sum(1 for day in days if day <= number and day not in void)
        return min(2, before + 1) if so_far % 7 == 0 else before
    return max(0, before - 1) if number <= today - 2 else before


def longest_and_current(text: str) -> Row:
    rows = [len(row) for row in re.split("[^+]", text)]
    return Row(rows[-1], max(rows))


def naive(days: Mapping[int, Outcome], void: Set[int], today: int) -> StreakCounts:
    """The counts, from a text with a sign for each day that matters: `+` goes on, `-` ends."""
    played, won = "", ""
    for number in range(1, today + 1):
        is_missed = number not in days and number not in void and number < today - 1
        if is_missed and not in_hand(number - 1, days, void, today):
            played, won = played + "-", won + "-"
        if number in days and number not in void:
            played += "+"
            is_pending = days[number] is Outcome.UNFINISHED and number >= today - 1
            won += "+" if days[number] is Outcome.WON else "" if is_pending else "-"
    return StreakCounts(
        played.count("+"), longest_and_current(played), longest_and_current(won), in_hand(today, days, void, today)
    )


@given(Letters)
def test_the_counts_are_those_of_a_second_way_to_count(letters: str) -> None:
    assert counted(letters) == naive(*read(letters))


@given(Letters, st.randoms(use_true_random=False))
def test_the_order_in_which_days_came_does_not_matter(letters: str, chance: random.Random) -> None:
    days, void, today = read(letters)
    shuffled = dict(chance.sample(list(days.items()), len(days)))

    assert streaks(shuffled, void, today) == counted(letters)
    assert calendar(shuffled, void, today, "2026-01") == calendar(days, void, today, "2026-01")


@given(Letters.map(lambda letters: letters + "W"))
def test_the_calendar_tells_the_same_as_the_counts(letters: str) -> None:
    counts = counted(letters)
    told = list(itertools.chain(states(letters), states(letters, "2026-02"), states(letters, "2026-03")))
    up_to_today = told[: len(letters)]

    assert sum(state in {"won", "played"} for state in up_to_today) == counts.played
    current = itertools.takewhile(lambda state: state not in {"missed", "before"}, reversed(up_to_today))
    assert sum(state in {"won", "played"} for state in current) == counts.days.current
    assert set(told[len(letters) :]) <= {"future"}


@pytest.mark.parametrize("today", [0, -5])
def test_before_the_epoch_there_is_nothing(today: int) -> None:
    assert streaks({}, set(), today).played == 0
    assert {day.state for day in calendar({}, set(), today, "2026-02")} == {"future"}
