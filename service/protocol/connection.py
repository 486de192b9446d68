"""What one socket has said and is owed: a state machine without input or output, clock or task.

    NEW ── hello ──▶ OPEN ── leave ──▶ LEAVING ── nothing left to carry out ──▶ CLOSED
    any of these ── close ──▶ CLOSED

A driver feeds it what arrives (`receive`), whether the client reads (`stall`, `resume`), what a watched session gained
(`feed`, `lost`), how a board is now (`show`), and how its requests ended (`admitted`, `caught_up`, `ended`, `left`,
`withheld`, `hidden`, `acked`, `refused`, `stale`, `strayed`, `close`); it carries out each `next_request`, one at a
time, and sends the `data_to_send`.
"""

from collections import deque
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Final, Literal, TypeAlias, assert_never

from msgspec import UNSET, Struct, UnsetType

from service.protocol import messages
from service.protocol.close import Close
from service.protocol.requests import Admit, CatchUp, HideBoard, Request, ShowBoard, Unwatch

HELD_LIMIT: Final = 1024
"""Entries of a session that may wait until its client is caught up; with more it is caught up again."""
REQUEST_LIMIT: Final = 128
"""Messages that may wait to be carried out, before no more are heard."""
OUTBOX_LIMIT: Final = 1024
"""Frames that may wait to be sent, before no more are heard that ask for some."""
TOPIC_LIMIT: Final = 64
"""Sessions and boards that one socket may be subscribed to."""
PING_SECONDS: Final = 20
RETRY_MS: Final = 1000


Phase: TypeAlias = Literal["new", "open", "leaving", "closed"]


@dataclass(slots=True)
class _Topic:
    """How far the client was told of a session; while it is being caught up, what was fed is held.

    So are answers that tell of entries, which no client has before their events, and all answers after them. It lags
    where entries were dropped, since nobody read. `winnable`: whether the client wants to know if it can still be won.
    """

    winnable: bool = False
    seq: int = 0
    crc: int = 0
    catching_up: bool = True
    lags: bool = False
    held: list[tuple[int, int, bytes]] = field(default_factory=list)
    owed: list[bytes] = field(default_factory=list)


class Connection:
    """The state of one socket: opened on the path of `session`, to which it so is subscribed, or for any sessions.

    Both carry boards too. Of a board only the last state counts, so one frame of each waits to be sent at most.
    """

    def __init__(self, session: str | None = None) -> None:
        self._session = session
        self._phase: Phase = "new"
        self._topics: dict[str, _Topic] = {}
        self._boards: dict[str, bytes] = {}
        """The boards that the client wants to see, and what was told of each last."""
        self._requests: deque[Request] = deque()
        self._outbox: list[bytes] = []
        self._retry_ms = RETRY_MS
        self._is_stalled = False
        self.wants_legal = True
        """Whether the client wants to be told its legal moves."""
        self.closed_for: Close | None = None
        """Why the socket is to be closed once all data is sent."""

    def wants_winnable(self, session: str) -> bool:
        """Whether the client wants to be told after each entry whether the session can still be won."""
        return (topic := self._topics.get(session)) is not None and topic.winnable

    def next_request(self) -> Request | None:
        """The next thing to do; each is given out once, and the one before it is done. Nothing while nobody reads."""
        if self._is_stalled:
            return None
        if self._requests:
            return self._requests.popleft()
        if self._phase == "leaving":
            self.close(Close.GOING_AWAY)
        return None

    @property
    def is_full(self) -> bool:
        """Whether no more should be heard of the client for now."""
        return self._is_stalled or len(self._requests) >= REQUEST_LIMIT or len(self._outbox) >= OUTBOX_LIMIT

    def data_to_send(self) -> list[bytes]:
        """The frames to send, in order, each given out once; none while the client does not read, but at the end."""
        if not self._outbox or (self._is_stalled and self._phase != "closed"):
            return []
        frames, self._outbox = self._outbox, []
        return frames

    def receive(self, frame: str | bytes) -> None:
        """Takes a frame of the client's: text, or bytes for a binary one, which the protocol does not have."""
        if self._phase in {"leaving", "closed"}:
            return
        try:
            message = messages.decode(frame)
        except messages.BadMessage as error:
            self._object(str(error))
        else:
            if self._phase == "new":
                self._greet(message)
            else:
                self._answer(message)

    def admitted(self, now: int) -> None:
        """The client is who it says; `now` is the clock in milliseconds since the epoch."""
        self._send(messages.Welcome(messages.VERSION, now, PING_SECONDS))

    def caught_up(self, session: str, seq: int, crc: int, frames: Sequence[Struct]) -> None:
        """The client is up to `(seq, crc)` once it has these messages; what was held meanwhile follows them.

        It is told nothing if it has left the session meanwhile.
        """
        if (topic := self._topics.get(session)) is None:
            return
        topic.seq, topic.crc, topic.catching_up = seq, crc, False
        for frame in frames:
            self._send(frame)
        held, topic.held = topic.held, []
        for entry in held:
            self.feed(session, *entry)
        if topic.lags and not self._is_stalled:
            self.lost(session)
        if not (topic.lags or topic.catching_up):
            self._pay(topic)

    def feed(self, session: str, seq: int, crc: int, frame: bytes) -> None:
        """The session's log has an entry `seq`, here encoded: sent if it is the next, dropped if it was had before."""
        topic = self._topics.get(session)
        if topic is None or self._phase == "closed":
            return
        if topic.catching_up and len(topic.held) < HELD_LIMIT:
            topic.held.append((seq, crc, frame))
        elif topic.catching_up or self._is_stalled:
            topic.lags = True
        elif seq == (following := topic.seq + 1):
            topic.seq, topic.crc = seq, crc
            self._outbox.append(frame)
        elif seq > following:
            self.lost(session)

    def tell(self, session: str, frame: bytes) -> None:
        """Something about a watched session that is no entry, here encoded; dropped while the client does not read."""
        if session in self._topics and not (self._is_stalled or self._phase == "closed"):
            self._outbox.append(frame)

    def show(self, topic: str, frame: bytes) -> None:
        """A board as it is now, here encoded: it takes the place of an earlier frame that is not sent yet."""
        if (last := self._boards.get(topic)) is None:
            return
        self._boards[topic] = frame
        if last in self._outbox:
            self._outbox[self._outbox.index(last)] = frame
        else:
            self._outbox.append(frame)

    def lost(self, session: str) -> None:
        """Entries are missing, or the history is another: the session has to be read again from where the client is."""
        topic = self._topics.get(session)
        if topic is not None and topic.catching_up:
            topic.held.clear()  # of the history that is another now; what is read comes after it
        elif topic is not None and self._phase == "open":
            topic.catching_up, topic.lags = True, False
            self._ask(CatchUp(session, topic.seq, topic.crc))

    def stall(self) -> None:
        """The client does not read what it was sent: what its sessions gain now is dropped."""
        self._is_stalled = True

    def resume(self) -> None:
        """The client reads again: each session that lags is read from where the client is."""
        self._is_stalled = False
        for session, topic in self._topics.items():
            if topic.lags:
                self.lost(session)

    def ended(self, session: str, code: str, detail: str) -> None:
        """The session cannot be watched, or no longer; the socket stays."""
        self._forget(session)
        self._send(messages.Refused(code, detail, session=session))

    def left(self, session: str) -> None:
        """The session is watched no more, as the client asked."""
        self._send(messages.Unsubbed(messages.topic_of(session)))

    def withheld(self, refusal: messages.Refused) -> None:
        """The board of the refusal's topic cannot be shown."""
        self._boards.pop(refusal.topic or "", None)
        self._send(refusal)

    def hidden(self, topic: str) -> None:
        """The board is shown no more, as the client asked."""
        self._send(messages.Unsubbed(topic))

    def acked(self, session: str, at: int, seq: int, crc: int) -> None:
        """The command on `at` is in the log, as entry `seq`."""
        topic = self._topics.get(session)
        is_news = topic is not None and seq >= topic.seq and crc != topic.crc
        self._reply(topic, messages.Ack(session, at, seq, messages.format_crc(crc)), is_news)

    def refused(self, refusal: messages.Refused) -> None:
        self._reply(self._topics.get(refusal.session or ""), refusal, is_news=False)

    def stale(self, stale: messages.Stale) -> None:
        self._reply(self._topics.get(stale.session), stale, is_news=True)

    def _reply(self, topic: _Topic | None, reply: Struct, is_news: bool) -> None:
        """Answers a command: after what the client is still to be told, if that is news, and after earlier answers."""
        if topic and (topic.owed or (is_news and (topic.catching_up or topic.lags))):
            topic.owed.append(messages.encode(reply))
        else:
            self._send(reply)

    def strayed(self, session: str, at: int, crc: int | None) -> None:
        """The command's place is not in the log, or too far back: whoever watches the session needs it anew."""
        if topic := self._topics.get(session):
            self._subscribe(session, at, crc, topic.winnable)  # which pays what is owed
        self._send(messages.Stale(session, at, []))

    def leave(self, retry_ms: int) -> None:
        """Ends the conversation when all that was asked until now is answered; nothing more is heard."""
        if self._phase != "closed":
            self._phase, self._retry_ms = "leaving", retry_ms

    def close(self, code: Close) -> None:
        """Ends the conversation; nothing is asked or sent after the bye."""
        if self._phase != "closed":
            for session in tuple(self._topics):
                self._forget(session)
            self._send(messages.Bye(code.name.lower(), self._retry_ms if code.come_back else None))
            self._phase, self.closed_for = "closed", code
            self._requests.clear()
            self._boards.clear()

    def _greet(self, message: messages.ClientMessage) -> None:
        if not isinstance(message, messages.Hello):
            self.close(Close.NO_HELLO)
        elif message.v != messages.VERSION:
            self.close(Close.WRONG_VERSION)
        else:
            self._phase, self.wants_legal = "open", message.legal
            self._ask(Admit(message.ticket))
            if self._session is not None:
                self._subscribe(self._session, message.seq, _parsed(message.crc), message.winnable)

    def _answer(self, message: messages.ClientMessage) -> None:
        match message:
            case messages.Play() | messages.Undo() | messages.Redo() | messages.Consent() | messages.React():
                if self._is_ours(message.session):
                    self._ask(message)
            case messages.Ping():
                self._send(messages.Pong())
            case messages.Hello():
                self._object("a hello comes once, and first")
            case messages.Sub(topic) | messages.Unsub(topic) if messages.is_board(topic):
                self._turn_to_board(topic, isinstance(message, messages.Sub))
            case messages.Sub(topic, seq, crc, winnable):
                session = messages.session_of(topic)
                if self._is_ours(session) and self._has_room(session in self._topics, session=session):
                    self._subscribe(session, seq, _parsed(crc), winnable)
            case messages.Unsub(topic):
                session = messages.session_of(topic)
                if self._is_ours(session):
                    self._forget(session)
                    self._ask(Unwatch(session))
            case _:
                assert_never(message)

    def _turn_to_board(self, topic: str, is_wanted: bool) -> None:
        """Has a board shown, or no more."""
        if not is_wanted:
            self._boards.pop(topic, None)
            self._ask(HideBoard(topic))
        elif self._has_room(topic in self._boards, topic=topic):
            self._boards.setdefault(topic, b"")
            self._ask(ShowBoard(topic))

    def _is_ours(self, session: str) -> bool:
        is_ours = self._session is None or self._session == session
        if not is_ours:
            self._object(f"this socket carries {messages.TOPIC_PREFIX}{self._session} and no other")
        return is_ours

    def _has_room(self, has_it: bool, session: str | UnsetType = UNSET, topic: str | UnsetType = UNSET) -> bool:
        """Whether the client may have this session or this board, as it may where it has it already."""
        has_room = has_it or len(self._topics) + len(self._boards) < TOPIC_LIMIT
        if not has_room:
            detail = f"A socket carries {TOPIC_LIMIT} sessions and boards at most."
            self._send(messages.Refused("too_many_topics", detail, session=session, topic=topic))
        return has_room

    def _subscribe(self, session: str, seq: int | None, crc: int | None, winnable: bool) -> None:
        self._forget(session)
        self._topics[session] = _Topic(winnable)
        self._ask(CatchUp(session, seq, crc))

    def _forget(self, session: str) -> None:
        """Holds nothing more of a session; what is owed is paid, since what it says is so."""
        if topic := self._topics.pop(session, None):
            self._pay(topic)

    def _pay(self, topic: _Topic) -> None:
        self._outbox.extend(topic.owed)
        topic.owed.clear()

    def _object(self, detail: str) -> None:
        """Says that a message was none; before the hello, that ends it."""
        if self._phase == "new":
            self.close(Close.NO_HELLO)
        else:
            self._send(messages.Refused("bad_request", detail))

    def _ask(self, request: Request) -> None:
        if self._phase == "open":
            self._requests.append(request)

    def _send(self, message: Struct) -> None:
        if self._phase != "closed":
            self._outbox.append(messages.encode(message))


def _parsed(crc: str | None) -> int | None:
    return None if crc is None else messages.parse_crc(crc)
