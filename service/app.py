"""The composition root: settings, then the store, the use cases and the edges."""

import asyncio
import secrets
import socket
import sys
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from typing import Any, Final

import uvicorn
from fastapi import FastAPI
from fastapi.middleware.cors import CORSMiddleware
from fastapi_offline import FastAPIOffline
from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol

from service import __version__
from service.ports import Chance, Clock, Store
from service.protocol.connection import PING_SECONDS
from service.settings import Settings
from service.store.memory import MemoryStore
from service.store.redis.store import RedisStore
from service.usecases.history import Histories
from service.usecases.live import Live
from service.usecases.players import Players
from service.usecases.sessions import Sessions, record_of
from service.web import asyncapi, health, live, players, sessions
from service.web.dependencies import UseCases
from service.web.limits import BodyLimit
from service.web.openapi import describe
from service.web.problems import answer_problems
from service.web.sockets import Sockets

MAX_BODY: Final = 16 * 1024
"""The largest body of a request, in bytes."""
MAX_FRAME: Final = 16 * 1024
"""The largest frame of a socket, in bytes."""
BACKLOG: Final = 2048
"""Connections that may wait to be accepted."""
SEND_BUFFER: Final = 64 * 1024
"""Bytes that the system holds for a peer that does not read."""
DEAD_PEER_MS: Final = 20_000
"""Milliseconds without a sign of a peer after which the system gives it up."""
DRAIN_SECONDS: Final = 5.0
"""How long sockets may take to have their last answers and go, once the service is told to stop."""
DRAIN_STEP: Final = 0.02
SHUTDOWN_SECONDS: Final = 5
"""How long open requests may take to end after that."""
EXPOSED_HEADERS: Final = ["ETag", "Link", "Location", "Retry-After"]


class SystemClock:
    """The machine's clock."""

    def now(self) -> int:
        return time.time_ns() // 1_000_000


class SystemChance:
    """The operating system's randomness."""

    def bytes(self, count: int) -> bytes:
        return secrets.token_bytes(count)


def create_app(store: Store, cached_sessions: int, clock: Clock | None = None, chance: Chance | None = None) -> FastAPI:
    """The application on a store, which it closes when it stops."""
    clock, chance = clock or SystemClock(), chance or SystemChance()
    histories = Histories(store.sessions, cached_sessions)
    rooms = Live(histories, store.doorbells)

    @asynccontextmanager
    async def lifespan(_: FastAPI) -> AsyncIterator[None]:
        answering = asyncio.create_task(rooms.run())
        try:
            yield
        finally:
            answering.cancel()
            await asyncio.gather(answering, return_exceptions=True)
            await store.close()

    app = FastAPIOffline(
        title="British Constitution",
        version=__version__,
        redoc_url=None,
        redirect_slashes=False,
        lifespan=lifespan,
        swagger_ui_oauth2_redirect_url="/docs/oauth2-redirect",
    )
    app.state.use_cases = UseCases(
        players=Players(store.players, clock, chance),
        sessions=Sessions(store.sessions, histories, rooms, clock, chance),
        live=rooms,
        store=store,
        clock=clock,
        sockets=Sockets(),
    )
    app.add_middleware(BodyLimit, limit=MAX_BODY)
    app.add_middleware(
        CORSMiddleware,
        allow_origins=["*"],
        allow_methods=["GET", "POST"],
        allow_headers=["Authorization", "Content-Type", "Idempotency-Key", "If-Match", "If-None-Match"],
        expose_headers=EXPOSED_HEADERS,
    )
    for routes in (players, sessions, live, health, asyncapi):
        app.include_router(routes.router)
    answer_problems(app)
    describe(app)
    return app


def serve(settings: Settings, redis_url: str) -> int:
    """Runs the service until it is told to stop, and answers with an exit status; raises OSError for a bad address."""
    app = create_app(RedisStore(redis_url, settings.session_ttl), settings.cached_sessions)
    server = _Server(_config(app))
    with _listening(settings.host, settings.port) as listening:
        server.run([listening])
    return 0 if server.started else 1


def _config(app: FastAPI) -> uvicorn.Config:
    return uvicorn.Config(
        app,
        ws_max_size=MAX_FRAME,
        ws_per_message_deflate=False,
        ws_ping_interval=PING_SECONDS,
        ws_ping_timeout=PING_SECONDS,
        access_log=False,
        log_level="warning",
        timeout_graceful_shutdown=SHUTDOWN_SECONDS,
    )


def _listening(host: str, port: int) -> socket.socket:
    """A socket whose connections have a small send buffer, and end when the peer has stopped."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    listening = socket.create_server((host, port), family=family, backlog=BACKLOG)
    listening.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, SEND_BUFFER)
    if sys.platform == "linux":
        listening.setsockopt(socket.IPPROTO_TCP, socket.TCP_USER_TIMEOUT, DEAD_PEER_MS)
    return listening


class _Server(uvicorn.Server):
    """A server that says where to play once it listens, and sends its sockets away before it stops."""

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        await super().startup(sockets)
        if self.started:
            host, port = self.servers[0].sockets[0].getsockname()[:2]
            here = {"0.0.0.0": "127.0.0.1", "::": "::1"}.get(host, host)  # noqa: S104 - a link to click on
            url = f"http://{f'[{here}]' if ':' in here else here}:{port}"
            command = sys.argv[0] if sys.argv[0].endswith("constitution") else "constitution"
            print(f"British Constitution {__version__} is open at {url}")
            print(f"  the API's pages    {url}/docs")
            print(f"  see it play        {command} demo --url {url}", flush=True)

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        with suppress(TimeoutError):
            async with asyncio.timeout(DRAIN_SECONDS):
                await self._drain()
        for one in self._open_sockets():
            one.transport.abort()
        await super().shutdown(sockets)

    async def _drain(self) -> None:
        """Not ready, then a bye to every socket and an answer to every poll, and then they have time to go."""
        cases: UseCases = self.config.app.state.use_cases  # type: ignore[union-attr]
        await cases.sockets.send_away()
        cases.live.stop()
        while self._open_sockets() and not self.force_exit:  # noqa: ASYNC110 - uvicorn has no event for it
            await asyncio.sleep(DRAIN_STEP)

    def _open_sockets(self) -> list[WebSocketsSansIOProtocol]:
        return [one for one in self.server_state.connections if isinstance(one, WebSocketsSansIOProtocol)]


async def check_session(settings: Settings, redis_url: str, session: str) -> str:
    """The record of a stored session, replayed; raises NoSuchSession or CorruptSession."""
    store = RedisStore(redis_url, settings.session_ttl)
    try:
        return record_of(await Histories(store.sessions, limit=1).fresh(session))
    finally:
        await store.close()


def contract() -> dict[str, Any]:
    """The HTTP contract."""
    app = create_app(MemoryStore(SystemClock().now, session_ttl=0), cached_sessions=1)
    return app.openapi()
