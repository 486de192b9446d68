"""The daily challenge, served by this process on a real Redis and by a clock that is set by hand."""

import asyncio
import contextlib
from collections.abc import Awaitable, Callable, Iterator
from dataclasses import dataclass

from redis import Redis

from service.app import create_app
from service.ports.daily import Day
from service.store.redis.store import RedisStore
from service.usecases.closing import MARGIN_MS, Closing
from service.usecases.days import ends, opens
from service.usecases.history import Histories
from tests.servers import Server
from tests.usecases.daily_world import DAY, NOON_MS, prepared
from tests.usecases.world import Clock
from tests.web.running import Running, served


@dataclass(frozen=True)
class Challenge(Running):
    """A service whose clock is the test's, at noon of DAY at first."""

    clock: Clock
    store_url: str

    def keep(self, day: Day) -> None:
        """Has a day kept, on the deal of all days of these tests."""

        async def add(store: RedisStore, _: Closing) -> None:
            await store.days.add(prepared(day))

        self._operate(add)

    def sweep(self, day: Day = DAY) -> None:
        """Settles the runs of a day that are over."""

        async def sweep(store: RedisStore, closing: Closing) -> None:
            [stored] = await store.days.find([day])
            assert stored
            await closing.sweep(stored)

        self._operate(sweep)

    def recompute(self, day: Day = DAY) -> None:
        """Makes the boards of a day from its logs."""

        async def recompute(_: RedisStore, closing: Closing) -> None:
            await closing.recompute(day)

        self._operate(recompute)

    def close(self, day: Day = DAY) -> None:
        """Makes the boards of a day final."""
        self.clock.time = ends(day.date) + MARGIN_MS
        self.recompute(day)

    def _operate(self, step: Callable[[RedisStore, Closing], Awaitable[None]]) -> None:
        """Does a step on the store as another process would."""

        async def operate() -> None:
            store = RedisStore(self.store_url, session_ttl=0)
            histories = Histories(store.sessions, 10)
            try:
                await step(
                    store,
                    Closing(store.sessions, store.days, store.records, store.boards, histories, self.clock),
                )
            finally:
                await store.close()

        asyncio.run(operate())


@contextlib.contextmanager
def challenging(on: Server, *days: Day) -> Iterator[Challenge]:
    """The service on a Redis, at noon of DAY, with these days kept."""
    clock, redis = Clock(), Redis.from_url(on.url)
    clock.time = opens(DAY.date) + NOON_MS
    app = create_app(RedisStore(on.url, session_ttl=0), cached_sessions=100, clock=clock)
    with served(app) as url, contextlib.closing(redis):
        challenge = Challenge(url, app, redis, clock, on.url)
        for day in days:
            challenge.keep(day)
        yield challenge
