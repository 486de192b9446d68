"""The players of each contender: what its clients say and are told."""

import json
from time import perf_counter
from typing import Final

from picows import WSMsgType, WSTransport

from tests.bench.live.load import Player, Table

PLAY: Final = b'{"type":"play","session":"%s","move":"%s","at":%d,"crc":"%s"}'
HELLO: Final = b'{"type":"hello","v":1}'
HELLO_WITH_RULES: Final = b'{"type":"hello","v":1,"legal":false}'
_EVENT: Final = b'{"type":"event"'
_ASIDES: Final = (b'{"type":"welcome"', b'{"type":"presence"')
"""What nobody answers."""
_SEQ: Final = b'"seq":'
_CRC: Final = b'"crc":"'


class Echoed(Player):
    """Says what a move would say, to a server that says it again."""

    FRAME: Final = PLAY % (b"0123456789abcdef0123456789abcdef", b"c2f1", 21, b"9a0b12ff")

    def move(self) -> bytes:
        return self.FRAME

    def receive(self, frame: bytes) -> None:
        self.answered()

    def on_ws_connected(self, transport: WSTransport) -> None:
        super().on_ws_connected(transport)
        self.arrive()


class Broadcast(Echoed):
    """Has the echo server tell everybody a frame as long as an event."""

    def __init__(self, table: Table, length: int) -> None:
        super().__init__(table)
        self._padding = b"x" * length

    def move(self) -> bytes:
        frame = _EVENT + b"," + _SEQ + b'%d,"padding":"' % len(self.sent)
        return frame + self._padding[len(frame) + 2 :] + b'"}'


class Mover(Player):
    """A player with a game to win."""

    def __init__(self, table: Table, session: str, moves: tuple[str, ...]) -> None:
        super().__init__(table)
        self.session = session.encode()
        self.moves = [move.encode() for move in moves]
        self.at = 0

    @property
    def is_over(self) -> bool:
        return self.at == len(self.moves)


class Ours(Mover):
    """A client of the service: it is told the event with its legal moves and the ack, and moves on the ack."""

    greeting = HELLO
    crc = b"00000000"

    def move(self) -> bytes:
        return PLAY % (self.session, self.moves[self.at], self.at, self.crc)

    def receive(self, frame: bytes) -> None:
        if frame.startswith(b'{"type":"ack"'):
            start = frame.index(_CRC) + len(_CRC)
            self.crc = frame[start : start + 8]
            self.at += 1
            self.answered()
        elif frame.startswith(b'{"type":"snapshot"'):
            self.arrive()
        elif not frame.startswith((_EVENT, *_ASIDES)):
            self.complain(frame)


class OursWithRules(Ours):
    """A client with rules of its own, as those of the peers are, which declines the legal moves."""

    greeting = HELLO_WITH_RULES


class Watcher(Player):
    """Notes how long after a move it was told of it."""

    def __init__(self, table: Table, sent: list[float], deliveries: list[float], greeting: bytes) -> None:
        super().__init__(table)
        self._sent, self._deliveries = sent, deliveries
        self.greeting = greeting

    def receive(self, frame: bytes) -> None:
        if frame.startswith(_EVENT):
            start = frame.index(_SEQ) + len(_SEQ)
            seq = int(frame[start : frame.index(b",", start)])
            self._deliveries.append(perf_counter() - self._sent[seq - 1])
            self.table.delivered = len(frame)
        elif frame.startswith(b'{"type":"snapshot"'):
            self.arrive()
        elif not frame.startswith(_ASIDES):
            self.complain(frame)

    def on_ws_connected(self, transport: WSTransport) -> None:
        super().on_ws_connected(transport)
        if not self.greeting:
            self.arrive()


class BoardgameIo(Mover):
    """A client of boardgame.io: socket.io's text frames over one WebSocket. The new state is its answer."""

    SPACE: Final = b"/patience"

    def __init__(self, table: Table, session: str, moves: tuple[str, ...], credentials: str) -> None:
        super().__init__(table, session, moves)
        self._credentials = credentials.encode()
        self._update = b"42" + self.SPACE + b',["update",'
        self._sync = b"42" + self.SPACE + b',["sync",'

    def move(self) -> bytes:
        payload = b'{"type":"play","args":["%s"],"playerID":"0","credentials":"%s"}'
        action = b'{"type":"MAKE_MOVE","payload":' + payload % (self.moves[self.at], self._credentials) + b"}"
        return self._update + action + b',%d,"%s","0"]' % (self.at, self.session)

    def receive(self, frame: bytes) -> None:
        if frame.startswith(self._update):
            self.at += 1
            self.answered()
        elif frame == b"2":  # a ping
            self.say(b"3")
        elif frame.startswith(b"0{"):
            self.say(b"40" + self.SPACE + b",")
        elif frame.startswith(b"40" + self.SPACE):
            self.say(self._sync + json.dumps([self.session.decode(), "0", self._credentials.decode()])[1:].encode())
        elif frame.startswith(self._sync):
            self.arrive()
        elif not frame.startswith(b"42" + self.SPACE + b',["matchData",'):
            self.complain(frame)


class Colyseus(Mover):
    """A client of Colyseus: binary frames of one leading byte. The patch of the state is its answer."""

    frames = WSMsgType.BINARY
    JOIN_ROOM: Final = 10
    ROOM_STATE: Final = 14
    ROOM_STATE_PATCH: Final = 15
    ROOM_DATA: Final = bytes((13,))

    def move(self) -> bytes:
        return self.ROOM_DATA + _packed(b"play") + _packed(self.moves[self.at])

    def receive(self, frame: bytes) -> None:
        if frame[0] == self.ROOM_STATE_PATCH:
            self.at += 1
            self.answered()
        elif frame[0] == self.JOIN_ROOM:
            self.say(frame[:1])
        elif frame[0] == self.ROOM_STATE:
            self.arrive()
        else:
            self.complain(frame)


def _packed(text: bytes) -> bytes:
    """A short text in MessagePack."""
    return bytes((0xA0 | len(text),)) + text
