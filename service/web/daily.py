"""The routes of the daily challenge."""

from http import HTTPStatus
from typing import Annotated, Final

from fastapi import APIRouter, Depends, Header, Path, Query
from fastapi.responses import Response

from service.ports.daily import Day
from service.protocol import shapes
from service.protocol.days import Calendar, Daily
from service.usecases.days import read_day, read_month, read_rules
from service.web.answers import NOT_MODIFIED, PRIVATE, VARY, describes, named_answer, problems, session_answer
from service.web.dependencies import ALSO_WITHOUT_TOKEN, Cases, Known, Viewer
from service.web.schemas import NewRun

router = APIRouter(prefix="/v1", tags=["daily"])

_FINAL: Final = {"Cache-Control": "public, max-age=3600", **VARY}
"""Of a day that is final, told to somebody who has no run there."""


async def asked_day(
    cases: Cases,
    date: Annotated[
        str, Path(max_length=20, description="A date, UTC; `today` is one too.", examples=["today", "2026-11-30"])
    ],
    rules: Annotated[str, Path(max_length=20, description="modern or cadogan.", examples=["modern"])],
) -> Day:
    """The challenge that a path names; raises BadAddress."""
    return read_day(date, rules, cases.clock.now())


IfNoneMatch = Annotated[str | None, Header(description="The ETag of the answer that you have.")]
AskedDay = Annotated[Day, Depends(asked_day)]


@router.get(
    "/daily/{date}/{rules}",
    operation_id="readDaily",
    openapi_extra=ALSO_WITHOUT_TOKEN,
    summary="See a day's challenge",
    responses={
        200: describes(Daily, "The day, and your run.", "ETag"),
        **NOT_MODIFIED,
        **problems(400, 401, 404),
    },
)
async def read_daily(cases: Cases, viewer: Viewer, day: AskedDay, if_none_match: IfNoneMatch = None) -> Response:
    """When it opens and closes, and what binds it to its deal; the deal too, once its boards are final."""
    told = await cases.dailies.view(day, viewer)
    is_public = told.final_at is not None and viewer is None
    return named_answer(told, if_none_match, _FINAL if is_public else PRIVATE)


@router.post(
    "/daily/{date}/{rules}/run",
    operation_id="beginRun",
    summary="Play a day's challenge",
    responses={
        200: describes(shapes.Session, "Your run that counts, as it was begun before.", "ETag", "Location"),
        201: describes(shapes.Session, "A new run.", "ETag", "Location"),
        **problems(400, 401, 404, 409, 413, 422),
    },
)
async def begin_run(cases: Cases, player: Known, day: AskedDay, body: NewRun | None = None) -> Response:
    """Your first run ranks: it can be left and resumed, here or on another device, and there is only one.

    After it, runs of the kind `open` go to the open board. On the day after one that you missed, the first is late, and
    counts for streaks alone. Of older days only open runs are left, which count for nothing.
    """
    asked = body or NewRun()
    if asked.kind == "open":
        session, is_new = await cases.dailies.practise(day, player), True
    else:
        session, is_new = await cases.dailies.begin(day, player, asked.timed)
    status = HTTPStatus.CREATED if is_new else HTTPStatus.OK
    return session_answer(session, status, Location=f"/v1/sessions/{session.id}")


@router.get(
    "/players/me/days/{rules}",
    operation_id="readCalendar",
    summary="See your days of a month",
    responses={200: describes(Calendar, "Every date of the month.", "ETag"), **NOT_MODIFIED, **problems(400, 401)},
)
async def read_calendar(
    cases: Cases,
    player: Known,
    rules: Annotated[str, Path(max_length=20, description="modern or cadogan.", examples=["modern"])],
    month: Annotated[
        str | None, Query(max_length=20, description="As `2026-11`; the one that is now if it is left out.")
    ] = None,
    if_none_match: IfNoneMatch = None,
) -> Response:
    """Which you won, played, missed or have still to play, and the rows that they make."""
    read = read_rules(rules), read_month(month, cases.clock.now())
    return named_answer(await cases.records.calendar(player.id, *read), if_none_match, PRIVATE)
