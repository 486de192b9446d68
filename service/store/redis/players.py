"""Players in Redis: a hash each, and a key for each credential's digest."""

from service.ports import StoredPlayer
from service.store.redis import keys
from service.store.redis.client import Client, failures_named, text, texts


class RedisPlayers:
    """Players, tokens and tickets."""

    def __init__(self, client: Client) -> None:
        self._client = client

    async def add(self, player: StoredPlayer) -> None:
        fields = [
            *("name", player.name),
            *("created", str(player.created)),
            *("token", player.token_digest),
            *("recovery", player.recovery_digest),
        ]
        with failures_named():
            await self._client.hset(keys.player(player.id), items=fields)
            await self._client.set(keys.recovery(player.recovery_digest), player.id)
            await self._client.set(keys.token(player.token_digest), player.id)

    async def by_token(self, digest: str) -> StoredPlayer | None:
        with failures_named():
            return await self._named(await self._client.get(keys.token(digest)))

    async def issue_ticket(self, digest: str, player: str, seconds: int) -> None:
        with failures_named():
            await self._client.set(keys.ticket(digest), player, ex=seconds)

    async def redeem_ticket(self, digest: str) -> StoredPlayer | None:
        with failures_named():
            return await self._named(await self._client.getdel(keys.ticket(digest)))

    async def _named(self, answer: object) -> StoredPlayer | None:
        """The player whose id this is, where there is one."""
        if answer is None:
            return None
        player = text(answer)
        fields = texts(await self._client.hgetall(keys.player(player)))
        if not fields:
            return None
        return StoredPlayer(
            id=player,
            name=fields["name"],
            created=int(fields["created"]),
            token_digest=fields["token"],
            recovery_digest=fields["recovery"],
        )
