"""The driver of a socket: moves frames, and carries out what the connection asks."""

import asyncio
import logging
from collections.abc import Callable
from typing import Any, Final, assert_never

from fastapi import APIRouter, WebSocket, WebSocketDisconnect
from starlette.types import Message

from service.ports import StoreUnavailable
from service.protocol import messages
from service.protocol.close import Close
from service.protocol.connection import Admit, CatchUp, Connection, Request, Submit, Unwatch
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
"""How long a batch of frames may wait for a reader that has stopped."""
SEND_BATCH: Final = 16

_OF_A_SESSION: Final = (errors.NoSuchSession, errors.NotForSpectators, errors.CorruptSession)
"""What ends a socket that carries one session, and one subscription of a socket that carries any."""
_CLOSES: Final[dict[type[Exception], Close]] = {
    errors.Unauthorised: Close.UNAUTHORISED,
    errors.NoSuchSession: Close.NO_SUCH_SESSION,
    errors.NotForSpectators: Close.FORBIDDEN,
    errors.CorruptSession: Close.CORRUPT,
    StoreUnavailable: Close.UNAVAILABLE,
}


@router.websocket("/v1/live")
async def live(socket: WebSocket) -> None:
    """The protocol of PROTOCOL.md, for any sessions."""
    await _talk(socket, None)


@router.websocket("/v1/sessions/{session}/live")
async def session_live(socket: WebSocket, session: str) -> None:
    """The protocol of PROTOCOL.md, subscribed to one session."""
    await _talk(socket, session)


async def _talk(socket: WebSocket, session: str | None) -> None:
    offered = socket.scope.get("subprotocols", [])
    await socket.accept(messages.SUBPROTOCOL if messages.SUBPROTOCOL in offered else None)
    await Driver(socket, session).run()


class Driver:
    """One socket's connection and its two tasks: one for what the client says, the other for what happens meanwhile.

    Whichever has something to do carries out and sends all that is due, in its turn; the other leaves it to that one.
    """

    def __init__(self, socket: WebSocket, session: str | None) -> None:
        self._socket, self._session = socket, session
        self._cases: UseCases = use_cases(socket)
        self._connection = Connection(session)
        self._player: str | None = None
        self._viewers: dict[str, _Viewer] = {}
        self._wake = asyncio.Event()
        self._is_busy = False

    async def run(self) -> None:
        """Talks until either side has had enough."""
        try:
            with self._cases.sockets.one(self._leave):
                await until_one_ends(self._listen(), self._watch())
            await self._put([{"type": "websocket.close", "code": self._connection.closed_for}])
        except (WebSocketDisconnect, TimeoutError):
            pass
        finally:
            for session in tuple(self._viewers):
                await self._unwatch(session)

    async def _listen(self) -> None:
        try:
            async with asyncio.timeout(HELLO_SECONDS):
                await self._receive()
        except TimeoutError:
            self._connection.close(Close.NO_HELLO)
        await self._take_turn()
        while not self._is_over():
            await self._receive()
            await self._take_turn()

    async def _watch(self) -> None:
        while not self._is_over():
            await self._wake.wait()
            self._wake.clear()
            await self._take_turn()

    def _is_over(self) -> bool:
        return self._connection.closed_for is not None and not self._is_busy

    async def _receive(self) -> None:
        message = await self._socket.receive()
        if message["type"] == "websocket.disconnect":
            raise WebSocketDisconnect(message.get("code", 1000))
        self._connection.receive(message.get("text") or message.get("bytes") or "")

    def _leave(self, retry_ms: int) -> None:
        self._connection.leave(retry_ms)
        self._has_news()

    def _has_news(self) -> None:
        """Has what the connection holds sent, by the turn that is being taken or by the next."""
        if not self._is_busy:
            self._wake.set()

    async def _take_turn(self) -> None:
        if self._is_busy:
            return
        self._is_busy = True
        try:
            while (request := self._connection.next_request()) or self._connection.has_data:
                if request:
                    await self._carry_out(request)
                await self._send()
        finally:
            self._is_busy = False

    async def _send(self) -> None:
        frames = self._connection.data_to_send()
        for begin in range(0, len(frames), SEND_BATCH):
            batch = frames[begin : begin + SEND_BATCH]
            await self._put([{"type": "websocket.send", "text": frame.decode()} for frame in batch])

    async def _put(self, batch: list[Message]) -> None:
        """Sends; raises TimeoutError for a reader that has stopped, and WebSocketDisconnect for one that has gone."""
        try:
            async with asyncio.timeout(SEND_SECONDS):
                for message in batch:
                    await self._socket.send(message)
        except RuntimeError as error:  # uvicorn's word for a socket that it has closed itself, for too large a frame
            raise WebSocketDisconnect from error

    async def _carry_out(self, request: Request) -> None:
        try:
            match request:
                case Admit(ticket):
                    await self._admit(ticket)
                case CatchUp(session, seq, crc):
                    await self._subscribe(session, None if seq is None else Place(seq, crc))
                case Unwatch(session):
                    await self._unwatch(session)
                    self._connection.left(session)
                case Submit(command):
                    await self._submit(command)
                case _:
                    assert_never(request)
        except tuple(_CLOSES) as error:
            self._connection.close(_CLOSES[type(error)])
        except Exception:  # a mistake of ours: the log tells it, and the client comes back
            _log.exception("session %s: %s failed", self._session or "any", type(request).__name__)
            self._connection.close(Close.FAILED)

    async def _admit(self, ticket: str | None) -> None:
        if ticket is None:
            player = await asking_player(self._socket)
            self._player = None if player is None else player.id
        else:
            self._player = (await self._cases.players.by_ticket(ticket)).id
        self._connection.admitted(self._cases.clock.now())

    async def _subscribe(self, session: str, place: Place | None) -> None:
        try:
            await self._catch_up(session, place)
        except _OF_A_SESSION as error:
            if self._session is not None:
                raise
            await self._unwatch(session)
            self._connection.ended(session, error.code, str(error))

    async def _unwatch(self, session: str) -> None:
        if viewer := self._viewers.pop(session, None):
            await self._cases.live.unwatch(session, viewer)

    async def _catch_up(self, session: str, place: Place | None) -> None:
        viewer = self._viewers.setdefault(session, _Viewer(session, self._connection, self._has_news))
        history = await self._cases.live.watch(session, viewer)
        viewer.seat = seat = viewing_seat(history.meta, self._player)
        topic, game = messages.topic_of(session), history.game
        events = place and events_after(history, place, seat)
        frames: list[messages.ServerMessage]
        if events is not None:
            frames = [*events, messages.Subbed(topic, game.seq)]
        elif place is None or history.knows(place):
            frames = [messages.Snapshot(topic, session_view(history.meta, game, seat))]
        else:
            frames = [messages.Reset(topic, session_view(history.meta, game, seat))]
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
            if self._session is not None and isinstance(error, _OF_A_SESSION):
                raise
            connection.refused(_refusal(message, error.code, str(error)))
        except StoreUnavailable:
            connection.refused(_refusal(message, "unavailable", "The store cannot be reached; send it again."))


class _Viewer:
    """Tells a connection what happens in one of its sessions, as it is seen from a seat, or by a spectator."""

    def __init__(self, session: str, connection: Connection, has_news: Callable[[], None]) -> None:
        self._session, self._connection, self._has_news = session, connection, has_news
        self.seat: int | None = None

    def __call__(self, update: Update | None) -> None:
        if update is None:
            self._connection.lost(self._session)
        else:
            self._connection.feed(self._session, update.seq, update.crc, update.frame(self.seat))
        self._has_news()


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
