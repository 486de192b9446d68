"""The calendar of the daily challenge, at its edges."""

import datetime as dt
import hashlib
import struct
import time
from collections.abc import Iterator

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from service.engine.rules import PRESETS
from service.ports.daily import Day
from service.usecases import days
from service.usecases.days import Period
from service.usecases.errors import BadAddress

LAST = "9999-12-31"
HOUR_MS = 3_600_000
SEED = bytes(range(32))

Dates = st.dates(dt.date.fromisoformat(days.EPOCH), dt.date.fromisoformat(LAST)).map(dt.date.isoformat)
Instants = st.integers(days.opens(days.EPOCH), days.closes(LAST) - 1)


def at(text: str) -> int:
    """The instant of a text such as `2026-11-30T23:59:59.999`, in UTC."""
    since = dt.datetime.fromisoformat(text).replace(tzinfo=dt.UTC) - dt.datetime(1970, 1, 1, tzinfo=dt.UTC)
    return since // dt.timedelta(milliseconds=1)


NOW = at("2026-11-30T08:00")


@pytest.fixture(params=["Europe/Berlin", "America/New_York", "Etc/GMT+12", "Pacific/Kiritimati", "UTC"])
def somewhere(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """The process runs with the clock of another place."""
    with monkeypatch.context() as patched:
        patched.setenv("TZ", request.param)
        time.tzset()
        yield
    time.tzset()


# Numbers and dates.


def test_the_epoch_is_day_number_one() -> None:
    assert days.number_of("2026-01-01") == 1
    assert days.number_of("2026-11-30") == 334
    assert days.date_of(1) == days.EPOCH


def test_a_leap_day_has_a_number_of_its_own() -> None:
    numbers = [days.number_of(date) for date in ("2028-02-28", "2028-02-29", "2028-03-01")]

    assert numbers == [789, 790, 791]
    assert days.date_of(790) == "2028-02-29"
    assert days.closes("2028-02-28") == days.opens("2028-02-29") == at("2028-02-29T00:00")
    assert days.closes("2028-02-29") == days.opens("2028-03-01")


@given(Dates)
@example(days.EPOCH)
@example(LAST)
def test_a_date_has_one_number_and_a_number_one_date(date: str) -> None:
    assert days.date_of(days.number_of(date)) == date


@given(Dates, Dates)
def test_dates_go_as_their_texts_and_their_numbers_do(one: str, other: str) -> None:
    assert (one < other) == (days.number_of(one) < days.number_of(other)) == (days.opens(one) < days.opens(other))


# Hours.


def test_the_last_millisecond_is_of_the_day_and_the_next_is_not() -> None:
    assert days.today(at("2026-11-30T23:59:59.999")) == "2026-11-30"
    assert days.today(at("2026-12-01T00:00")) == "2026-12-01"
    assert days.today(at("2026-12-31T23:59:59.999")) == "2026-12-31"
    assert days.today(at("2027-01-01T00:00")) == "2027-01-01"


def test_a_day_opens_closes_ends_and_is_late_at_its_hours() -> None:
    assert days.opens("2026-11-30") == at("2026-11-30T00:00")
    assert days.closes("2026-11-30") == at("2026-12-01T00:00")
    assert days.ends("2026-11-30") == at("2026-12-01T02:00")
    assert days.late_until("2026-11-30") == at("2026-12-02T00:00")


@given(Instants)
@example(days.opens(days.EPOCH))
@example(days.closes(LAST) - 1)
def test_every_instant_is_in_the_one_day_that_is_open(now: int) -> None:
    date = days.today(now)

    assert days.opens(date) <= now < days.closes(date)
    assert date == (dt.datetime(1970, 1, 1, tzinfo=dt.UTC) + dt.timedelta(milliseconds=now)).date().isoformat()


@pytest.mark.parametrize("night", ["2026-03-29", "2026-10-25", "2026-03-08", "2026-11-01"])
def test_the_nights_of_summer_time_are_as_long_as_others_wherever_the_server_is(night: str, somewhere: None) -> None:
    opened = days.opens(night)

    assert opened == at(f"{night}T00:00")
    assert [days.today(opened + hour * HOUR_MS) for hour in range(24)] == [night] * 24
    assert days.today(opened - 1) != night != days.today(opened + 24 * HOUR_MS)
    assert days.closes(night) - opened == 24 * HOUR_MS


# Difficulty.


def test_the_difficulty_follows_the_week() -> None:
    week = ["2026-11-30", "2026-12-01", "2026-12-02", "2026-12-03", "2026-12-04", "2026-12-05", "2026-12-06"]

    assert [days.difficulty_on(date) for date in week] == [
        "gentle", "gentle", "steady", "steady", "testing", "testing", "fierce",
    ]  # fmt: skip
    assert days.difficulty_on("2026-12-07") == "gentle"


# What is asked for.


@given(Dates)
def test_a_date_reads_as_itself(date: str) -> None:
    assert days.read_date(date, NOW) == date


def test_today_is_a_date() -> None:
    assert days.read_date("today", at("2026-11-30T23:59:59.999")) == "2026-11-30"
    assert days.read_date("today", at("2026-12-01T00:00")) == "2026-12-01"


NO_DATES = [
    "", "2025-12-31", "0001-01-01", "10000-01-01", "2026-02-29", "2026-13-01", "2026-11-31", "2026-11-00", "20261130",
    "2026-W48-1", "2026W481", "2026-11-30T00:00", "2026-11-30Z", " 2026-11-30", "2026-11-30\n", "2026-1-1", "Today",
    "-2026-11-30", "tomorrow", "2026-11", "\N{FULLWIDTH DIGIT TWO}026-11-30", "2026/11/30", "2026-11-3\ud800",
]  # fmt: skip


@pytest.mark.parametrize("text", NO_DATES)
def test_what_is_no_date_of_a_challenge_is_refused(text: str) -> None:
    with pytest.raises(BadAddress) as refused:
        days.read_date(text, NOW)

    assert refused.value.field == "date"
    assert days.EPOCH in str(refused.value)


def test_before_the_epoch_today_is_no_date_either() -> None:
    with pytest.raises(BadAddress):
        days.read_date("today", days.opens(days.EPOCH) - 1)


@given(st.text() | st.from_regex(r"\d{4}-?(\d\d|W\d\d)-?\d{1,2}", fullmatch=True))
def test_a_text_is_a_date_that_has_a_number_or_is_refused(text: str) -> None:
    try:
        date = days.read_date(text, NOW)
    except BadAddress:
        return
    assert text in {date, "today"}
    assert days.date_of(days.number_of(date)) == date


def test_a_day_is_a_date_and_rules_that_have_challenges() -> None:
    assert days.read_day("today", "cadogan", NOW) == Day("2026-11-30", "cadogan")
    assert set(days.DAILY_RULES) < set(PRESETS)
    with pytest.raises(BadAddress) as refused:
        days.read_day("today", "pysol", NOW)
    assert refused.value.field == "rules"


# Periods.


@pytest.mark.parametrize(
    ("date", "week"),
    [
        ("2026-01-01", "2026-W01"),
        ("2026-01-04", "2026-W01"),
        ("2026-01-05", "2026-W02"),
        ("2026-11-30", "2026-W49"),
        ("2026-12-28", "2026-W53"),
        ("2026-12-31", "2026-W53"),
        ("2027-01-01", "2026-W53"),
        ("2027-01-03", "2026-W53"),
        ("2027-01-04", "2027-W01"),
        ("2029-12-31", "2030-W01"),
        (LAST, "9999-W52"),
    ],
)
def test_weeks_begin_on_monday_and_go_over_the_new_year(date: str, week: str) -> None:
    assert days.week_of(date) == week


@given(Dates)
@example(LAST)
def test_a_day_counts_for_the_periods_that_its_date_is_in(date: str) -> None:
    week, month, always = days.homes_of(Day(date, "modern"))

    assert days.read_period(days.week_of(date), "modern", NOW) == week == Period(f"{days.week_of(date)}/modern", 5)
    assert days.read_period(days.month_of(date), "modern", NOW) == month == Period(f"{date[:7]}/modern", 31)
    assert days.read_period("all", "modern", NOW) == always == Period("all/modern", 0)


@given(Dates)
@example("2028-02-29")
@example(LAST)
def test_a_month_has_its_own_dates_and_no_others(date: str) -> None:
    dates = days.dates_of(days.month_of(date))
    first, last = days.number_of(dates[0]), days.number_of(dates[-1])

    assert date in dates
    assert [days.number_of(each) for each in dates] == list(range(first, last + 1))
    assert dates[0].endswith("-01")
    assert date[:7] == days.month_of(LAST) or days.date_of(last + 1).endswith("-01")


def test_the_periods_that_are_now_need_no_number() -> None:
    new_year = at("2027-01-01T00:00")

    assert days.read_period("week", "cadogan", new_year).home == "2026-W53/cadogan"
    assert days.read_period("month", "cadogan", new_year).home == "2027-01/cadogan"
    assert days.read_month(None, new_year - 1) == "2026-12"


@pytest.mark.parametrize(
    "text",
    ["", "2025-W52", "2025-12", "2027-W53", "2026-W00", "2026-W54", "2026-W1", "2026W48", "2026-w48", "2026-13",
     "2026-00", "2026-1", "202611", "2026", "2026-11-30", "2026-W48-1", "day", "All", "10000-01", "2026-11\n"],
)  # fmt: skip
def test_what_is_no_period_is_refused(text: str) -> None:
    with pytest.raises(BadAddress) as refused:
        days.read_period(text, "modern", NOW)
    assert refused.value.field == "period"

    with pytest.raises(BadAddress) as refused:
        days.read_month(text, NOW)
    assert refused.value.field == "month"


def test_periods_too_are_of_rules_that_have_challenges() -> None:
    with pytest.raises(BadAddress) as refused:
        days.read_period("all", "cadogan-1914", NOW)
    assert refused.value.field == "rules"


# The commitment.


def test_the_commitment_never_changes() -> None:
    told = days.commitment(Day("2026-11-30", "modern"), bytes(32))

    assert told == "c482e12004ade869c3ac395b5d9cbee357064c5dffa21ac7673dd3df21c1e978"


@pytest.mark.parametrize("rules", days.DAILY_RULES)
def test_anybody_can_check_a_commitment_from_its_description(rules: str) -> None:
    data = struct.pack("8s16s10s32s", b"BCdaily1", rules.encode(), b"2028-02-29", SEED)

    assert len(data) == 66
    assert days.commitment(Day("2028-02-29", rules), SEED) == hashlib.sha256(data).hexdigest()


def test_a_commitment_binds_the_rules_the_date_and_the_seed() -> None:
    told = {
        days.commitment(Day(date, rules), seed)
        for date in ("2026-11-30", "2026-12-01")
        for rules in days.DAILY_RULES
        for seed in (SEED, SEED[::-1])
    }

    assert len(told) == 8


@pytest.mark.parametrize(("rules", "seed"), [("modern", SEED[1:]), ("modern", SEED + b"\0"), ("m" * 17, SEED)])
def test_nothing_of_another_length_is_committed_to(rules: str, seed: bytes) -> None:
    with pytest.raises(ValueError, match="commitment"):
        days.commitment(Day("2026-11-30", rules), seed)
