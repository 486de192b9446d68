"""The routes of boards."""

from typing import Annotated, Any, Final, Literal

from fastapi import APIRouter, Depends, Path, Query
from fastapi.responses import Response

from service.ports.boards import Scope
from service.ports.daily import Field
from service.protocol.boards import BoardPage
from service.usecases.board_watch import follow
from service.usecases.boards import TOP, Asked, DayBoard
from service.usecases.days import read_period
from service.web.answers import NOT_MODIFIED, PRIVATE, describes, named_answer, problems
from service.web.daily import AskedDay, IfNoneMatch
from service.web.dependencies import ALSO_WITHOUT_TOKEN, Cases, Viewer
from service.web.feed import EVENT_STREAM, EventStream

router = APIRouter(prefix="/v1/leaderboards", tags=["leaderboards"])

_LIVE: Final = {"Cache-Control": "public, max-age=1"}
"""Of the top of a board that changes, which is the same for everybody."""
_QUIET: Final = {"Cache-Control": "public, max-age=60"}
"""Of one that is final or changes once a day; not for longer, since a player may be gone."""
_PAGE: Final[dict[int | str, dict[str, Any]]] = {200: describes(BoardPage, "Some of its rows.", "ETag"), **NOT_MODIFIED}

AskedScope = Annotated[
    Literal["first", "open", "speed"],
    Query(description="First runs, the best of all later ones, or the fastest wins without assists."),
]
AskedField = Annotated[
    Literal["people", "newcomers", "bots"],
    Query(description="Whom players are ranked among; newcomers had played fewer than three days before."),
]


async def asked(
    viewer: Viewer,
    view: Annotated[
        Literal["top", "me", "following"],
        Query(description="From the best down, around your row, or you and whom you follow."),
    ] = "top",
    cursor: Annotated[str | None, Query(max_length=100, description="The `next` of the page before.")] = None,
    limit: Annotated[int, Query(ge=1, le=100, description="How many rows at most.")] = TOP,
) -> Asked:
    """Which rows a request asks for."""
    return Asked(view, viewer, cursor, limit)


AskedRows = Annotated[Asked, Depends(asked)]


@router.get(
    "/daily/{date}/{rules}",
    operation_id="readDayBoard",
    openapi_extra=ALSO_WITHOUT_TOKEN,
    summary="See a day's board",
    responses={**_PAGE, **problems(400, 401, 404)},
)
async def read_day_board(
    cases: Cases,
    day: AskedDay,
    rows: AskedRows,
    scope: AskedScope = "first",
    field: AskedField = "people",
    if_none_match: IfNoneMatch = None,
) -> Response:
    """Equals share a rank: 1, 2, 2, 4. A row names its session once the day is final, your own before that too."""
    page = await cases.boards.day(DayBoard(day, Scope(scope), Field(field)), rows)
    return _answer(page, if_none_match)


@router.get(
    "/{period}/{rules}",
    operation_id="readPeriodBoard",
    openapi_extra=ALSO_WITHOUT_TOKEN,
    summary="See the board of a week, of a month, or of all time",
    responses={**_PAGE, **problems(400, 401)},
)
async def read_period_board(
    cases: Cases,
    period: Annotated[
        str,
        Path(
            max_length=20,
            description="`2026-W48`, `2026-11`, `week` or `month` for those that are now, or `all`.",
            examples=["week", "2026-W48"],
        ),
    ],
    rules: Annotated[str, Path(max_length=20, description="modern or cadogan.", examples=["modern"])],
    rows: AskedRows,
    field: AskedField = "people",
    if_none_match: IfNoneMatch = None,
) -> Response:
    """Days count when they are final: the best five of a week, all of a month, and the mean of all from seven on."""
    home = read_period(period, rules, cases.clock.now()).home
    return _answer(await cases.boards.period(home, Field(field), rows), if_none_match)


@router.get(
    "/daily/{date}/{rules}/stream",
    operation_id="streamDayBoard",
    response_class=Response,
    summary="Be told of a day's board",
    responses={
        200: {
            "description": "Server-sent events, each with the top of the board.",
            "content": {EVENT_STREAM: {"schema": {"type": "string"}}},
        },
        **problems(400, 404),
    },
)
async def stream_day_board(
    cases: Cases, day: AskedDay, scope: AskedScope = "first", field: AskedField = "people"
) -> Response:
    """Its top now, and whenever the board has changed, once a second at most."""
    told = follow(cases.board_watch, DayBoard(day, Scope(scope), Field(field)))
    await anext(told)  # raises what is to be answered with a problem
    return EventStream(told, cases.sockets)


def _answer(page: BoardPage, if_none_match: str | None) -> Response:
    public = _LIVE if page.final is False else _QUIET
    return named_answer(page, if_none_match, public if page.view == "top" else PRIVATE)
