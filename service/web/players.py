"""The routes of players and tickets."""

from http import HTTPStatus

from fastapi import APIRouter
from fastapi.responses import Response

from service.protocol import shapes
from service.web.answers import answer, describes, problems
from service.web.dependencies import Cases, Known
from service.web.schemas import Nothing

router = APIRouter(prefix="/v1", tags=["players"])


@router.post(
    "/players",
    operation_id="createPlayer",
    summary="Become a guest",
    status_code=HTTPStatus.CREATED,
    responses={201: describes(shapes.Player, "A new player."), **problems(400, 413, 422)},
)
async def create_player(cases: Cases, body: Nothing | None = None) -> Response:
    """A name, a token for `Authorization: Bearer`, and a recovery code. Both secrets are told this once."""
    return answer(await cases.players.create_guest(), HTTPStatus.CREATED, {"Cache-Control": "no-store"})


@router.post(
    "/tickets",
    operation_id="createTicket",
    summary="Get a ticket for a socket",
    status_code=HTTPStatus.CREATED,
    responses={201: describes(shapes.Ticket, "A ticket."), **problems(400, 401, 413, 422)},
)
async def create_ticket(cases: Cases, player: Known, body: Nothing | None = None) -> Response:
    """For a socket's `hello` or for a stream, where headers cannot be set: good once, and for a few seconds."""
    return answer(await cases.players.issue_ticket(player), HTTPStatus.CREATED, {"Cache-Control": "no-store"})
