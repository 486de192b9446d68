"""The composition root: settings, then the store, the use cases and the edges."""

import asyncio
import secrets
import socket
import sys
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any, Final

import uvicorn
from fastapi import FastAPI
from fastapi.middleware.cors import CORSMiddleware
from fastapi_offline import FastAPIOffline

from service import __version__
from service.ports import Chance, Clock, Store
from service.settings import Settings
from service.store.memory import MemoryStore
from service.store.redis.store import RedisStore
from service.usecases.history import Histories
from service.usecases.live import Live
from service.usecases.players import Players
from service.usecases.sessions import Sessions, record_of
from service.web import health, live, players, sessions
from service.web.dependencies import UseCases
from service.web.limits import BodyLimit
from service.web.openapi import describe
from service.web.problems import answer_problems

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
SHUTDOWN_SECONDS: Final = 10
"""How long open requests and sockets may take to end."""
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
    )
    app.add_middleware(BodyLimit, limit=MAX_BODY)
    app.add_middleware(
        CORSMiddleware,
        allow_origins=["*"],
        allow_methods=["GET", "POST"],
        allow_headers=["Authorization", "Content-Type", "Idempotency-Key", "If-Match", "If-None-Match"],
        expose_headers=EXPOSED_HEADERS,
    )
    for routes in (players, sessions, live, health):
        app.include_router(routes.router)
    answer_problems(app)
    describe(app)
    return app


def serve(settings: Settings, redis_url: str) -> int:
    """Runs the service until it is told to stop, and answers with an exit status; raises OSError for a bad address."""
    app = create_app(RedisStore(redis_url, settings.session_ttl), settings.cached_sessions)
    server = _Server(
        uvicorn.Config(
            app,
            ws_max_size=MAX_FRAME,
            ws_per_message_deflate=False,
            access_log=False,
            log_level="warning",
            timeout_graceful_shutdown=SHUTDOWN_SECONDS,
        )
    )
    with _listening(settings.host, settings.port) as listening:
        server.run([listening])
    return 0 if server.started else 1


def _listening(host: str, port: int) -> socket.socket:
    """A socket whose connections have a small send buffer, and end when the peer has stopped."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    listening = socket.create_server((host, port), family=family, backlog=BACKLOG)
    listening.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, SEND_BUFFER)
    if sys.platform == "linux":
        listening.setsockopt(socket.IPPROTO_TCP, socket.TCP_USER_TIMEOUT, DEAD_PEER_MS)
    return listening


class _Server(uvicorn.Server):
    """A server that says where to play once it listens."""

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        await super().startup(sockets)
        if self.started:
            host, port = self.servers[0].sockets[0].getsockname()[:2]
            url = f"http://{'127.0.0.1' if host == '0.0.0.0' else host}:{port}"  # noqa: S104 - a link to click on
            command = sys.argv[0] if sys.argv[0].endswith("constitution") else "constitution"
            print(f"British Constitution {__version__} is open at {url}")
            print(f"  the API's pages    {url}/docs")
            print(f"  see it play        {command} demo --url {url}", flush=True)


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
