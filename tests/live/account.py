"""What a socket owes for what was said on it, and what it paid: the rules of PROTOCOL.md, counted."""

from collections import Counter
from collections.abc import Sequence
from typing import Final

import msgspec

from service.protocol import messages, shapes
from tests.live.fuzz import Board, Said
from tests.live.raw import Frame, Op

TROUBLE: Final = {"unavailable", "corrupt_session", "rate_limited"}
"""What nothing is refused with while the store is well, and nobody says more than is allowed."""

_decode: Final = msgspec.json.Decoder(messages.ServerMessage).decode


class Account:
    """Of a socket for one session or, without `own`, for any."""

    def __init__(self, board: Board, own: str | None) -> None:
        self._board, self._own = board, own
        self.owed, self.paid = Counter[str](), Counter[str]()
        self._topics = set[str]()
        self._pings = Counter[bytes]()
        self.bye: messages.Bye | None = None
        self.closed: Frame | None = None

    @property
    def is_settled(self) -> bool:
        return not (self._topics or +self._pings) and self.paid == self.owed

    def say(self, said: Said) -> None:
        """Notes what a message has for an answer."""
        for ping in said.pings:
            self.ping(ping)
        message = parsed(said)
        match message:
            case messages.Ping():
                self.owed["pong"] += 1
            case messages.Sub(topic) if self._is_ours(messages.session_of(topic)):
                self._topics.add(topic)
            case messages.Unsub(topic) if self._is_ours(messages.session_of(topic)):
                self._topics.discard(topic)
                self.owed["unsubbed"] += 1
            case messages.Play() | messages.Undo() | messages.Redo() | messages.Consent() if self._is_ours(
                message.session
            ):
                self.owed["answer to a command"] += 1
            case messages.React(session) if self._is_ours(session):
                pass  # what is heard of it depends on who watches
            case _:
                self.owed["objection"] += 1

    def greet(self) -> None:
        """Notes what a good hello has for an answer."""
        self.owed["welcome"] += 1
        if self._own is not None:
            self._topics.add(messages.topic_of(self._own))

    def ping(self, payload: bytes) -> None:
        self._pings[payload] += 1

    def hear(self, frame: Frame) -> None:
        """Notes what was paid; nothing may be that was not owed, but what happens in a session."""
        assert self.closed is None, "nothing comes after a close"
        match frame.op:
            case Op.PONG:
                self._pings[frame.payload] -= 1
                assert self._pings[frame.payload] >= 0
            case Op.PING:
                pass  # it may wait for its answer longer than any test takes
            case Op.CLOSE:
                self.closed = frame
            case Op.TEXT:
                assert self.bye is None, "nothing is said after the bye"
                message = _decode(frame.payload)
                assert not isinstance(message, messages.Refused) or message.code not in TROUBLE
                self._hear(message)
            case _:
                raise AssertionError(frame)
        assert self.paid <= self.owed, frame

    def _hear(self, message: messages.ServerMessage) -> None:
        self._pay(message)
        match message:
            case messages.Ack(session, _, seq, crc):
                self._learn(session, seq, crc)
            case shapes.Event(session=session, seq=seq, crc=crc, legal=legal):
                self._learn(session, seq, crc, legal)
            case messages.Snapshot(_, session) | messages.Reset(_, session):
                self._learn(session.id, session.seq, session.crc, session.legal)
            case messages.Bye():
                self.bye = message

    def _pay(self, message: messages.ServerMessage) -> None:
        match message:
            case messages.Snapshot(topic) | messages.Reset(topic) | messages.Subbed(topic):
                self._topics.discard(topic)
            case messages.Refused(code="not_your_seat", session=msgspec.UNSET):
                pass  # a reaction's
            case messages.Refused(session=str(session), at=msgspec.UNSET):
                self._topics.discard(messages.topic_of(session))
            case messages.Refused(session=msgspec.UNSET):
                self.paid["objection"] += 1
            case messages.Refused() | messages.Ack() | messages.Stale():
                self.paid["answer to a command"] += 1
            case messages.Welcome() | messages.Unsubbed() | messages.Pong():
                self.paid[type(message).__name__.lower()] += 1

    def _learn(self, session: str, seq: int, crc: str, legal: Sequence[shapes.LegalMove] = ()) -> None:
        if session == self._board.id and seq >= self._board.seq:
            self._board.seq, self._board.crc = seq, crc
            if legal:
                self._board.move = legal[0].move

    def _is_ours(self, session: str) -> bool:
        return self._own in {None, session}


def parsed(said: Said) -> messages.ClientMessage | None:
    """The message, if it is one."""
    try:
        return messages.decode(said.payload.decode() if said.op is Op.TEXT else said.payload)
    except messages.BadMessage:
        return None
