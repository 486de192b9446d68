"""Players in Redis: a hash each, and a key for each credential's digest."""

from typing import Any

from service.ports import StoredPlayer
from service.store.redis import keys
from service.store.redis.client import Client, text, texts
from service.store.redis.link import Part


class RedisPlayers:
    """Players, tokens and tickets."""

    def __init__(self, client: Client) -> None:
        self._client = client

    async def add(self, player: StoredPlayer) -> None:
        fields: list[Part] = [
            *("name", player.name),
            *("created", player.created),
            *("token", player.token_digest),
            *("recovery", player.recovery_digest),
        ]
        await self._do("HSET", keys.player(player.id), *fields)
        await self._do("SET", keys.recovery(player.recovery_digest), player.id)
        await self._do("SET", keys.token(player.token_digest), player.id)

    async def by_token(self, digest: str) -> StoredPlayer | None:
        return await self._named(await self._do("GET", keys.token(digest)))

    async def issue_ticket(self, digest: str, player: str, seconds: int) -> None:
        await self._do("SET", keys.ticket(digest), player, "EX", seconds)

    async def redeem_ticket(self, digest: str) -> StoredPlayer | None:
        return await self._named(await self._do("GETDEL", keys.ticket(digest)))

    async def _do(self, command: str, key: str, *rest: Part) -> Any:
        [said] = await self._client.ask(key, (command, key, *rest))
        return said

    async def _named(self, answer: object) -> StoredPlayer | None:
        """The player whose id this is, where there is one."""
        if answer is None:
            return None
        player = text(answer)
        fields = texts(await self._do("HGETALL", keys.player(player)))
        if not fields:
            return None
        return StoredPlayer(
            id=player,
            name=fields["name"],
            created=int(fields["created"]),
            token_digest=fields["token"],
            recovery_digest=fields["recovery"],
        )
