"""The routes of a session's seats."""

from http import HTTPStatus

from fastapi import APIRouter
from fastapi.responses import Response

from service.protocol import shapes
from service.web.answers import VARY, describes, problems, session_answer
from service.web.dependencies import Cases, Known, SessionId
from service.web.schemas import Invitation, Nothing

router = APIRouter()


@router.post(
    "/{session}/join",
    operation_id="joinSession",
    summary="Take a seat",
    responses={
        200: describes(shapes.Session, "The session as whoever has the seat sees it.", "ETag"),
        **problems(400, 401, 403, 404, 409, 413, 422),
    },
)
async def join_session(cases: Cases, player: Known, session: SessionId, body: Invitation) -> Response:
    """The first one free, with the code that those who have a seat see as `invite`. Who has one keeps it."""
    return session_answer(await cases.sessions.join(session, player, body.invite))


@router.post(
    "/{session}/leave",
    operation_id="leaveSession",
    summary="Give a seat back",
    status_code=HTTPStatus.NO_CONTENT,
    responses={204: {"description": "You have none there any more."}, **problems(400, 401, 404, 409, 413, 422)},
)
async def leave_session(cases: Cases, player: Known, session: SessionId, body: Nothing | None = None) -> Response:
    """Others may take it, with the code. Nothing ends by that, and there is no leaving a solo session."""
    await cases.sessions.leave(session, player)
    return Response(status_code=HTTPStatus.NO_CONTENT, headers=VARY)
