"""Players in Redis: a hash and two lists each in one slot, and a key elsewhere for each credential's digest."""

from collections.abc import Sequence
from typing import Any

from service.engine.rules import PRESETS
from service.ports import FOLLOWED, TOKENS_KEPT, Following, StoredPlayer
from service.store.redis import keys
from service.store.redis.client import Client, text, texts
from service.store.redis.link import Part
from service.store.redis.scripts import Script


class RedisPlayers:
    """Players, their credentials, and whom they follow."""

    def __init__(self, client: Client) -> None:
        self._client = client
        self._amend, self._admit = Script(client, "amend"), Script(client, "admit")
        self._follow = Script(client, "follow")

    async def add(self, player: StoredPlayer, token: str) -> None:
        fields: list[Part] = [
            *("name", player.name),
            *("created", player.created),
            *("recovery", player.recovery_digest),
            *("bot", int(player.bot)),
        ]
        await self._do("HSET", keys.player(player.id), *fields)
        await self._do("SET", keys.recovery(player.recovery_digest), player.id)
        await self.give_token(player.id, token, player.created)

    async def find(self, player: str) -> StoredPlayer | None:
        fields = texts(await self._do("HGETALL", keys.player(player)))
        if not fields:
            return None
        return StoredPlayer(
            id=player,
            name=fields["name"],
            created=int(fields["created"]),
            recovery_digest=fields["recovery"],
            bot=fields.get("bot") == "1",  # players of before there were bots have none
        )

    async def names(self, players: Sequence[str]) -> dict[str, str]:
        asked = [(key, (("HGET", key, "name"),)) for key in map(keys.player, players)]
        answers = await self._client.ask_each(asked) if asked else []
        named = zip(players, answers, strict=True)
        return {player: text(name) for player, [name] in named if name is not None}

    async def by_token(self, digest: str) -> StoredPlayer | None:
        return await self._named(await self._do("GET", keys.token(digest)))

    async def by_recovery(self, digest: str) -> StoredPlayer | None:
        player = await self._named(await self._do("GET", keys.recovery(digest)))
        return player if player and player.recovery_digest == digest else None

    async def rename(self, player: str, name: str) -> bool:
        return await self._amend([keys.player(player)], ["name", name]) is not None

    async def give_token(self, player: str, digest: str, time: int) -> bool:
        names = [keys.player(player), keys.player_tokens(player)]
        void = await self._admit(names, [digest, time, TOKENS_KEPT])
        if void is None:
            return False
        await self._do("SET", keys.token(digest), player)
        for old in void:
            await self._do("DEL", keys.token(text(old)))
        return True

    async def give_recovery(self, player: str, digest: str) -> bool:
        await self._do("SET", keys.recovery(digest), player)
        before = await self._amend([keys.player(player)], ["recovery", digest])
        await self._do("DEL", keys.recovery(digest if before is None else text(before)))
        return before is not None

    async def remove(self, player: str) -> None:
        name, tokens = keys.player(player), keys.player_tokens(player)
        recovery, digests = await self._client.ask(name, ("HGET", name, "recovery"), ("ZRANGE", tokens, 0, -1))
        if recovery is not None:
            await self._do("DEL", keys.recovery(text(recovery)))
        days = [keys.player_days(player, rules) for rules in PRESETS]
        await self._do("DEL", name, keys.player_following(player), *days)
        for token in (keys.token(text(digest)) for digest in digests):
            await self._do("DEL", token)
        await self._do("DEL", tokens)

    async def follow(self, player: str, other: str, time: int) -> Following:
        names = [keys.player(player), keys.player_following(player)]
        return Following(text(await self._follow(names, [other, time, FOLLOWED])))

    async def unfollow(self, player: str, other: str) -> None:
        await self._do("ZREM", keys.player_following(player), other)

    async def following(self, player: str) -> list[str]:
        return [text(other) for other in await self._do("ZRANGE", keys.player_following(player), 0, -1, "REV")]

    async def issue_ticket(self, digest: str, player: str, seconds: int) -> None:
        await self._do("SET", keys.ticket(digest), player, "EX", seconds)

    async def redeem_ticket(self, digest: str) -> StoredPlayer | None:
        return await self._named(await self._do("GETDEL", keys.ticket(digest)))

    async def _do(self, command: str, key: str, *rest: Part) -> Any:
        [said] = await self._client.ask(key, (command, key, *rest))
        return said

    async def _named(self, answer: object) -> StoredPlayer | None:
        """The player whose id this is, where there is one."""
        return None if answer is None else await self.find(text(answer))
