"""The driver of a socket, with the server's end of it in the test's own hands."""

import asyncio
import json
from collections.abc import AsyncIterator
from typing import Any

import pytest
from fastapi import FastAPI

from service.app import create_app
from service.engine.notation import parse_move
from service.protocol.connection import REQUEST_LIMIT
from service.store.memory import MemoryStore
from service.usecases.history import Place
from service.usecases.sessions import Play
from service.web import live
from service.web.dependencies import UseCases
from tests.conftest import now
from tests.live.client import PATIENCE, Message
from tests.live.test_rooms import PLAYER


class Server:
    """What an ASGI server is to the application: it has frames for it, takes frames from it, and can be stopped."""

    def __init__(self, app: FastAPI, session: str) -> None:
        self.session = session
        self.cases: UseCases = app.state.use_cases
        self._came: asyncio.Queue[Message] = asyncio.Queue()
        self._sent: asyncio.Queue[Message] = asyncio.Queue()
        self._waits = asyncio.Event()
        self.ready = asyncio.Event()
        self.ready.set()
        self.has_closed = False
        self._came.put_nowait({"type": "websocket.connect"})
        scope: Message = {"type": "websocket", "path": f"/v1/sessions/{session}/live"}
        scope |= {"query_string": b"", "headers": [], "subprotocols": []}
        self.conversation = asyncio.create_task(app(scope, self._came.get, self._send))

    def comes(self, kind: str, **members: Any) -> None:
        """A message comes from the client."""
        self._came.put_nowait({"type": "websocket.receive", "text": json.dumps({"type": kind, **members})})

    @property
    def has_unheard(self) -> bool:
        return not self._came.empty()

    def goes(self) -> None:
        """The client goes."""
        self._came.put_nowait({"type": "websocket.disconnect", "code": 1006})

    async def sends(self) -> Any:
        """The next that the application sends: a message, or the code that it closes with."""
        async with asyncio.timeout(PATIENCE):
            sent = await self._sent.get()
        return json.loads(sent["text"]) if "text" in sent else sent.get("code")

    async def is_waited_for(self) -> None:
        """Returns when the application has something to send, and the server is not ready."""
        async with asyncio.timeout(PATIENCE):
            await self._waits.wait()

    async def _send(self, message: Any) -> None:
        if not self.ready.is_set():
            self._waits.set()
        await self.ready.wait()
        if self.has_closed:
            raise RuntimeError("Unexpected ASGI message, after sending 'websocket.close'.")
        self._sent.put_nowait(message)


@pytest.fixture
async def server() -> AsyncIterator[Server]:
    app = create_app(MemoryStore(now, session_ttl=0), cached_sessions=10)
    session = await app.state.use_cases.sessions.create(PLAYER, "modern", "pysol:1", True, None)
    one = Server(app, session.id)
    assert await one.sends() is None, "it accepts"
    one.comes("hello", v=1)
    assert (await one.sends())["type"] == "welcome"
    assert (await one.sends())["type"] == "snapshot"
    yield one
    async with asyncio.timeout(PATIENCE):
        await one.conversation


async def test_a_client_that_goes_ends_it(server: Server) -> None:
    server.goes()


async def test_a_server_that_has_closed_the_socket_by_itself_ends_it(server: Server) -> None:
    server.has_closed = True
    server.comes("ping")


async def test_a_bye_that_falls_due_while_something_is_sent_is_sent_too(server: Server) -> None:
    server.ready.clear()
    await server.cases.sessions.submit(server.session, PLAYER.id, Play(parse_move("b1G")), Place(0))
    await server.is_waited_for()
    for _ in range(REQUEST_LIMIT + 1):
        server.comes("sub", topic="session:" + server.session)
    while server.has_unheard:  # noqa: ASYNC110 - what is waited for is the application's
        await asyncio.sleep(0)
    server.ready.set()

    assert (await server.sends())["type"] == "event"
    assert await server.sends() == {"type": "bye", "code": "too_fast", "retry_ms": 1000}
    assert await server.sends() == 4010


async def test_a_reader_that_has_stopped_is_given_up(server: Server, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(live, "SEND_SECONDS", 0.01)
    server.ready.clear()
    server.comes("ping")
    await server.is_waited_for()
