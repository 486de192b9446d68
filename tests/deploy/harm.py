"""What happens to a container: it is killed, held, or cut off, and then let alone again."""

import asyncio
import os
import signal
from collections.abc import AsyncIterator, Callable
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from typing import TypeAlias

from tests.deploy.stack import Stack

REVIVING = 15.0  # seconds in which the engine has started a container again

Harm: TypeAlias = Callable[[Stack, str], AbstractAsyncContextManager[None]]
"""Lasts as long as the context, and is over when the container runs and is on its networks."""


@asynccontextmanager
async def killed(stack: Stack, container: str) -> AsyncIterator[None]:
    """Its first process ended as kill -9 does, of which the engine is not told: it starts it again by itself."""
    before = _process(stack, container)
    os.kill(before, signal.SIGKILL)
    yield
    async with asyncio.timeout(REVIVING):
        while await asyncio.to_thread(_process, stack, container) in {0, before}:  # noqa: ASYNC110 - the engine does it
            await asyncio.sleep(0.1)


@asynccontextmanager
async def held(stack: Stack, container: str) -> AsyncIterator[None]:
    """The processor taken from it."""
    await asyncio.to_thread(stack.pause, container)
    try:
        yield
    finally:
        await asyncio.to_thread(stack.unpause, container)


@asynccontextmanager
async def cut_off(stack: Stack, container: str) -> AsyncIterator[None]:
    """Without any network."""
    await asyncio.to_thread(stack.cut, container)
    try:
        yield
    finally:
        await asyncio.to_thread(stack.mend, container)


def _process(stack: Stack, container: str) -> int:
    """The container's first process, 0 where it does not run."""
    return int(stack.inspect(container)["State"]["Pid"])
