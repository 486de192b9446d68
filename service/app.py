"""The composition root: settings, then the store, the use cases and the edges."""

import asyncio
import secrets
import signal
import time
from collections.abc import AsyncIterator
from contextlib import AbstractContextManager, asynccontextmanager, nullcontext, suppress
from pathlib import Path
from typing import Any, Final

from fastapi import FastAPI
from fastapi.middleware.cors import CORSMiddleware
from fastapi_offline import FastAPIOffline
from opentelemetry.trace import TracerProvider

from service import __version__
from service.ports import Chance, Clock, Solver, Store
from service.serving import Server, config, listening
from service.settings import Settings
from service.solving import worker
from service.solving.pool import Pool
from service.solving.queue import Queue
from service.store.memory import MemoryStore
from service.store.redis.store import RedisStore
from service.telemetry import logs, traces
from service.telemetry.meters import Meters
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
from service.web.access import Access
from service.web.counting import Counting
from service.web.dependencies import UseCases
from service.web.door import Door
from service.web.gate import Gate
from service.web.limits import BodyLimit, Limits
from service.web.metrics import add_metrics
from service.web.openapi import describe
from service.web.pages import BUILT, add_pages
from service.web.problems import REQUEST_ID, answer_problems
from service.web.rates import HEADERS, Rate, RateLimit, Rates
from service.web.sockets import Sockets
from service.web.spans import telemetry

MAX_BODY: Final = 16 * 1024
"""The largest body of a request, in bytes."""
ALLOWED_HEADERS: Final = [
    "Authorization",
    "Content-Type",
    "Idempotency-Key",
    "If-Match",
    "If-None-Match",
    "Last-Event-ID",
]
EXPOSED_HEADERS: Final = ["ETag", "Link", "Location", "Retry-After", REQUEST_ID, *HEADERS]
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
    client: Path | None = None,
    metrics_token: str = "",
    provider: TracerProvider | None = None,
) -> FastAPI:
    """The application on a store and a solver, which it closes when it stops.

    It keeps so many days of the daily challenge prepared ahead; 0 leaves that, and making boards final, to others.
    `client` is the folder of the web client, where there is one; `metrics_token` opens `/metrics` to whoever shows it,
    and `provider` sends spans.
    """
    clock, chance, limits = clock or SystemClock(), chance or SystemChance(), limits or Limits()
    solver = solver or Pool(1, store.reports)
    histories = Histories(store.sessions, cached_sessions)
    process, meters = chance.bytes(8).hex(), Meters(store.meter, solver.meter)
    rooms = Live(histories, store.doorbells, clock, process, meters)
    solutions, known_deals = Solutions(store.sessions, solver), Deals(solver, chance)
    closing = Closing(store.sessions, store.days, store.records, store.boards, histories, clock)
    keeper = Keeper(closing, Preparing(store.days, known_deals, clock), process, days_ahead, meters)
    commands = Commands(store.sessions, histories, rooms, clock, keeper.hear)
    known_boards = Boards(store.boards, store.players, store.days, clock, meters)
    board_watch = BoardWatch(known_boards, store.boards, store.days, meters)

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
        telemetry=telemetry(provider),
    )
    app.state.use_cases = cases = UseCases(
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
        keeper=keeper,
        store=store,
        clock=clock,
        sockets=Sockets(),
        rates=limits.rates,
        meters=meters,
    )
    _add_middleware(app, cases, limits, process)
    for routes in (players, sessions, daily, boards, deals, live, health, asyncapi):
        app.include_router(routes.router)
    add_metrics(app, cases, histories, metrics_token)
    add_pages(app, client)
    answer_problems(app)
    describe(app)
    return app


def _add_middleware(app: FastAPI, cases: UseCases, limits: Limits, process: str) -> None:
    """What every request passes, the last that is added first."""
    meters = cases.meters
    app.add_middleware(BodyLimit, limit=MAX_BODY, meters=meters)
    app.add_middleware(Door, meters=meters)
    app.add_middleware(Gate, limits=limits, sockets=cases.sockets, meters=meters)
    app.add_middleware(RateLimit, rates=limits.rates, meters=meters)
    app.add_middleware(
        CORSMiddleware,
        allow_origins=["*"],  # a browser adds no credentials of its own: who has no token gets nothing by its origin
        allow_methods=["GET", "POST", "PUT", "PATCH", "DELETE"],
        allow_headers=ALLOWED_HEADERS,
        expose_headers=EXPOSED_HEADERS,
    )
    app.add_middleware(Counting, meters=meters, routes=app.routes)
    app.add_middleware(Access, process=process, routes=app.routes)


def serve(settings: Settings, redis_url: str) -> int:
    """Runs the service until it is told to stop, and answers with an exit status; raises OSError for a bad address."""
    with _watched(settings) as provider:
        server = Server(
            config(_app(settings, redis_url, provider), settings.forwarded_allow_ips), settings.notice_seconds
        )
        with listening(settings.host, settings.port) as opened:
            server.run([opened])
    return 0 if server.started else 1


def _watched(settings: Settings) -> AbstractContextManager[TracerProvider | None]:
    """Has this process log as it is set, and trace where a collector is named, until the end."""
    logs.configure(settings.log_level, settings.log_format, traces.current)
    return traces.sending(__version__) if settings.traces else nullcontext()


def _app(settings: Settings, redis_url: str, provider: TracerProvider | None) -> FastAPI:
    store = RedisStore(redis_url, settings.session_ttl)
    solver = Pool(settings.solvers, store.reports) if settings.solvers else Queue(store.jobs, store.reports)
    limits, days_ahead = _limits(settings), settings.days_ahead
    return create_app(
        store,
        settings.cached_sessions,
        limits=limits,
        solver=solver,
        days_ahead=days_ahead,
        client=BUILT,
        metrics_token=settings.metrics_token.get_secret_value(),
        provider=provider,
    )


def work(settings: Settings, redis_url: str, processes: int) -> int:
    """Solves for all services on a Redis that leave that to workers, until it is told to stop."""
    store = RedisStore(redis_url, settings.session_ttl)
    with _watched(settings):
        asyncio.run(_work(store, processes))
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
