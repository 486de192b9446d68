"""The whole store in Redis."""

from service.store.redis.client import connect, failures_named
from service.store.redis.events import RedisDoorbells
from service.store.redis.players import RedisPlayers
from service.store.redis.scripts import Scripts
from service.store.redis.sessions import RedisSessions


class RedisStore:
    """A store at a URL; `session_ttl` is the milliseconds that an idle session is kept, 0 for ever."""

    def __init__(self, url: str, session_ttl: int) -> None:
        self._client = connect(url)
        self.sessions = RedisSessions(self._client, Scripts(self._client), session_ttl)
        self.players = RedisPlayers(self._client)
        self.doorbells = RedisDoorbells(self._client)

    async def check(self) -> None:
        with failures_named():
            await self._client.ping()

    async def close(self) -> None:
        await self.doorbells.close()
        await self._client.aclose()
