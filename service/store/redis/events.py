"""Doorbells over sharded pub/sub: one connection, read by one task."""

import asyncio
import logging
from collections.abc import AsyncIterator
from typing import Final

from redis.exceptions import RedisError

from service.store.redis import keys
from service.store.redis.client import Client

RECONNECT_SECONDS: Final = 0.5
POLL_SECONDS: Final = 1.0

_log = logging.getLogger(__name__)


class RedisDoorbells:
    """Rings of the sessions that are subscribed to. A link that breaks is made again, and every session rings then."""

    def __init__(self, client: Client) -> None:
        self._pubsub = client.pubsub()
        self._wanted: set[str] = set()
        self._link = asyncio.Lock()

    async def subscribe(self, session: str) -> None:
        self._wanted.add(session)
        await self._settle(session)

    async def unsubscribe(self, session: str) -> None:
        self._wanted.discard(session)
        await self._settle(session)

    async def rings(self) -> AsyncIterator[str]:
        """A ring for every message, and for every subscription that the server confirms, also after a reconnection."""
        while True:
            try:
                if not self._pubsub.subscribed:
                    await self._pubsub.ssubscribe(keys.quiet_channel())
                message = await self._pubsub.get_message(timeout=POLL_SECONDS)
            except (RedisError, OSError) as error:
                _log.warning("doorbells: %s: %s", type(error).__name__, error)
                await asyncio.sleep(RECONNECT_SECONDS)
                continue
            if message and message["type"] in {"smessage", "ssubscribe"}:
                yield keys.session_of_channel(message["channel"].decode())

    async def close(self) -> None:
        await self._pubsub.aclose()  # type: ignore[no-untyped-call]  # redis-py leaves this one untyped

    async def _settle(self, session: str) -> None:
        """Tells the server what is wanted of a session by now, since two callers may have wanted opposites."""
        channel = keys.session_channel(session)
        async with self._link:
            try:
                if session in self._wanted:
                    await self._pubsub.ssubscribe(channel)
                else:
                    await self._pubsub.sunsubscribe(channel)
            except (RedisError, OSError) as error:
                _log.warning("doorbells: %s: %s", type(error).__name__, error)
