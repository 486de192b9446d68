"""The composition root: settings, then the store, the use cases and the edges."""

import asyncio
import gc
import secrets
import signal
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

from service import __version__
from service.ports import Chance, Clock, Solver, Store
from service.protocol.connection import PING_SECONDS
from service.settings import Settings
from service.solving import worker
from service.solving.pool import Pool
from service.solving.queue import Queue
from service.store.memory import MemoryStore
from service.store.redis.store import RedisStore
from service.usecases.analysis import Analyses
from service.usecases.board_watch import BoardWatch
from service.usecases.boards import Boards
from service.usecases.closing import Closing
from service.usecases.commands import Commands
from service.usecases.daily import Dailies
from service.usecases.dealing import Dealing
from service.usecases.deals import Deals
from service.usecases.hints import Hints
from service.usecases.history import Histories
from service.usecases.keeper import Keeper
from service.usecases.live import Live
from service.usecases.lookout import Lookout
from service.usecases.players import Players
from service.usecases.preparing import Preparing
from service.usecases.records import Records
from service.usecases.sessions import Sessions, record_of
from service.usecases.solutions import Solutions
from service.web import asyncapi, boards, daily, deals, health, live, players, sessions
from service.web.dependencies import UseCases
from service.web.door import Door
from service.web.gate import Gate
from service.web.limits import BodyLimit, Limits
from service.web.openapi import describe
from service.web.problems import answer_problems
from service.web.rates import HEADERS, Rate, RateLimit, Rates
from service.web.socket import LiveSocket
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
"""How often it is looked whether they have gone, in seconds."""
SHUTDOWN_SECONDS: Final = 5
"""How long open requests may take to end after that."""
COLLECTING: Final = (250, 1, 8_000)
"""Thresholds of the garbage collector: it looks at what is new often, so at little each time, and seldom at all."""
ALLOWED_HEADERS: Final = [
    "Authorization",
    "Content-Type",
    "Idempotency-Key",
    "If-Match",
    "If-None-Match",
    "Last-Event-ID",
]
EXPOSED_HEADERS: Final = ["ETag", "Link", "Location", "Retry-After", *HEADERS]
MINUTE: Final = 60.0
HOUR: Final = 3600.0


class SystemClock:
    """The machine's clock."""

    def now(self) -> int:
        return time.time_ns() // 1_000_000


class SystemChance:
    """The operating system's randomness."""

    def bytes(self, count: int) -> bytes:
        return secrets.token_bytes(count)


def create_app(  # noqa: PLR0913 - the world around the service, of which a test may change any part
    store: Store,
    cached_sessions: int,
    *,
    clock: Clock | None = None,
    chance: Chance | None = None,
    limits: Limits | None = None,
    solver: Solver | None = None,
    days_ahead: int = 0,
) -> FastAPI:
    """The application on a store and a solver, which it closes when it stops.

    It keeps so many days of the daily challenge prepared ahead; 0 leaves that, and making boards final, to others.
    """
    clock, chance, limits = clock or SystemClock(), chance or SystemChance(), limits or Limits()
    solver = solver or Pool(1, store.reports)
    histories = Histories(store.sessions, cached_sessions)
    process = chance.bytes(8).hex()
    rooms = Live(histories, store.doorbells, clock, process)
    solutions, known_deals = Solutions(store.sessions, solver), Deals(solver, chance)
    closing = Closing(store.sessions, store.days, store.records, store.boards, histories, clock)
    keeper = Keeper(closing, Preparing(store.days, known_deals, clock), process, days_ahead)
    commands = Commands(store.sessions, histories, rooms, clock, keeper.hear)
    known_boards = Boards(store.boards, store.players, store.days, clock)
    board_watch = BoardWatch(known_boards, store.boards, store.days)

    @asynccontextmanager
    async def lifespan(_: FastAPI) -> AsyncIterator[None]:
        working = [asyncio.create_task(one) for one in (rooms.run(), keeper.run(), board_watch.run())]
        try:
            yield
        finally:
            for task in working:
                task.cancel()
            await asyncio.gather(*working, return_exceptions=True)
            await solver.close()
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
        players=Players(store.players, store.sessions, clock, chance),
        dealing=Dealing(store.sessions, histories, known_deals, clock, chance),
        sessions=Sessions(store.sessions, histories, rooms),
        commands=commands,
        hints=Hints(rooms, commands, solutions),
        analyses=Analyses(rooms, solutions, clock),
        deals=known_deals,
        records=Records(store.days, store.records, clock),
        dailies=Dailies(store.sessions, store.days, store.records, histories, clock, chance),
        boards=known_boards,
        board_watch=board_watch,
        live=rooms,
        lookout=Lookout(rooms, solutions),
        store=store,
        clock=clock,
        sockets=Sockets(),
        rates=limits.rates,
    )
    _add_middleware(app, limits)
    for routes in (players, sessions, daily, boards, deals, live, health, asyncapi):
        app.include_router(routes.router)
    answer_problems(app)
    describe(app)
    return app


def _add_middleware(app: FastAPI, limits: Limits) -> None:
    """What every request passes, the last that is added first."""
    app.add_middleware(BodyLimit, limit=MAX_BODY)
    app.add_middleware(Door)
    app.add_middleware(Gate, limits=limits, sockets=app.state.use_cases.sockets)
    app.add_middleware(RateLimit, rates=limits.rates)
    app.add_middleware(
        CORSMiddleware,
        allow_origins=["*"],  # a browser adds no credentials of its own: who has no token gets nothing by its origin
        allow_methods=["GET", "POST", "PUT", "PATCH", "DELETE"],
        allow_headers=ALLOWED_HEADERS,
        expose_headers=EXPOSED_HEADERS,
    )


def serve(settings: Settings, redis_url: str) -> int:
    """Runs the service until it is told to stop, and answers with an exit status; raises OSError for a bad address."""
    store = RedisStore(redis_url, settings.session_ttl)
    solver = Pool(settings.solvers, store.reports) if settings.solvers else Queue(store.jobs, store.reports)
    limits, days_ahead = _limits(settings), settings.days_ahead
    app = create_app(store, settings.cached_sessions, limits=limits, solver=solver, days_ahead=days_ahead)
    server = _Server(_config(app, settings.forwarded_allow_ips))
    with _listening(settings.host, settings.port) as listening:
        server.run([listening])
    return 0 if server.started else 1


def work(settings: Settings, redis_url: str, processes: int) -> int:
    """Solves for all services on a Redis that leave that to workers, until it is told to stop."""
    asyncio.run(_work(RedisStore(redis_url, settings.session_ttl), processes))
    return 0


async def _work(store: RedisStore, processes: int) -> None:
    pool = Pool(processes, store.reports)
    working = asyncio.create_task(worker.work(store.jobs, pool, processes))
    for number in (signal.SIGINT, signal.SIGTERM):
        asyncio.get_running_loop().add_signal_handler(number, working.cancel)
    print(f"British Constitution {__version__} takes problems, {processes} at a time", flush=True)
    try:
        with suppress(asyncio.CancelledError):
            await working
    finally:
        await pool.close()
        await store.close()


def _limits(settings: Settings) -> Limits:
    return Limits(
        Rates(
            players=Rate(settings.players_per_hour, HOUR),
            recoveries=Rate(settings.recoveries_per_hour, HOUR),
            sessions=Rate(settings.sessions_per_hour, HOUR),
            tickets=Rate(settings.tickets_per_minute, MINUTE),
            commands=Rate(settings.commands_per_minute, MINUTE),
            hints=Rate(settings.hints_per_minute, MINUTE),
            analyses=Rate(settings.analyses_per_minute, MINUTE),
            reads=Rate(settings.reads_per_minute, MINUTE),
            polls=Rate(settings.polls_per_minute, MINUTE),
            requests=Rate(settings.requests_per_minute, MINUTE),
        ),
        sockets=settings.sockets,
        sockets_per_address=settings.sockets_per_address,
        origins=settings.origins,
    )


def _config(app: FastAPI, proxies: str = "") -> uvicorn.Config:
    """How uvicorn runs; `proxies` are the addresses of those whose X-Forwarded headers it believes."""
    return uvicorn.Config(
        app,
        ws=LiveSocket,
        ws_max_size=MAX_FRAME,
        ws_per_message_deflate=False,
        ws_ping_interval=PING_SECONDS,
        ws_ping_timeout=PING_SECONDS,
        access_log=False,
        forwarded_allow_ips=proxies,
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
        gc.collect()
        gc.freeze()  # what is there by now stays: no collection has to look at it again
        gc.set_threshold(*COLLECTING)
        if self.started:
            host, port = self.servers[0].sockets[0].getsockname()[:2]
            here = {"0.0.0.0": "127.0.0.1", "::": "::1"}.get(host, host)  # noqa: S104 - a link to click on
            url = f"http://{f'[{here}]' if ':' in here else here}:{port}"
            command = sys.argv[0] if sys.argv[0].endswith("constitution") else "constitution"
            print(f"British Constitution {__version__} is open at {url}")
            print(f"  the API's pages    {url}/docs")
            print(f"  see it play        {command} demo --url {url}", flush=True)

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        try:
            async with asyncio.timeout(DRAIN_SECONDS):
                await self._drain()
        except TimeoutError:  # some do not read what they were sent
            for one in tuple(self.server_state.connections):
                if isinstance(one, LiveSocket) or one.transport.get_write_buffer_size():
                    one.transport.abort()
        await super().shutdown(sockets)

    async def _drain(self) -> None:
        """Not ready, then a bye to every socket and an answer to every poll, and then they have time to go."""
        cases: UseCases = self.config.app.state.use_cases  # type: ignore[union-attr]
        await cases.sockets.send_away()
        cases.live.stop()
        while (self._has_sockets() or cases.sockets.total) and not self.force_exit:  # noqa: ASYNC110 - uvicorn tells not
            await asyncio.sleep(DRAIN_STEP)

    def _has_sockets(self) -> bool:
        return any(isinstance(one, LiveSocket) for one in self.server_state.connections)


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
