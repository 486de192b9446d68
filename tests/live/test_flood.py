"""A client that sends without end and never reads is not read from either, and so cannot fill the server's memory."""

import asyncio
import json
import socket

import pytest

from tests.live.client import guest, topic
from tests.live.raw import SMALL, Op, frame
from tests.live.replica import Replica
from tests.live.test_slow_reader import unread

ENOUGH = 32 * 2**20  # bytes, more than the system holds on the way
MEMORY = 8 * 2**20  # bytes
PACKET = 60_000  # bytes
BLOCKED = 1.0  # seconds, in which the server took nothing


@pytest.mark.parametrize("what", ["ping", "message", "nonsense", "subscription"])
async def test_a_client_that_never_reads_is_not_read_from_for_long(
    service: str, started: tuple[Replica, Replica], what: str
) -> None:
    async with guest(service) as player:
        session = await player.play(await player.deal(), "b1G")
    flood = {
        "ping": frame(Op.PING, bytes(SMALL - 1)),
        "message": frame(Op.TEXT, b'{"type":"ping"}'),
        "nonsense": frame(Op.TEXT, b"?"),
        "subscription": frame(Op.TEXT, json.dumps({"type": "sub", "topic": topic(session)}).encode()),
    }[what]
    before = started[0].resident
    with unread(service, session["id"]) as link:
        taken = await asyncio.to_thread(taken_of, link, flood)
        assert taken < ENOUGH
        assert started[0].resident - before < MEMORY


def taken_of(link: socket.socket, flood: bytes) -> int:
    """How many bytes of a flood are taken before no more are, or enough."""
    taken, packet = 0, flood * (PACKET // len(flood))
    link.settimeout(BLOCKED)
    try:
        while taken < ENOUGH:
            taken += link.send(packet)
    except TimeoutError:
        pass
    return taken
