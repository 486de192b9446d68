"""`GET /metrics`: what this process counts, for Prometheus; for whoever may not know it there is no such page."""

import asyncio
import hmac
import logging
from collections.abc import Awaitable, Iterator, Mapping, Sequence
from http import HTTPStatus
from ipaddress import IPv6Address, ip_address
from typing import Final, NamedTuple, TypeVar, get_args

from fastapi import FastAPI, HTTPException, Request
from fastapi.responses import Response
from fastapi.security.utils import get_authorization_scheme_param
from prometheus_client import CollectorRegistry, GCCollector, ProcessCollector
from prometheus_client.exposition import choose_encoder
from prometheus_client.metrics_core import CounterMetricFamily, GaugeMetricFamily, HistogramMetricFamily, Metric
from prometheus_client.registry import Collector

from service import __version__
from service.ports import NodeMemory, StoreUnavailable
from service.telemetry.meters import CAUGHT_UP, OUTCOMES, REFUSALS, RUNS, SEARCHES, Spread
from service.usecases.commands import Command
from service.usecases.history import Histories
from service.web.counting import METRICS
from service.web.dependencies import UseCases
from service.web.health import STORE_SECONDS

_PREFIX: Final = "constitution_"
_KINDS: Final[Mapping[type, str]] = {kind: kind.__name__.lower() for kind in get_args(Command)}
_RELAYED: Final = ("forwarded", "via", "x-forwarded-", "x-real-ip", "origin")
"""How headers begin of what a proxy has passed on, or a page has asked: neither asks for this machine."""

T = TypeVar("T")
Labels = TypeVar("Labels", bound=tuple[str, ...])

_log = logging.getLogger(__name__)


class StoreState(NamedTuple):
    """What the store told just now: whether it is there, what its nodes hold, and the days that are prepared."""

    is_up: bool
    memory: Sequence[NodeMemory]
    prepared: Mapping[str, int]


def add_metrics(app: FastAPI, cases: UseCases, histories: Histories, token: str) -> None:
    """Has the application answer who shows the token, or where there is none, whoever asks on this machine."""
    registry, shown = CollectorRegistry(), _Shown(cases, histories)
    ProcessCollector(registry=registry)
    GCCollector(registry=registry)
    registry.register(shown)

    async def metrics(request: Request) -> Response:
        if not (_bears(request, token) if token else _is_local(request)):
            raise HTTPException(HTTPStatus.NOT_FOUND)
        shown.state = await _state(cases)
        encoded, media_type = choose_encoder(request.headers.get("accept", ""))
        return Response(encoded(registry), headers={"Cache-Control": "no-store", "Content-Type": media_type})

    app.add_api_route(METRICS, metrics, include_in_schema=False)


def _bears(request: Request, token: str) -> bool:
    scheme, shown = get_authorization_scheme_param(request.headers.get("authorization"))
    return scheme.lower() == "bearer" and hmac.compare_digest(shown.encode(), token.encode())


def _is_local(request: Request) -> bool:
    """Whether a program on this machine asks, and nobody for whom it only passes that on."""
    if request.client is None or any(name.startswith(_RELAYED) for name in request.headers):
        return False
    try:
        address = ip_address(request.client.host)
    except ValueError:  # what a proxy calls somebody
        return False
    if isinstance(address, IPv6Address):
        address = address.ipv4_mapped or address
    return address.is_loopback


async def _state(cases: UseCases) -> StoreState:
    store = cases.store
    is_up, memory, prepared = await asyncio.gather(
        _told(_is_there(cases), False), _told(store.memory(), []), _told(cases.keeper.prepared(), {})
    )
    return StoreState(is_up, memory, prepared)


async def _is_there(cases: UseCases) -> bool:
    await cases.store.check()
    return True


async def _told(asked: Awaitable[T], otherwise: T) -> T:
    """What the store tells in time; of something that goes wrong only the log tells, and the others are shown."""
    try:
        async with asyncio.timeout(STORE_SECONDS):
            return await asked
    except (StoreUnavailable, TimeoutError):
        return otherwise
    except Exception:
        _log.exception("the store cannot be measured")
        return otherwise


class _Shown(Collector):
    """What is counted, under the names that it is shown by; service/telemetry/README.md tells what each means."""

    def __init__(self, cases: UseCases, histories: Histories) -> None:
        self._cases, self._histories, self._meters = cases, histories, cases.meters
        self.state = StoreState(is_up=False, memory=(), prepared={})

    def collect(self) -> Iterator[Metric]:
        yield from self._play()
        yield from self._boards_and_days()
        yield from self._searches()
        yield from self._web()
        yield from self._health()

    def _play(self) -> Iterator[Metric]:
        meters, live, watch = self._meters, self._cases.live, self._cases.board_watch
        commands = {(kind, end): meters.commands[end][one] for one, kind in _KINDS.items() for end in OUTCOMES}
        yield _counters("commands", "Commands, by what became of them", ("kind", "outcome"), commands)
        yield _spread("commit_seconds", "From a commit until the store's answer", meters.commits.seconds)
        yield _spread("commit_batch_size", "Commits that went to a node at once", meters.commits.sizes)
        yield _counter("commit_errors", "Commits of which the store has not said what became", meters.commits.errors)
        yield _spread("fanout_lag_seconds", "From another process's entry until it was told", meters.fanout_lag)
        caught_up = {(how,): meters.caught_up[how] for how in CAUGHT_UP}
        yield _counters("subscriptions", "How subscribers were brought up to date", ("how",), caught_up)
        watchers = {("session",): live.watchers, ("board",): watch.watchers}
        yield _gauges("watchers", "Who is told what happens, sockets, streams and polls", ("topic",), watchers)
        yield _gauge("cached_sessions", "Sessions in memory", len(self._histories))

    def _boards_and_days(self) -> Iterator[Metric]:
        meters = self._meters
        yield _counter("board_updates", "Changes that watchers of boards were told", meters.board_updates)
        yield _counter("board_reads", "Pages of boards that were read", meters.board_reads)
        prepared = {(rules,): days for rules, days in self.state.prepared.items()}
        yield _gauges("days_prepared", "Days prepared without a gap, today the first", ("rules",), prepared)
        runs = {(end,): meters.daily_runs[end] for end in RUNS}
        yield _counters("daily_job_runs", "Rounds of the daily challenge", ("outcome",), runs)
        yield _gauge("daily_job_success_timestamp_seconds", "When one was last done", meters.daily_done / 1000)

    def _searches(self) -> Iterator[Metric]:
        meter = self._meters.searches
        ends = {(end,): meter.outcomes[end] for end in SEARCHES}
        yield _counters("searches", "Searches of the solver, by how they ended", ("outcome",), ends)
        yield _spread("search_seconds", "From asking until a search ended", meter.seconds)
        yield _gauge("searches_waiting", "Searches that have not begun", meter.waiting)

    def _web(self) -> Iterator[Metric]:
        meters, sockets = self._meters, self._cases.sockets
        yield _gauge("sockets", "Open sockets", sockets.total - sockets.streams)
        yield _gauge("streams", "Open streams of events", sockets.streams)
        yield _counters("http_requests", "Answers", ("method", "route", "status"), meters.requests)
        yield _spreads("http_request_seconds", "Until an answer began", ("method", "route"), meters.request_seconds)
        refused = {(code,): meters.refused[code] for code in REFUSALS}
        yield _counters("refused", "What a limit refused, by the problem's code", ("code",), refused)

    def _health(self) -> Iterator[Metric]:
        is_up, memory, _ = self.state
        yield _gauge("ready", "Whether it can serve", is_up and not self._cases.sockets.will_leave)
        yield _gauge("store_up", "Whether the store answers", is_up)
        used = {(one.node,): one.used for one in memory}
        yield _gauges("store_memory_bytes", "What a node of the store holds", ("node",), used)
        most = {(one.node,): one.most for one in memory}
        yield _gauges("store_max_memory_bytes", "What it may hold; 0 for no bound", ("node",), most)
        yield _gauges("build_info", "Which version runs", ("version",), {(__version__,): 1})


def _counter(name: str, says: str, value: int) -> Metric:
    return CounterMetricFamily(_PREFIX + name, says, value)


def _gauge(name: str, says: str, value: float) -> Metric:
    return GaugeMetricFamily(_PREFIX + name, says, value)


def _counters(name: str, says: str, labels: Sequence[str], values: Mapping[Labels, int]) -> Metric:
    family = CounterMetricFamily(_PREFIX + name, says, labels=labels)
    for of, value in values.items():
        family.add_metric(of, value)
    return family


def _gauges(name: str, says: str, labels: Sequence[str], values: Mapping[Labels, float]) -> Metric:
    family = GaugeMetricFamily(_PREFIX + name, says, labels=labels)
    for of, value in values.items():
        family.add_metric(of, value)
    return family


def _spread(name: str, says: str, spread: Spread) -> Metric:
    return _spreads(name, says, (), {(): spread})


def _spreads(name: str, says: str, labels: Sequence[str], spreads: Mapping[Labels, Spread]) -> Metric:
    family = HistogramMetricFamily(_PREFIX + name, says, labels=labels)
    for of, spread in spreads.items():
        family.add_metric(of, list(_buckets(spread)), spread.total)
    return family


def _buckets(spread: Spread) -> Iterator[tuple[str, int]]:
    """How many were at most each bound."""
    count = 0
    for bound, more in zip([*map(str, spread.bounds), "+Inf"], spread.counts, strict=True):
        count += more
        yield bound, count
