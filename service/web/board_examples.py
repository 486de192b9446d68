"""Examples of what the routes of boards answer."""

from http import HTTPStatus
from typing import Final

from msgspec.structs import replace

from service.ports.daily import Day
from service.protocol import messages
from service.protocol.boards import BoardPage, BoardPlayer, BoardRow, BoardTop
from service.usecases.days import EPOCH
from service.usecases.errors import BadAddress, NoSuchDay
from service.usecases.feed import Told
from service.web.feed import encoded
from service.web.problems import FieldError, Problem, misfit, problem_of

_HERON: Final = BoardPlayer("9c1d2ab06679f1c4", "Quiet Heron")
_KITE: Final = BoardPlayer("5f0e8c2277b1a9d3", "Sunny Kite")
_TOP: Final = BoardPage(
    rules="modern",
    date="2026-11-30",
    final=False,
    scope="first",
    field="people",
    view="top",
    size=2,
    rows=[
        BoardRow(rank=1, player=_HERON, points=10_043, won=True, assists=0, promoted=80, tempo=1_043),
        BoardRow(rank=2, player=_KITE, points=4_210, won=False, assists=2, promoted=37, tempo=610),
    ],
    next=None,
)
_TOPIC: Final = messages.topic_of_board(f"{_TOP.date}/{_TOP.rules}/{_TOP.scope}/{_TOP.field}")
_WEEK: Final = BoardPage(
    rules="modern",
    period="2026-W48",
    scope="first",
    field="people",
    view="me",
    size=2,
    rows=[
        BoardRow(rank=1, player=_KITE, total=41_750, you=False),
        BoardRow(rank=2, player=_HERON, total=38_904, you=True),
    ],
    next=None,
)

ANSWERS: Final = {
    "readDayBoard": replace(
        _TOP,
        final=True,
        rows=[replace(row, session="deadbeef3bc054c34cc99e4966f5245a") for row in _TOP.rows[:1]],
        size=1,
    ),
    "readPeriodBoard": _WEEK,
}
STREAMS: Final = {"streamDayBoard": encoded(Told("board", messages.encode(BoardTop(_TOPIC, _TOP)))).decode()}

_NO_DATE: Final = problem_of(BadAddress("date", f"there should be a date from {EPOCH} on, or today"))
_NO_DAY: Final = problem_of(NoSuchDay(Day("2026-12-25", "modern")))
PROBLEMS: Final[dict[tuple[str, int], Problem]] = {
    ("readDayBoard", 400): _NO_DATE,
    ("readDayBoard", 404): _NO_DAY,
    ("readPeriodBoard", 400): misfit(
        HTTPStatus.BAD_REQUEST, FieldError("cursor", "there should be the `next` of a page before")
    ),
    ("streamDayBoard", 400): _NO_DATE,
    ("streamDayBoard", 404): _NO_DAY,
}
