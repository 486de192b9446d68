"""The routes of live play."""

from functools import partial

from fastapi import APIRouter, WebSocket

from service.protocol import messages
from service.web.access import tell_socket
from service.web.dependencies import use_cases
from service.web.driver import Driver
from service.web.rates import address_of
from service.web.socket import live_socket

router = APIRouter()


@router.websocket("/v1/live")
async def live(socket: WebSocket) -> None:
    """The protocol of PROTOCOL.md, for any sessions and boards."""
    await _accept(socket, None)


@router.websocket("/v1/sessions/{session}/live")
async def session_live(socket: WebSocket, session: str) -> None:
    """The protocol of PROTOCOL.md, subscribed to one session."""
    await _accept(socket, session)


async def _accept(socket: WebSocket, session: str | None) -> None:
    offered = socket.scope.get("subprotocols", [])
    await socket.accept(messages.SUBPROTOCOL if messages.SUBPROTOCOL in offered else None)
    taken = live_socket(socket)
    authorization = socket.headers.get("authorization")
    tell_end = partial(tell_socket, socket.scope)
    taken.take(Driver(taken, use_cases(socket), session, authorization, address_of(socket.scope), tell_end))
