"""What the store itself has: the logs of sessions, and which of its nodes are masters."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from typing import Any

from redis.asyncio import Redis
from redis.exceptions import RedisError

from service.store.redis import keys
from tests.deploy.stack import Stack

ANSWER = 1.0  # seconds
GONE = (RedisError, OSError, TimeoutError)


class Reader:
    """Reads from whichever of the store's nodes holds a session; the others refuse."""

    def __init__(self, stack: Stack, *services: str) -> None:
        self._stack, self._services = stack, services or ("redis",)
        self._password = stack.secret("redis_password")

    async def __call__(self, session: str) -> bytes | None:
        """The log, or None where nobody tells it just now."""
        found = await self._found(session)
        return found[1] if found else None

    async def home(self, session: str) -> str:
        """The container that holds a session."""
        found = await self._found(session)
        assert found, f"nobody holds {session}"
        return found[0]

    async def replicas(self) -> set[str]:
        """The containers that follow a master, of those that answer."""
        found = set()
        for container in await asyncio.to_thread(self._containers):
            with suppress(*GONE):
                async with self.open(container) as redis:
                    found |= {container} if (await redis.role())[0] == b"slave" else set()
        return found

    async def keys(self) -> dict[str, int]:
        """How many keys each container has."""
        found = {}
        for container in await asyncio.to_thread(self._containers):
            async with self.open(container) as redis:
                found[container] = await redis.dbsize()
        return found

    async def _found(self, session: str) -> tuple[str, bytes] | None:
        for container in await asyncio.to_thread(self._containers):
            with suppress(*GONE):
                async with self.open(container) as redis:
                    return container, bytes(await redis.get(keys.session_log(session)) or b"")
        return None

    def _containers(self) -> list[str]:
        return [container for service in self._services for container in self._stack.containers(service)]

    @asynccontextmanager
    async def open(self, container: str) -> AsyncIterator[Any]:
        """A client of a container, which has another address whenever it comes back."""
        host = await asyncio.to_thread(self._stack.address, container)
        async with Redis(
            host=host, password=self._password, socket_timeout=ANSWER, socket_connect_timeout=ANSWER
        ) as redis:
            yield redis
