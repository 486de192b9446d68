"""Waiting for what has to come, with a deadline."""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager

from service.ports import Doorbells

SECONDS = 10.0


async def until(condition: Callable[[], Awaitable[bool]]) -> None:
    """Returns when the condition holds; raises TimeoutError."""
    async with asyncio.timeout(SECONDS):
        while not await condition():  # noqa: ASYNC110 -- what is waited for is in another process
            await asyncio.sleep(0.02)


class Ear:
    """What one reader hears of doorbells, in order."""

    def __init__(self) -> None:
        self.heard: asyncio.Queue[str] = asyncio.Queue()

    async def next(self, count: int = 1) -> list[str]:
        """The next rings; raises TimeoutError."""
        async with asyncio.timeout(SECONDS):
            return [await self.heard.get() for _ in range(count)]


@asynccontextmanager
async def listening(doorbells: Doorbells) -> AsyncIterator[Ear]:
    """Reads the doorbells in a task, as the service does."""
    ear = Ear()

    async def read() -> None:
        async for ring in doorbells.rings():
            ear.heard.put_nowait(ring.session)

    reader = asyncio.create_task(read())
    try:
        yield ear
    finally:
        reader.cancel()
        await asyncio.gather(reader, return_exceptions=True)
