"""A client that does not read costs the others nothing, is closed, and cannot make the server remember much."""

import asyncio
import contextlib
import json
import socket
import time
from collections.abc import Callable, Iterator

from redis import Redis

from service.protocol.connection import REQUEST_LIMIT
from service.store.redis import keys
from service.usecases.views import MISSED_LIMIT
from service.web.driver import STALL_SECONDS
from tests.live.client import Message, Socket, eventually, guest, watching
from tests.live.replica import Replica

STALLED = 3
PAST = 350  # entries: a hundred kilobytes to those who ask for them
ASKS = REQUEST_LIMIT - 4  # more than fits into every buffer on the way
MEMORY_EACH = 3 * 2**20  # bytes
PAUSE = 0.05  # seconds
HANDSHAKE = (
    "GET /v1/sessions/{session}/live HTTP/1.1\r\nHost: localhost\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
    "Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\nSec-WebSocket-Version: 13\r\n\r\n"
)


async def test_a_client_that_never_reads_costs_the_others_nothing_and_is_closed(
    service: str, started: tuple[Replica, Replica], redis_url: str
) -> None:
    async with guest(service) as player:
        session = await player.play(await player.deal(), "b1G")
        with Redis.from_url(redis_url) as control, contextlib.ExitStack() as stack:

            def is_watched() -> bool:
                [(_, listeners)] = control.pubsub_shardnumsub(keys.session_channel(session["id"]))
                return bool(listeners)

            async with watching(service, session, player) as mine, watching(service, session) as theirs:
                await to_and_fro(session, mine, theirs, until=lambda: mine.seq == PAST)
                before = started[0].resident
                for _ in range(STALLED):
                    stack.enter_context(unread(service, session["id"]))
                end = time.monotonic() + STALL_SECONDS / 2
                slowest = await to_and_fro(session, mine, theirs, until=lambda: time.monotonic() > end, pause=PAUSE)
            assert mine.seq < MISSED_LIMIT, "so that those who do not read were sent every entry, many times"
            assert slowest < 1.0
            assert is_watched(), "by those who do not read"

            await eventually(lambda: not is_watched(), within=2 * STALL_SECONDS)
            assert started[0].resident - before < STALLED * MEMORY_EACH


async def to_and_fro(
    session: Message, mover: Socket, spectator: Socket, until: Callable[[], bool], pause: float = 0
) -> float:
    """Undoes and redoes; answers with the longest that one took to reach mover and spectator, in seconds."""
    slowest = 0.0
    while not until():
        begin = time.monotonic()
        ack = await mover.ask("undo" if mover.seq % 2 else "redo", session=session["id"], at=mover.seq)
        await spectator.reach(ack["seq"])
        slowest = max(slowest, time.monotonic() - begin)
        await asyncio.sleep(pause)
    return slowest


@contextlib.contextmanager
def unread(url: str, session: str) -> Iterator[socket.socket]:
    """A socket that has room for little, asks for all that ever happened, many times, and never reads."""
    host, _, port = url.removeprefix("http://").partition(":")
    with socket.socket() as link:
        link.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        link.connect((host, int(port)))
        link.sendall(HANDSHAKE.format(session=session).encode())
        assert link.recv(12, socket.MSG_PEEK) == b"HTTP/1.1 101"
        link.sendall(text_frame({"type": "hello", "v": 1}))
        link.sendall(ASKS * text_frame({"type": "sub", "topic": f"session:{session}", "seq": 1}))
        yield link


def text_frame(message: Message) -> bytes:
    """A frame of a client's, with the mask of zeros that changes nothing."""
    text = json.dumps(message).encode()
    assert len(text) < 126
    return bytes([0x81, 0x80 | len(text), 0, 0, 0, 0]) + text
