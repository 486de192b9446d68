"""A client that is dead is closed, and one that lives may be as silent as it likes."""

import asyncio
import contextlib
from collections.abc import AsyncIterator

import pytest

from service import serving
from service.app import create_app
from service.protocol.connection import PING_SECONDS
from service.store.memory import MemoryStore
from tests.conftest import now
from tests.live.client import PATIENCE, guest, watching
from tests.live.test_slow_reader import HANDSHAKE, text_frame

PERIOD = 0.1  # seconds, instead of PING_SECONDS
PING, CLOSE = 0x89, 0x88


@pytest.fixture
async def impatient() -> AsyncIterator[str]:
    """The URL of a service that pings often."""
    config = serving.config(create_app(MemoryStore(now, session_ttl=0), cached_sessions=10))
    assert config.ws_ping_interval == config.ws_ping_timeout == PING_SECONDS
    config.ws_ping_interval = config.ws_ping_timeout = PERIOD
    server = serving.Server(config)
    with serving.listening("127.0.0.1", 0) as listening:
        running = asyncio.create_task(server.serve([listening]))
        yield f"http://127.0.0.1:{listening.getsockname()[1]}"
        server.should_exit = True
        async with asyncio.timeout(PATIENCE):
            await running


async def test_a_client_that_answers_pings_may_say_nothing(impatient: str) -> None:
    async with guest(impatient) as player:
        session = await player.deal()
        async with watching(impatient, session) as socket:
            await asyncio.sleep(10 * PERIOD)
            await player.play(session, "b1G")
            assert (await socket.hear())["type"] == "event"


async def test_a_client_that_answers_no_ping_is_closed_with_a_code_that_says_come_back(impatient: str) -> None:
    async with guest(impatient) as player:
        session = await player.deal()
        reader, writer = await asyncio.open_connection(*impatient.removeprefix("http://").split(":"))
        writer.write(HANDSHAKE.format(session=session["id"]).encode() + text_frame({"type": "hello", "v": 1}))
        async with asyncio.timeout(PATIENCE):
            await reader.readuntil(b"\r\n\r\n")
            frames = await reader.read()
        writer.close()
        with contextlib.suppress(ConnectionError):
            await writer.wait_closed()

    ping = frames.rindex(bytes([PING, 4]))
    assert frames[ping + 6] == CLOSE
    assert int.from_bytes(frames[ping + 8 : ping + 10]) == 1011
