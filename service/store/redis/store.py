"""The whole store in Redis."""

from service.ports import NodeMemory
from service.store.redis.boards import RedisBoards
from service.store.redis.client import Client
from service.store.redis.commits import Commits
from service.store.redis.days import RedisDays
from service.store.redis.events import RedisDoorbells
from service.store.redis.jobs import RedisJobs
from service.store.redis.players import RedisPlayers
from service.store.redis.records import RedisRecords
from service.store.redis.reports import RedisReports
from service.store.redis.sessions import RedisSessions
from service.store.redis.topology import topology


class RedisStore:
    """A store at a URL; `session_ttl` is the milliseconds that an idle session is kept, 0 for ever."""

    def __init__(self, url: str, session_ttl: int) -> None:
        self._topology = topology(url)
        self._client = Client(self._topology)
        self.doorbells = RedisDoorbells(self._topology)
        self._commits = Commits(self._topology, self.doorbells.hears, session_ttl)
        self.meter = self._commits.meter
        self.sessions = RedisSessions(self._client, self._commits.commit, session_ttl)
        self.players = RedisPlayers(self._client)
        self.reports = RedisReports(self._client)
        self.jobs = RedisJobs(self._client)
        self.days = RedisDays(self._client)
        self.records = RedisRecords(self._client)
        self.boards = RedisBoards(self._client)

    async def check(self) -> None:
        await self._client.check()

    async def memory(self) -> list[NodeMemory]:
        return await self._client.memory()

    async def close(self) -> None:
        await self._commits.close()
        await self._client.close()
        await self._topology.close()
