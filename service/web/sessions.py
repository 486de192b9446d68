"""The routes of sessions."""

from http import HTTPStatus
from math import ceil
from typing import Annotated, Any, Final

from fastapi import APIRouter, Header, Query, Request
from fastapi.responses import PlainTextResponse, Response

from service.engine.sharing import Mode
from service.ports import StoredPlayer
from service.protocol import shapes
from service.usecases.commands import Command, Consent, Play, Redo, Resign, Restart, Undo
from service.usecases.dealing import Wish
from service.usecases.history import Place
from service.web import feed, hints, seats
from service.web.answers import PRIVATE, answer, describes, etag_of, problems, session_answer, session_headers
from service.web.dependencies import (
    ALSO_WITHOUT_TOKEN,
    Cases,
    IfMatch,
    Known,
    SessionId,
    UseCases,
    Viewer,
    parsed_move,
    place_of,
)
from service.web.problems import rate_limited, respond
from service.web.schemas import ConsentBody, MoveBody, NewSession, PlaceBody, StepsBody
from service.web.waiting import while_waited

router = APIRouter(prefix="/v1/sessions", tags=["sessions"])
for part in (seats, hints, feed):
    router.include_router(part.router)

_COMMAND: Final[dict[int | str, dict[str, Any]]] = {
    200: describes(shapes.Session, "The session just after the command, also when it was sent before.", "ETag"),
    **problems(400, 401, 403, 404, 409, 412, 413, 422),
}


@router.post(
    "",
    operation_id="createSession",
    summary="Deal a game",
    status_code=HTTPStatus.CREATED,
    responses={201: describes(shapes.Session, "A new session.", "ETag", "Location"), **problems(400, 401, 413, 422)},
)
async def create_session(
    cases: Cases,
    request: Request,
    player: Known,
    body: NewSession | None = None,
    idempotency_key: Annotated[
        str | None,
        Header(min_length=1, max_length=255, description="The same key again answers with the same session."),
    ] = None,
) -> Response:
    """A game of your own, or with others. The same request with its `Idempotency-Key` within a day makes no second.

    To find a deal that can be won takes a while, of the less common difficulties some seconds.
    """
    asked = body or NewSession()
    wish = Wish(**asked.model_dump(exclude={"mode"}), mode=Mode(asked.mode))
    if asked.winnable and (wait := cases.rates.analyses.take(player.id)):
        refusal = rate_limited(wait)
        cases.meters.refused[refusal.code] += 1
        return respond(refusal, {"Retry-After": str(ceil(wait))})

    async def created() -> Response:
        session = await cases.dealing.create(player, wish, idempotency_key)
        return session_answer(session, HTTPStatus.CREATED, Location=f"/v1/sessions/{session.id}")

    return await while_waited(request, created()) if asked.winnable else await created()


@router.get(
    "",
    operation_id="listSessions",
    summary="List your sessions",
    responses={200: describes(shapes.Page, "Some of them, newest first.", "Link"), **problems(400, 401)},
)
async def list_sessions(
    cases: Cases,
    player: Known,
    cursor: Annotated[str | None, Query(max_length=100, description="The `next` of the page before.")] = None,
    limit: Annotated[int, Query(ge=1, le=100, description="How many at most.")] = 20,
) -> Response:
    """Pages stay as they are while new sessions are made; expired ones are left out."""
    page = await cases.sessions.page(player, cursor, limit)
    headers = dict(PRIVATE)
    if page.next:
        headers["Link"] = f'</v1/sessions?cursor={page.next}&limit={limit}>; rel="next"'
    return answer(page, headers=headers)


@router.get(
    "/{session}",
    operation_id="readSession",
    openapi_extra=ALSO_WITHOUT_TOKEN,
    summary="See a session",
    responses={
        200: describes(shapes.Session, "The session as you may see it.", "ETag"),
        304: {"description": "It is as the ETag in If-None-Match says."},
        **problems(400, 401, 403, 404, 409),
    },
)
async def read_session(
    cases: Cases,
    viewer: Viewer,
    session: SessionId,
    if_none_match: Annotated[str | None, Header(description="The ETag of the view that you have.")] = None,
) -> Response:
    """With its players' tokens, or without one where spectators are let in."""
    view = await cases.sessions.view(session, viewer)
    is_had = if_none_match is not None and (if_none_match == "*" or etag_of(view) in if_none_match)
    tells_all = view.capacity == 1 and not view.daily  # of more seats not who has them, nor whether a run is over
    if is_had and tells_all:
        return Response(status_code=HTTPStatus.NOT_MODIFIED, headers=session_headers(view))
    return session_answer(view)


@router.post("/{session}/moves", operation_id="playMove", summary="Play a move", responses=_COMMAND)
async def play_move(
    cases: Cases, player: Known, session: SessionId, body: MoveBody, if_match: IfMatch = None
) -> Response:
    """On the place that you saw last. The same move on the same place again is answered as the first time."""
    return await _submit(cases, player, session, Play(parsed_move(body.move)), place_of(body, if_match))


@router.post("/{session}/undo", operation_id="undo", summary="Take back", responses=_COMMAND)
async def undo(cases: Cases, player: Known, session: SessionId, body: StepsBody, if_match: IfMatch = None) -> Response:
    """The last move with the fills it caused, or one step of it."""
    return await _submit(cases, player, session, Undo(body.by == "group"), place_of(body, if_match))


@router.post("/{session}/redo", operation_id="redo", summary="Repeat what was taken back", responses=_COMMAND)
async def redo(cases: Cases, player: Known, session: SessionId, body: StepsBody, if_match: IfMatch = None) -> Response:
    """The next move with the fills it caused, or one step of it."""
    return await _submit(cases, player, session, Redo(body.by == "group"), place_of(body, if_match))


@router.post("/{session}/restart", operation_id="restart", summary="Take all back", responses=_COMMAND)
async def restart(
    cases: Cases, player: Known, session: SessionId, body: PlaceBody, if_match: IfMatch = None
) -> Response:
    """Back to the deal; a redo goes forward again."""
    return await _submit(cases, player, session, Restart(), place_of(body, if_match))


@router.post("/{session}/resign", operation_id="resign", summary="Give up", responses=_COMMAND)
async def resign(
    cases: Cases, player: Known, session: SessionId, body: PlaceBody, if_match: IfMatch = None
) -> Response:
    """Ends the game; a secret deal is told."""
    return await _submit(cases, player, session, Resign(), place_of(body, if_match))


@router.post("/{session}/consent", operation_id="consent", summary="Agree to an undo", responses=_COMMAND)
async def consent(
    cases: Cases, player: Known, session: SessionId, body: ConsentBody, if_match: IfMatch = None
) -> Response:
    """Has others take back up to so many steps, which need the consent of all; it holds until the board changes."""
    return await _submit(cases, player, session, Consent(body.count), place_of(body, if_match))


@router.get(
    "/{session}/record",
    operation_id="readRecord",
    response_class=PlainTextResponse,
    openapi_extra=ALSO_WITHOUT_TOKEN,
    summary="Export the record",
    responses={
        200: {"description": "The record.", "content": {"text/plain": {"schema": {"type": "string"}}}},
        **problems(400, 401, 403, 404, 409),
    },
)
async def read_record(cases: Cases, viewer: Viewer, session: SessionId) -> Response:
    """All commands as text, which the notation's document describes. Not while the deal is secret."""
    record = await cases.sessions.record(session, viewer)
    return PlainTextResponse(record, headers=PRIVATE)


async def _submit(cases: UseCases, player: StoredPlayer, session: str, command: Command, at: Place) -> Response:
    accepted = await cases.commands.submit(session, player.id, command, at)
    return session_answer(accepted.view)
