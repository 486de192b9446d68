"""Examples of what the routes of the daily challenge answer."""

from http import HTTPStatus
from typing import Final

import msgspec

from service.ports.daily import Day, PlayedDay, RunKind
from service.protocol.days import Calendar, Daily, DailyStatistics, OwnRun
from service.usecases.days import EPOCH, closes, commitment, ends, late_until, number_of, opens
from service.usecases.errors import BadAddress, DayNotReady, NoSuchDay, RunOver
from service.usecases.streaks import calendar, outcomes, streaks
from service.usecases.views import iso
from service.web.problems import FieldError, Problem, misfit, problem_of

_DAY: Final = Day("2026-11-30", "modern")
_SESSION: Final = "deadbeef3bc054c34cc99e4966f5245a"
_NOON: Final = 12 * 3_600_000
_OPENS: Final = opens(_DAY.date)
_TODAY: Final = Daily(
    date=_DAY.date,
    rules=_DAY.rules,
    number=number_of(_DAY.date),
    difficulty="gentle",
    opens_at=iso(_OPENS),
    closes_at=iso(closes(_DAY.date)),
    ends_at=iso(ends(_DAY.date)),
    late_until=iso(late_until(_DAY.date)),
    commitment=commitment(_DAY, bytes(32)),
    committed_at=iso(_OPENS - _NOON),
    void=False,
    final_at=None,
    deal=None,
    par=None,
    record=None,
    summary=None,
    you=OwnRun(_SESSION, "first", "playing", 1_212),
)
_RUNS: Final = {
    "2026-11-28": PlayedDay(_SESSION, RunKind.FIRST, _OPENS, moves=True, won=False, points=2_308),
    "2026-11-29": PlayedDay(_SESSION, RunKind.FIRST, _OPENS, moves=True, won=True, points=10_043),
}
_STREAKS: Final = streaks(outcomes(_RUNS), set(), _TODAY.number)

STATISTICS: Final = {"modern": DailyStatistics(played=2, won=1, best=10_043, average=6_175, streaks=_STREAKS)}
ANSWERS: Final[dict[str, msgspec.Struct]] = {
    "readDaily": _TODAY,
    "readCalendar": Calendar(
        rules=_DAY.rules,
        month="2026-11",
        today=_DAY.date,
        days=calendar(outcomes(_RUNS), set(), _TODAY.number, "2026-11")[-3:],
        streaks=_STREAKS,
    ),
}

_NO_DATE: Final = problem_of(BadAddress("date", f"there should be a date from {EPOCH} on, or today"))
PROBLEMS: Final[dict[tuple[str, int], Problem]] = {
    ("readDaily", 400): _NO_DATE,
    ("readDaily", 404): problem_of(NoSuchDay(Day("2026-12-25", "modern"))),
    ("readDaily", 503): problem_of(DayNotReady(_DAY)),
    ("beginRun", 400): _NO_DATE,
    ("beginRun", 404): problem_of(NoSuchDay(Day("2026-12-25", "modern"))),
    ("beginRun", 409): problem_of(RunOver(_SESSION)),
    ("beginRun", 422): misfit(HTTPStatus.UNPROCESSABLE_ENTITY, FieldError("kind", "Input should be 'first' or 'open'")),
    ("beginRun", 503): problem_of(DayNotReady(_DAY)),
    ("readCalendar", 400): problem_of(BadAddress("month", "there should be a month from 2026-01 on")),
}
