"""The driver of a socket: moves messages, and carries out what the connection asks."""

import asyncio
import logging
from collections.abc import Awaitable, Callable, Coroutine
from functools import partial
from typing import Any, Final, TypeAlias, assert_never

from msgspec.structs import replace

from service.ports import SessionMeta, StoreUnavailable
from service.protocol import messages
from service.protocol.close import Close
from service.protocol.connection import Connection
from service.protocol.requests import Admit, CatchUp, HideBoard, Request, ShowBoard, Unwatch
from service.usecases import errors
from service.usecases.commands import Accepted, Asked, Outcome
from service.usecases.history import Place
from service.usecases.views import events_after, is_secret, session_view, viewing_seat
from service.web.dependencies import UseCases, bearer, place_at
from service.web.showing import Showing
from service.web.socket import LiveSocket
from service.web.viewer import Viewer
from service.web.wording import command_in, refusal, too_much

_log = logging.getLogger(__name__)

HELLO_SECONDS: Final = 5.0
"""How long a socket may stay open without a hello."""
STALL_SECONDS: Final = 10.0
"""How long a client may read nothing before it is dropped."""

_OF_A_SESSION: Final = (errors.NoSuchSession, errors.NotForSpectators, errors.CorruptSession)
"""What ends a socket that carries one session, and one subscription of a socket that carries any."""
_OF_A_WISH: Final = errors.StillSecret
"""What ends a subscription that could be had if less was wished for."""
_CLOSES: Final[dict[type[BaseException], Close]] = {
    errors.Unauthorised: Close.UNAUTHORISED,
    errors.NoSuchSession: Close.NO_SUCH_SESSION,
    errors.NotForSpectators: Close.FORBIDDEN,
    errors.CorruptSession: Close.CORRUPT,
    StoreUnavailable: Close.UNAVAILABLE,
}

TellEnd: TypeAlias = Callable[[int, str | None], None]
"""Is told of a socket's end: the code that closed it, and whose it was."""


class Driver:
    """One socket's talk: it carries out what the connection asks, one after the other, and sends what is due.

    A command that can be judged at once has no task; whatever has to read the store first has one.
    """

    def __init__(
        self,
        socket: LiveSocket,
        cases: UseCases,
        session: str | None,
        authorization: str | None,
        address: str,
        tell_end: TellEnd,
    ) -> None:
        self._socket, self._cases, self._session, self._authorization = socket, cases, session, authorization
        self._address, self._tell_end = address, tell_end
        self._connection = Connection(session)
        self._player: str | None = None
        self._viewers: dict[str, Viewer] = {}
        self._showing = Showing(cases.board_watch, self._connection, self.take_turn)
        self._is_waiting = False
        """Whether a request is being carried out, which the next has to wait for."""
        self._asked: tuple[messages.Command, Asked]
        """The command that is being decided."""
        self._task: asyncio.Task[None] | None = None
        self._deadline = asyncio.get_running_loop().call_later(HELLO_SECONDS, self._end, Close.NO_HELLO)
        cases.sockets.enter(self.leave, address)

    def receive(self, message: str | bytes) -> None:
        """Takes a message of the client's."""
        self._connection.receive(message)
        if self._is_waiting:
            self._socket.hold_back(self._connection.is_full)
        else:
            self.take_turn()

    def leave(self, retry_ms: int) -> None:
        """Ends the talk when all that was asked is answered."""
        self._connection.leave(retry_ms)
        self.take_turn()

    def stall(self) -> None:
        """Sends no more and hears no more until the client reads again; it is dropped if it does not in time."""
        self._connection.stall()
        self._socket.hold_back(is_full=True)
        self._deadline.cancel()
        self._deadline = asyncio.get_running_loop().call_later(STALL_SECONDS, self._socket.abort)

    def resume(self) -> None:
        """Brings the client up to date with what it was not sent."""
        self._deadline.cancel()
        self._connection.resume()
        for viewer in tuple(self._viewers.values()):
            self._look(viewer)
        self.take_turn()

    def gone(self) -> None:
        """Ends all that the socket was for; a command under way is still committed."""
        self._deadline.cancel()
        self._cases.sockets.exit(self.leave)
        code = self._connection.closed_for
        self._tell_end(self._socket.close_code if code is None else code, self._player)
        self._connection.close(Close.GOING_AWAY)
        if self._task:
            self._task.cancel()
        for session in tuple(self._viewers):
            self._unwatch(session)
        self._showing.end()

    def take_turn(self) -> None:
        """Carries out what is next, until there is nothing more or a request has to wait, and sends what is due.

        While a request waits, what comes to be due waits for its answer, with which it is sent.
        """
        if self._is_waiting:
            return
        connection = self._connection
        while not self._is_waiting and (request := connection.next_request()):
            self._carry_out(request)
        self._send()
        if self._socket.read_paused:
            self._socket.hold_back(connection.is_full)

    def _send(self) -> None:
        connection = self._connection
        if frames := connection.data_to_send():
            self._socket.send_texts(frames)
        if connection.closed_for is not None:
            self._socket.end(connection.closed_for)

    def _end(self, code: Close) -> None:
        self._connection.close(code)
        self._send()

    def _carry_out(self, request: Request) -> None:
        try:
            match request:
                case messages.Play() | messages.Undo() | messages.Redo() | messages.Consent():
                    self._submit(request)
                case messages.React():
                    self._react(request)
                case Unwatch(session):
                    self._unwatch(session)
                    self._connection.left(session)
                case Admit(ticket):
                    self._deadline.cancel()
                    self._await(self._admit(ticket))
                case CatchUp(session, seq, crc):
                    self._await(self._catch_up(session, None if seq is None else Place(seq, crc)))
                case ShowBoard(topic):
                    self._await(self._showing.show(topic))
                case HideBoard(topic):
                    self._showing.hide(topic)
                    self._connection.hidden(topic)
                case _:
                    assert_never(request)
        except Exception as error:
            self._fail(error)

    def _await(self, reading: Coroutine[Any, Any, None]) -> None:
        """Carries out what waits for the store, and goes on after it."""
        self._is_waiting = True
        self._task = asyncio.create_task(reading)
        self._task.add_done_callback(self._go_on)

    def _go_on(self, task: "asyncio.Task[None]") -> None:
        self._is_waiting, self._task = False, None
        if not task.cancelled():
            if error := task.exception():
                self._fail(error)
            self.take_turn()

    def _fail(self, error: BaseException) -> None:
        """Ends the talk, for a reason that the client may learn or by a mistake of ours, of which the log tells."""
        close = _CLOSES.get(type(error), Close.FAILED)
        if close is Close.FAILED:
            known = {"session": self._session, "player": self._player}
            _log.error("a request on a socket failed", exc_info=error, extra=known)
        self._connection.close(close)

    async def _admit(self, ticket: str | None) -> None:
        players = self._cases.players
        player = await bearer(players, self._authorization) if ticket is None else await players.by_ticket(ticket)
        self._player = None if player is None else player.id
        self._connection.admitted(self._cases.clock.now())

    def _unwatch(self, session: str) -> None:
        if viewer := self._viewers.pop(session, None):
            self._cases.live.unwatch(session, viewer)
            self._cases.lookout.leave(session, viewer.tell)
            if viewer.unlogged is not None:
                self._cases.live.presences.exit(session, viewer.seat)

    async def _catch_up(self, session: str, place: Place | None) -> None:
        try:
            await self._watch(session, place)
        except (*_OF_A_SESSION, _OF_A_WISH) as error:
            self._unwatch(session)
            if self._session is not None and not isinstance(error, _OF_A_WISH):
                raise
            self._connection.ended(session, error.code, str(error))

    async def _watch(self, session: str, place: Place | None) -> None:
        viewer = self._viewers.setdefault(session, Viewer(session, self._connection, self.take_turn, self._look))
        history = await self._cases.live.watch(session, viewer)
        if self._viewers.get(session) is not viewer:  # the socket has gone, and the cancellation was lost on the way
            self._cases.live.unwatch(session, viewer)
            return
        meta, game = history.meta, history.game
        is_new, is_another = viewer.unlogged is None, viewer.unlogged not in {None, meta.unlogged}
        self._seat(session, viewer, meta)
        if self._connection.wants_winnable(session) and is_secret(meta, game):
            raise errors.StillSecret
        view = partial(session_view, meta, game, viewer.seat, self._connection.wants_legal)
        topic = messages.topic_of(session)
        events = (
            None
            if place is None or is_another
            else events_after(history, place, viewer.seat, self._connection.wants_legal)
        )
        frames: list[messages.ServerMessage] = []
        is_known = place is None or history.knows(place)
        self._cases.meters.caught_up["resumed" if events is not None else "snapshot" if is_known else "reset"] += 1
        if events is not None:
            frames = [*events, messages.Subbed(topic, game.seq)]
        if events is None and not is_known:
            frames = [messages.Reset(topic, view())]
        elif events is None or (is_new and meta.changes_unlogged):
            frames.append(messages.Snapshot(topic, view()))
        self._connection.caught_up(session, game.seq, game.crc, frames)
        self._look(viewer)

    def _seat(self, session: str, viewer: Viewer, meta: SessionMeta) -> None:
        """Lets the viewer see from the player's seat, and the others that somebody is there."""
        presences, seat = self._cases.live.presences, viewing_seat(meta, self._player)
        if viewer.unlogged is None or viewer.seat != seat:
            if viewer.unlogged is not None:
                presences.exit(session, viewer.seat)
            presences.enter(session, seat)
        viewer.seat, viewer.unlogged = seat, meta.unlogged

    def _look(self, viewer: Viewer) -> None:
        """Has the client told whether a session can still be won, where it wants that, as often as it may ask."""
        is_wanted = self._connection.wants_winnable(viewer.session)
        if is_wanted and not self._cases.rates.hints.take(self._player or self._address):
            self._cases.lookout.look(viewer.session, viewer.tell)

    def _react(self, reaction: messages.React) -> None:
        """Has a phrase said by whoever watches from a seat."""
        session, viewer = reaction.session, self._viewers.get(reaction.session)
        if self._player is None or viewer is None or viewer.seat is None:
            error = errors.NotYourSeat()
            self._connection.refused(messages.Refused(error.code, str(error)))
        elif wait := self._cases.rates.commands.take((self._player, session)):
            self._refuse(too_much(wait))
        else:
            self._cases.live.react(session, viewer.seat, reaction.phrase)

    def _refuse(self, refusal: messages.Refused) -> None:
        """Refuses what comes too often."""
        self._cases.meters.refused[refusal.code] += 1
        self._connection.refused(refusal)

    def _submit(self, message: messages.Command) -> None:
        """Has a command judged at once, if its place is the end of a log that is known here; else reads the log."""
        session, player = message.session, self._player
        try:
            if player is None:
                raise errors.NotYourSeat
            if wait := self._cases.rates.commands.take((player, session)):
                self._refuse(too_much(wait, session, message.at))
                return
            command, place = command_in(message), place_at(message.at, message.crc)
            asked = session, player, command, place
            self._asked = message, asked
            # not `*asked`, for which Python 3.11 takes four times as long
            self._is_waiting = self._cases.commands.try_submit(session, player, command, place, self._settle)
            if not self._is_waiting:
                self._await(self._read_and_answer(message, partial(self._cases.commands.submit, *asked)))
        except errors.UseCaseError as error:
            self._answer(message, error)

    def _settle(self, outcome: Outcome | None) -> None:
        """Goes on when the command that was asked is decided; where its place was past already, the log is read."""
        message, asked = self._asked
        self._is_waiting = False
        if outcome is None:
            self._await(self._read_and_answer(message, partial(self._cases.commands.answer_late, *asked)))
        else:
            self._answer(message, outcome)
            self.take_turn()

    async def _read_and_answer(self, message: messages.Command, ask: Callable[[], Awaitable[Accepted]]) -> None:
        try:
            self._answer(message, await ask())
        except (errors.UseCaseError, StoreUnavailable) as error:
            self._answer(message, error)

    def _answer(self, message: messages.Command, outcome: Outcome) -> None:
        session, at = message.session, message.at
        match outcome:
            case Accepted():
                self._connection.acked(session, at, outcome.game.seq, outcome.game.crc)
            case errors.Stale(missed=list(missed)):
                told = missed if self._connection.wants_legal else [replace(event, legal=[]) for event in missed]
                self._connection.stale(messages.Stale(session, at, told))
            case errors.Stale():
                self._connection.strayed(session, at, place_at(at, message.crc).crc)
            case error if self._session is not None and isinstance(error, _OF_A_SESSION):
                self._fail(error)
            case error:
                self._connection.refused(refusal(error, session, at))
