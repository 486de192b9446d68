"""The calendar of the daily challenge: dates, day numbers, hours and periods, all of it UTC, and a day's commitment.

A date is a text, `2026-11-30`, and so dates compare as texts do. Instants are milliseconds since 1970 by the server's
clock. A UTC day has 86,400,000 of them, always: nothing here knows a time zone.
"""

import datetime as dt
from calendar import monthrange
from hashlib import sha256
from typing import Final, NamedTuple

from service.engine.deal import SEED_BYTES
from service.ports.daily import Day
from service.protocol.shapes import DifficultyName
from service.usecases.errors import BadAddress

EPOCH: Final = "2026-01-01"
"""The date of day number 1."""
DAILY_RULES: Final = ("modern", "cadogan")
DAY_MS: Final = 86_400_000
GRACE_MS: Final = 2 * 3_600_000
"""How long after the close a run that began before it may go on."""
BEST_OF_WEEK: Final = 5
BEST_OF_MONTH: Final = 31
"""All of a month's days."""
COMMITMENT_TAG: Final = b"BCdaily1"
COMMITMENT_RULES_BYTES: Final = 16

_BEFORE_EPOCH: Final = dt.date.fromisoformat(EPOCH).toordinal() - 1
_BEFORE_1970: Final = dt.date(1970, 1, 1).toordinal()
_GRADES: Final[tuple[DifficultyName, ...]] = (
    "gentle", "gentle", "steady", "steady", "testing", "testing", "fierce",
)  # fmt: skip


class Period(NamedTuple):
    """A board over several days.

    home: as in `ports.boards.Board`
    best: how many of a player's days add up to the key; with 0 it is the mean of all
    """

    home: str
    best: int


def number_of(date: str) -> int:
    """The day number of a date, 1 on EPOCH."""
    return dt.date.fromisoformat(date).toordinal() - _BEFORE_EPOCH


def date_of(number: int) -> str:
    """The date with this day number."""
    return dt.date.fromordinal(number + _BEFORE_EPOCH).isoformat()


def today(now: int) -> str:
    """The date at an instant."""
    return dt.date.fromordinal(now // DAY_MS + _BEFORE_1970).isoformat()


def opens(date: str) -> int:
    """The instant of 00:00:00Z, the first on which the day can be begun."""
    return (dt.date.fromisoformat(date).toordinal() - _BEFORE_1970) * DAY_MS


def closes(date: str) -> int:
    """The instant of 24:00:00Z, from which on nobody begins a run that ranks."""
    return opens(date) + DAY_MS


def ends(date: str) -> int:
    """The instant from which on no ranked run of the day takes an entry, and its boards can be made final."""
    return closes(date) + GRACE_MS


def late_until(date: str) -> int:
    """The instant from which on nobody begins a late run: the end of the next day."""
    return closes(date) + DAY_MS


def difficulty_on(date: str) -> DifficultyName:
    """How hard the day is, by its weekday: from gentle on Monday to fierce on Sunday."""
    return _GRADES[dt.date.fromisoformat(date).weekday()]


def read_date(text: str, now: int) -> str:
    """The date in a text, which may be `today`; raises BadAddress, also for one before EPOCH."""
    date = today(now) if text == "today" else text
    if not _is_date(date) or date < EPOCH:
        raise BadAddress("date", f"there should be a date from {EPOCH} on, or today")
    return date


def read_rules(text: str) -> str:
    """The rules in a text, if there is a challenge under them; raises BadAddress."""
    if text not in DAILY_RULES:
        raise BadAddress("rules", f"there should be {' or '.join(DAILY_RULES)}")
    return text


def read_day(date: str, rules: str, now: int) -> Day:
    """The challenge of two texts; raises BadAddress."""
    return Day(read_date(date, now), read_rules(rules))


def week_of(date: str) -> str:
    """The ISO week of a date, as `2026-W48`; about the new year it may be of another year than the date."""
    year, week, _ = dt.date.fromisoformat(date).isocalendar()
    return f"{year:04}-W{week:02}"


def month_of(date: str) -> str:
    """The month of a date, as `2026-11`."""
    return date[:7]


def dates_of(month: str) -> list[str]:
    """All dates of a month, from its first to its last."""
    days = monthrange(int(month[:4]), int(month[5:]))[1]
    return [f"{month}-{day:02}" for day in range(1, days + 1)]


def homes_of(day: Day) -> tuple[Period, Period, Period]:
    """The periods that a day counts for: its week, its month, and all of them."""
    return _week(week_of(day.date), day.rules), _month(month_of(day.date), day.rules), _all(day.rules)


def read_month(text: str | None, now: int) -> str:
    """The month in a text, or the one that is now where there is none; raises BadAddress."""
    month = month_of(today(now)) if text is None else text
    if not _is_date(f"{month}-01") or month < month_of(EPOCH):
        raise BadAddress("month", f"there should be a month from {month_of(EPOCH)} on")
    return month


def read_period(text: str, rules: str, now: int) -> Period:
    """The period in two texts: `2026-W48`, `2026-11`, `week` or `month` for those that are now, or `all`.

    Raises BadAddress.
    """
    read_rules(rules)
    if text == "all":
        return _all(rules)
    name = {"week": week_of(today(now)), "month": month_of(today(now))}.get(text, text)
    if _is_week(name) and name >= week_of(EPOCH):
        return _week(name, rules)
    if _is_date(f"{name}-01") and name >= month_of(EPOCH):
        return _month(name, rules)
    raise BadAddress("period", f"there should be a week as {week_of(EPOCH)}, a month as {month_of(EPOCH)}, or all")


def commitment(day: Day, seed: bytes) -> str:
    """What binds a day to its seed and tells nothing of it: a SHA-256 in hexadecimal, of 66 bytes.

    They are the 8 bytes `BCdaily1`, the rules in ASCII with NUL after them up to 16 bytes, the 10 bytes of the date in
    ASCII, and the 32 bytes of the seed. So anybody can check a day whose seed is told:

        printf '%-16s' modern | tr ' ' '\\0' > rules
        printf '%s' "$SEED" | xxd -r -p > seed
        { printf BCdaily1; cat rules; printf 2026-11-30; cat seed; } | sha256sum
    """
    rules = day.rules.encode("ascii").ljust(COMMITMENT_RULES_BYTES, b"\0")
    if len(rules) != COMMITMENT_RULES_BYTES or len(seed) != SEED_BYTES:
        raise ValueError(f"a commitment is to at most {COMMITMENT_RULES_BYTES} letters and {SEED_BYTES} bytes")
    return sha256(COMMITMENT_TAG + rules + day.date.encode("ascii") + seed).hexdigest()


def _week(week: str, rules: str) -> Period:
    return Period(f"{week}/{rules}", BEST_OF_WEEK)


def _month(month: str, rules: str) -> Period:
    return Period(f"{month}/{rules}", BEST_OF_MONTH)


def _all(rules: str) -> Period:
    return Period(f"all/{rules}", 0)


def _is_date(text: str) -> bool:
    """Whether it is a date in the one form: Python reads others too."""
    try:
        return dt.date.fromisoformat(text).isoformat() == text
    except ValueError:
        return False


def _is_week(text: str) -> bool:
    """Whether it is a week in the one form, and the year has it."""
    try:
        return week_of(dt.date.fromisoformat(f"{text}-1").isoformat()) == text
    except ValueError:
        return False
