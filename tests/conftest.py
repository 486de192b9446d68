"""Stores on real servers, each of which is started once in a run of the tests."""

import contextlib
import signal
import time
from collections.abc import AsyncIterator, Callable, Iterator
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from service.ports import Store
from service.store.memory import MemoryStore
from service.store.redis.store import RedisStore
from tests.servers import IN_MEMORY, ON_DISK, PROGRAMS, WHEEL, Server, cluster, server, watched

Emptied = Callable[[str], Server]
OpenStore = Callable[[int], Store]

# A shell starts its background jobs deaf to Ctrl-C, which what they start inherits, and tests send it to that.
signal.signal(signal.SIGINT, signal.default_int_handler)

MEMORY = "memory"
GROUPS: dict[str, Callable[..., Any]] = {"cluster": cluster, "sentinels": watched}
"""Servers that work together."""
HOUR_MS = 60 * 60 * 1000


def now() -> int:
    return time.time_ns() // 1_000_000


@pytest.fixture(scope="session")
def emptied() -> Iterator[Emptied]:
    """The server of a name in PROGRAMS, without data."""
    with contextlib.ExitStack() as stack:
        started = cache(lambda name: stack.enter_context(server(PROGRAMS[name], *IN_MEMORY)))

        def one(name: str) -> Server:
            started(name).control.flushall()
            return started(name)

        yield one


@pytest.fixture(scope="session")
def emptied_url(emptied: Emptied) -> Iterator[Callable[[str], str]]:
    """The URL of a server or of a group without data."""
    with contextlib.ExitStack() as stack:
        started = cache(lambda name: stack.enter_context(GROUPS[name](WHEEL, *IN_MEMORY)))

        def one(name: str) -> str:
            if name in PROGRAMS:
                return emptied(name).url
            started(name).empty()
            url: str = started(name).url
            return url

        yield one


@pytest.fixture
def redis_url(emptied: Emptied) -> str:
    """The URL of a Valkey server without data."""
    return emptied("valkey").url


@pytest.fixture(params=PROGRAMS)
def redis_server(request: pytest.FixtureRequest, emptied: Emptied) -> Server:
    """A server without data: each program in turn."""
    return emptied(request.param)


@pytest.fixture(params=PROGRAMS)
def private_server(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Server]:
    """A server of the test's own, to kill and to break, which syncs each write to its file: each program in turn."""
    with server(PROGRAMS[request.param], *ON_DISK, data=tmp_path) as one:
        yield one


@pytest.fixture(params=[MEMORY, *PROGRAMS, *GROUPS])
async def open_store(request: pytest.FixtureRequest, emptied_url: Callable[[str], str]) -> AsyncIterator[OpenStore]:
    """Opens a store that keeps an idle session for some milliseconds, on no data at first: each kind in turn."""
    url = "" if request.param == MEMORY else emptied_url(request.param)
    async with contextlib.AsyncExitStack() as stack:

        def opened(session_ttl: int) -> Store:
            store: Store = RedisStore(url, session_ttl) if url else MemoryStore(now, session_ttl)
            stack.push_async_callback(store.close)
            return store

        yield opened


@pytest.fixture
def store(open_store: OpenStore) -> Store:
    """A store without data: each kind in turn."""
    return open_store(HOUR_MS)
