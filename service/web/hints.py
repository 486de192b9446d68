"""The routes of what a session's players ask: hints, whether the game can be won, and where it was lost."""

from typing import Annotated, Any, Final

from fastapi import APIRouter, Query, Request
from fastapi.responses import Response

from service.protocol import shapes
from service.web.answers import VARY, answer, describes, problems, session_answer
from service.web.dependencies import (
    ALSO_WITHOUT_TOKEN,
    Cases,
    IfMatch,
    Known,
    SessionId,
    Viewer,
    place_of,
)
from service.web.schemas import PlaceBody
from service.web.waiting import while_waited

router = APIRouter()

_NOT_KEPT: Final = {"Cache-Control": "no-store", **VARY}
_QUESTION: Final[dict[int | str, dict[str, Any]]] = {
    200: describes(shapes.Session, "The session just after the question, with the answer in it.", "ETag"),
    **problems(400, 401, 403, 404, 409, 412, 413, 422),
}


@router.post("/{session}/hint", operation_id="hint", summary="Ask for a hint", responses=_QUESTION)
async def hint(
    cases: Cases, request: Request, player: Known, session: SessionId, body: PlaceBody, if_match: IfMatch = None
) -> Response:
    """Where to play; asked again on the same board, also which card; then the whole move. Each step is an assist.

    With the first, `winnable` tells whether a win is known from here; where none is, no place is named.
    """

    async def asked() -> Response:
        return session_answer(await cases.hints.hint(session, player.id, place_of(body, if_match)))

    return await while_waited(request, asked())


@router.post("/{session}/ask", operation_id="ask", summary="Ask whether it can be won", responses=_QUESTION)
async def ask(
    cases: Cases, request: Request, player: Known, session: SessionId, body: PlaceBody, if_match: IfMatch = None
) -> Response:
    """Whether the game can still be won: `winnable` in the session. Each question is an assist."""

    async def asked() -> Response:
        return session_answer(await cases.hints.ask(session, player.id, place_of(body, if_match)))

    return await while_waited(request, asked())


@router.get(
    "/{session}/winnable",
    operation_id="readWinnable",
    openapi_extra=ALSO_WITHOUT_TOKEN,
    summary="See whether it can be won",
    responses={
        200: describes(shapes.Outlook, "Whether it can be won as it is now."),
        **problems(400, 401, 403, 404, 409),
    },
)
async def read_winnable(cases: Cases, request: Request, viewer: Viewer, session: SessionId) -> Response:
    """The same without an assist, of a game that is over or whose deal is no secret."""

    async def asked() -> Response:
        return answer(await cases.hints.winnable(session, viewer), headers=_NOT_KEPT)

    return await while_waited(request, asked())


@router.get(
    "/{session}/analysis",
    operation_id="readAnalysis",
    openapi_extra=ALSO_WITHOUT_TOKEN,
    summary="See where it was lost",
    responses={
        200: describes(shapes.Analysis, "What is known by now."),
        **problems(400, 401, 403, 404, 409),
    },
)
async def read_analysis(
    cases: Cases,
    request: Request,
    viewer: Viewer,
    session: SessionId,
    start: Annotated[
        int | None,
        Query(alias="from", ge=0, lt=2**31, description="After how many moves `line` should begin."),
    ] = None,
    wait: Annotated[float, Query(ge=1, le=60, description="Seconds after which no further search is begun.")] = 25,
) -> Response:
    """For each move that stands whether the game could still be won after it, and the moves of a win.

    Of a game that is over or whose deal is no secret. Whoever watches the session is told of each search.
    """

    async def asked() -> Response:
        return answer(await cases.analyses.analysis(session, viewer, start, wait), headers=_NOT_KEPT)

    return await while_waited(request, asked())
