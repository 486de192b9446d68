"""Doorbells over sharded pub/sub: one connection, read by one task."""

import asyncio
import logging
import math
from collections.abc import AsyncIterator
from typing import Final

from redis.asyncio.connection import AbstractConnection
from redis.exceptions import RedisError

from service.ports import Ring
from service.store.redis import keys
from service.store.redis.client import Client

RECONNECT_SECONDS: Final = 0.5

_log = logging.getLogger(__name__)


class RedisDoorbells:
    """Rings of the sessions that are subscribed to. A link that breaks is made again, and every session rings then.

    Only `rings` makes the link. The client's own PubSub is not used, since any of its callers makes a broken link
    again, and then only with the subscriptions that had been sent before.
    """

    def __init__(self, client: Client) -> None:
        # The ignores: redis-py leaves these methods untyped.
        self._link: AbstractConnection = client.connection_pool.make_connection()  # type: ignore[no-untyped-call]
        self._joined = False
        self._wanted: set[str] = set()
        self._sending = asyncio.Lock()

    async def subscribe(self, session: str) -> None:
        self._wanted.add(session)
        await self._settle(session)

    async def unsubscribe(self, session: str) -> None:
        self._wanted.discard(session)
        await self._settle(session)

    async def rings(self) -> AsyncIterator[Ring]:
        """A ring for every message, and for every subscription that the server confirms, also after a reconnection."""
        while True:
            try:
                await self._join()
                while True:
                    said = await self._link.read_response(
                        timeout=math.inf,
                        disconnect_on_error=False,  # `_join` does it, when nobody is sending
                        push_request=True,
                    )
                    match said:
                        case [b"smessage", bytes(channel), bytes(entry)]:
                            yield Ring(keys.session_of_channel(channel.decode()), entry)
                        case [b"ssubscribe", bytes(channel), *_]:
                            yield Ring(keys.session_of_channel(channel.decode()))
            except (RedisError, OSError) as error:
                _log.warning("doorbells: %s: %s", type(error).__name__, error)
            finally:
                self._joined = False
            await asyncio.sleep(RECONNECT_SECONDS)

    async def close(self) -> None:
        async with self._sending:
            await self._link.disconnect()

    async def _join(self) -> None:
        """Makes the link, and subscribes to all that is wanted by then."""
        async with self._sending:
            await self._link.disconnect(nowait=True)
        await self._link.connect()  # type: ignore[no-untyped-call]
        async with self._sending:
            self._joined = True
            if self._wanted:
                await self._link.send_command("SSUBSCRIBE", *map(keys.session_channel, self._wanted))

    async def _settle(self, session: str) -> None:
        """Tells the server what is wanted of a session by now, since two callers may have wanted opposites."""
        async with self._sending:
            if not (self._joined and self._link.is_connected):
                return  # `rings` will subscribe to all that is wanted when the link holds
            try:
                command = "SSUBSCRIBE" if session in self._wanted else "SUNSUBSCRIBE"
                await self._link.send_command(command, keys.session_channel(session))
            except (RedisError, OSError) as error:
                _log.warning("doorbells: %s: %s", type(error).__name__, error)
