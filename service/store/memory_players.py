"""Players in memory."""

from collections.abc import Callable, Sequence
from dataclasses import replace

from service.ports import FOLLOWED, TOKENS_KEPT, Following, StoredPlayer


class MemoryPlayers:
    """Players, their credentials, and whom they follow. `now` gives the milliseconds by which tickets expire."""

    def __init__(self, now: Callable[[], int]) -> None:
        self._now = now
        self._players: dict[str, StoredPlayer] = {}
        self._tokens: dict[str, dict[str, int]] = {}
        self._followed: dict[str, dict[str, int]] = {}
        self._tickets: dict[str, tuple[str, int]] = {}

    def has(self, player: str) -> bool:
        """Whether there is the player."""
        return player in self._players

    async def add(self, player: StoredPlayer, token: str) -> None:
        self._players[player.id] = player
        await self.give_token(player.id, token, player.created)

    async def find(self, player: str) -> StoredPlayer | None:
        return self._players.get(player)

    async def names(self, players: Sequence[str]) -> dict[str, str]:
        return {player: self._players[player].name for player in players if player in self._players}

    async def by_token(self, digest: str) -> StoredPlayer | None:
        return next((self._players[player] for player, tokens in self._tokens.items() if digest in tokens), None)

    async def by_recovery(self, digest: str) -> StoredPlayer | None:
        return next((player for player in self._players.values() if player.recovery_digest == digest), None)

    async def rename(self, player: str, name: str) -> bool:
        return self._amend(player, name=name)

    async def give_token(self, player: str, digest: str, time: int) -> bool:
        if player not in self._players:
            return False
        tokens = self._tokens.get(player, {}) | {digest: time}
        newest = sorted(tokens, key=lambda one: (tokens[one], one))[-TOKENS_KEPT:]
        self._tokens[player] = {one: tokens[one] for one in newest}
        return True

    async def give_recovery(self, player: str, digest: str) -> bool:
        return self._amend(player, recovery_digest=digest)

    async def remove(self, player: str) -> None:
        for kept in (self._players, self._tokens, self._followed):
            kept.pop(player, None)

    async def follow(self, player: str, other: str, time: int) -> Following:
        if player not in self._players:
            return Following.GONE
        followed = self._followed.setdefault(player, {})
        if other not in followed and len(followed) >= FOLLOWED:
            return Following.FULL
        followed.setdefault(other, time)
        return Following.FOLLOWED

    async def unfollow(self, player: str, other: str) -> None:
        self._followed.get(player, {}).pop(other, None)

    async def following(self, player: str) -> list[str]:
        followed = self._followed.get(player, {})
        return sorted(followed, key=lambda other: (followed[other], other), reverse=True)

    async def issue_ticket(self, digest: str, player: str, seconds: int) -> None:
        self._tickets[digest] = (player, self._now() + 1000 * seconds)

    async def redeem_ticket(self, digest: str) -> StoredPlayer | None:
        player, expires = self._tickets.pop(digest, ("", 0))
        return self._players.get(player) if self._now() < expires else None

    def _amend(self, player: str, **fields: str) -> bool:
        """Changes fields of a player, if there is the player."""
        if player not in self._players:
            return False
        self._players[player] = replace(self._players[player], **fields)  # type: ignore[arg-type]  # both are texts
        return True
