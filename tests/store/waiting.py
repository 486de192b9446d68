"""Waiting for what has to come, with a deadline."""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager

from service.ports import Doorbells, Ring
from service.store.redis.store import RedisStore

SECONDS = 10.0


async def until(condition: Callable[[], Awaitable[bool]]) -> None:
    """Returns when the condition holds; raises TimeoutError."""
    async with asyncio.timeout(SECONDS):
        while not await condition():  # noqa: ASYNC110 -- what is waited for is in another process
            await asyncio.sleep(0.02)


@asynccontextmanager
async def opened(url: str, session_ttl: int = 600_000) -> AsyncIterator[RedisStore]:
    """A store at a URL, closed at the end."""
    store = RedisStore(url, session_ttl)
    try:
        yield store
    finally:
        await store.close()


class Ear:
    """What one listener hears of doorbells, in order."""

    def __init__(self) -> None:
        self.heard: asyncio.Queue[Ring] = asyncio.Queue()

    async def rings(self, count: int = 1) -> list[Ring]:
        """The next rings; raises TimeoutError."""
        async with asyncio.timeout(SECONDS):
            return [await self.heard.get() for _ in range(count)]

    async def next(self, count: int = 1) -> list[str]:
        """The sessions of the next rings; raises TimeoutError."""
        return [ring.session for ring in await self.rings(count)]


@asynccontextmanager
async def listening(doorbells: Doorbells) -> AsyncIterator[Ear]:
    """Listens to the doorbells, as the service does."""
    ear = Ear()
    running = asyncio.create_task(doorbells.run(ear.heard.put_nowait))
    try:
        yield ear
        assert not running.done(), "it runs until it is cancelled"
    finally:
        running.cancel()
        await asyncio.gather(running, return_exceptions=True)
