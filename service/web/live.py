"""The driver of a socket: moves frames, and carries out what the connection asks."""

import asyncio
import logging
from typing import Any, Final, assert_never

from fastapi import APIRouter, WebSocket, WebSocketDisconnect
from starlette.types import Message

from service.ports import StoreUnavailable
from service.protocol import messages
from service.protocol.close import Close
from service.protocol.connection import Admit, CatchUp, Connection, Request, Submit
from service.usecases import errors
from service.usecases.history import Place
from service.usecases.live import Update, until_one_ends
from service.usecases.sessions import Command, Play, Redo, Undo
from service.usecases.views import events_after, session_view, viewing_seat
from service.web.dependencies import UseCases, asking_player, parsed_move, use_cases

router = APIRouter()
_log = logging.getLogger(__name__)

HELLO_SECONDS: Final = 5.0
"""How long a socket may stay open without a hello."""
SEND_SECONDS: Final = 10.0
"""How long a frame may wait for a reader that has stopped."""

_CLOSES: Final[dict[type[Exception], Close]] = {
    errors.Unauthorised: Close.UNAUTHORISED,
    errors.NoSuchSession: Close.NO_SUCH_SESSION,
    errors.NotForSpectators: Close.FORBIDDEN,
    errors.CorruptSession: Close.CORRUPT,
    StoreUnavailable: Close.UNAVAILABLE,
}


@router.websocket("/v1/sessions/{session}/live")
async def session_live(socket: WebSocket, session: str) -> None:
    """The protocol of PROTOCOL.md, subscribed to one session."""
    offered = socket.scope.get("subprotocols", [])
    await socket.accept(messages.SUBPROTOCOL if messages.SUBPROTOCOL in offered else None)
    await Driver(socket, session).run()


class Driver:
    """One socket's connection and its two tasks: one takes frames, the other does what follows and sends."""

    def __init__(self, socket: WebSocket, session: str) -> None:
        self._socket, self._session = socket, session
        self._cases: UseCases = use_cases(socket)
        self._connection = Connection(session)
        self._player: str | None = None
        self._seat: int | None = None
        self._wake = asyncio.Event()

    async def run(self) -> None:
        """Talks until either side has had enough."""
        try:
            await until_one_ends(self._read(), self._work())
        except (WebSocketDisconnect, TimeoutError):
            pass
        finally:
            await self._cases.live.unwatch(self._session, self._watch)

    async def _read(self) -> None:
        try:
            async with asyncio.timeout(HELLO_SECONDS):
                self._receive(await self._socket.receive())
        except TimeoutError:
            self._connection.close(Close.NO_HELLO)
            self._wake.set()
            await asyncio.sleep(SEND_SECONDS)
        while True:
            self._receive(await self._socket.receive())

    def _receive(self, message: Message) -> None:
        if message["type"] == "websocket.disconnect":
            raise WebSocketDisconnect(message.get("code", 1000))
        self._connection.receive(message.get("text") or message.get("bytes") or "")
        self._wake.set()

    def _watch(self, update: Update | None) -> None:
        if update is None:
            self._connection.lost(self._session)
        else:
            self._connection.feed(self._session, update.seq, update.crc, update.frame(self._seat))
        self._wake.set()

    async def _work(self) -> None:
        while self._connection.closed_for is None:
            await self._wake.wait()
            self._wake.clear()
            while request := self._connection.next_request():
                await self._carry_out(request)
                await self._send()
            await self._send()
        await self._send()
        await self._put({"type": "websocket.close", "code": self._connection.closed_for})

    async def _send(self) -> None:
        for frame in self._connection.data_to_send():
            await self._put({"type": "websocket.send", "text": frame.decode()})

    async def _put(self, message: Message) -> None:
        """Sends; raises TimeoutError for a reader that has stopped, and WebSocketDisconnect for one that has gone."""
        try:
            async with asyncio.timeout(SEND_SECONDS):
                await self._socket.send(message)
        except RuntimeError as error:  # uvicorn's word for a socket that it has closed itself, for too large a frame
            raise WebSocketDisconnect from error

    async def _carry_out(self, request: Request) -> None:
        try:
            match request:
                case Admit(ticket):
                    await self._admit(ticket)
                case CatchUp(session, seq, crc):
                    await self._catch_up(session, None if seq is None else Place(seq, crc))
                case Submit(command):
                    await self._submit(command)
                case _:
                    assert_never(request)
        except tuple(_CLOSES) as error:
            self._connection.close(_CLOSES[type(error)])
        except Exception:
            _log.exception("session %s: %s failed", self._session, type(request).__name__)
            self._connection.close(Close.FAILED)

    async def _admit(self, ticket: str | None) -> None:
        if ticket is None:
            player = await asking_player(self._socket)
            self._player = None if player is None else player.id
        else:
            self._player = (await self._cases.players.by_ticket(ticket)).id
        self._connection.admitted(self._cases.clock.now())

    async def _catch_up(self, session: str, place: Place | None) -> None:
        history = await self._cases.live.watch(session, self._watch)
        self._seat = viewing_seat(history.meta, self._player)
        topic, game = messages.topic_of(session), history.game
        events = place and events_after(history, place, self._seat)
        frames: list[messages.ServerMessage]
        if events is not None:
            frames = [*events, messages.Subbed(topic, game.seq)]
        elif place is None or history.knows(place):
            frames = [messages.Snapshot(topic, session_view(history.meta, game, self._seat))]
        else:
            frames = [messages.Reset(topic, session_view(history.meta, game, self._seat))]
        self._connection.caught_up(session, game.seq, game.crc, frames)

    async def _submit(self, message: messages.Play | messages.Undo | messages.Redo) -> None:
        session, connection = message.session, self._connection
        place = Place(message.at, None if message.crc is None else messages.parse_crc(message.crc))
        try:
            if self._player is None:
                raise errors.NotYourSeat
            accepted = await self._cases.sessions.submit(session, self._player, _command(message), place)
            connection.acked(session, message.at, accepted.game.seq, accepted.game.crc)
        except errors.Stale as stale:
            if stale.missed is None:
                connection.strayed(session, *place)
            else:
                connection.stale(messages.Stale(session, message.at, list(stale.missed)))
        except errors.MoveRefused as error:
            connection.refused(_refusal(message, error.code, str(error), reason=error.reason.value, legal=error.legal))
        except errors.UseCaseError as error:
            if type(error) in _CLOSES:
                raise
            connection.refused(_refusal(message, error.code, str(error)))
        except StoreUnavailable:
            connection.refused(_refusal(message, "unavailable", "The store cannot be reached; send it again."))


def _command(message: messages.Play | messages.Undo | messages.Redo) -> Command:
    match message:
        case messages.Play():
            return Play(parsed_move(message.move))
        case messages.Undo():
            return Undo(message.by == "group")
        case messages.Redo():
            return Redo(message.by == "group")
        case _:
            assert_never(message)


def _refusal(
    message: messages.Play | messages.Undo | messages.Redo, code: str, detail: str, **more: Any
) -> messages.Refused:
    return messages.Refused(code, detail, session=message.session, at=message.at, **more)
