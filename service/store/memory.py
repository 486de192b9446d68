"""The store in memory: for tests, and to read what the contract is without Redis around it."""

import asyncio
from collections.abc import AsyncIterator, Callable
from dataclasses import replace

from service.engine.log import crc_of, seq_of
from service.ports import (
    Claim,
    Commit,
    Ring,
    SessionMeta,
    StoredPlayer,
    StoredSession,
    StoredSummary,
    Verdict,
)
from service.store.cursor import LISTED, check_cursor, cursor_of, session_at


class MemoryStore:
    """A whole store. `now` gives the milliseconds by which sessions and tickets expire."""

    def __init__(self, now: Callable[[], int], session_ttl: int) -> None:
        self.doorbells = MemoryDoorbells()
        self.sessions = MemorySessions(now, session_ttl, self.doorbells)
        self.players = MemoryPlayers(now)

    async def check(self) -> None:
        """It is always there."""

    async def close(self) -> None:
        """There is nothing to close."""


class MemorySessions:
    """Sessions; `ttl` is the milliseconds that an idle one is kept, 0 for ever."""

    def __init__(self, now: Callable[[], int], ttl: int, doorbells: "MemoryDoorbells") -> None:
        self._now, self._ttl, self._doorbells = now, ttl, doorbells
        self._stored: dict[str, StoredSession] = {}
        self._expires: dict[str, int] = {}
        self._claims: dict[tuple[str, str], Claim] = {}
        self._listed: dict[str, set[str]] = {}

    async def claim(self, claim: Claim) -> Claim:
        if claim.key is not None:
            claim = self._claims.setdefault((claim.player, claim.key), claim)
        listed = self._listed.get(claim.player, set()) | {cursor_of(claim.created, claim.session)}
        self._listed[claim.player] = set(sorted(listed)[-LISTED:])
        return claim

    async def create(self, meta: SessionMeta) -> bool:
        if self._alive(meta.id):
            return False
        self._stored[meta.id] = StoredSession(meta, b"")
        self._touch(meta.id)
        return True

    async def load(self, session: str) -> StoredSession | None:
        return self._alive(session)

    async def commit(self, commit: Commit) -> Verdict:
        if (stored := self._alive(commit.session)) is None:
            return Verdict.GONE
        meta, log = stored.meta, stored.log
        if commit.seat >= len(meta.seats) or meta.seats[commit.seat].player != commit.player:
            return Verdict.NOT_YOUR_SEAT
        if (seq_of(log), crc_of(log)) != (commit.at, commit.crc):
            return Verdict.STALE
        if not meta.is_open:
            return Verdict.CLOSED
        meta = replace(meta, status=commit.status, is_open=not commit.closes, updated=commit.time)
        self._stored[commit.session] = StoredSession(meta, log + commit.entry)
        self._touch(commit.session)
        self._doorbells.ring(Ring(commit.session, commit.entry))
        return Verdict.COMMITTED

    async def sessions_of(self, player: str, cursor: str | None, limit: int) -> tuple[list[StoredSummary], str | None]:
        check_cursor(cursor)
        listed = self._listed.get(player, set())
        page = sorted((key for key in listed if cursor is None or key < cursor), reverse=True)[:limit]
        stored = [self._alive(session_at(key)) for key in page]
        found = [StoredSummary(one.meta, seq_of(one.log)) for one in stored if one]
        return found, page[-1] if len(page) == limit else None

    def _alive(self, session: str) -> StoredSession | None:
        if self._ttl and self._expires.get(session, 0) <= self._now():
            self._stored.pop(session, None)
        return self._stored.get(session)

    def _touch(self, session: str) -> None:
        self._expires[session] = self._now() + self._ttl


class MemoryDoorbells:
    """Doorbells within one process."""

    def __init__(self) -> None:
        self._subscribed: set[str] = set()
        self._rung: asyncio.Queue[Ring] = asyncio.Queue()

    async def subscribe(self, session: str) -> None:
        self._subscribed.add(session)
        self.ring(Ring(session))

    async def unsubscribe(self, session: str) -> None:
        self._subscribed.discard(session)

    async def rings(self) -> AsyncIterator[Ring]:
        while True:
            yield await self._rung.get()

    def ring(self, ring: Ring) -> None:
        if ring.session in self._subscribed:
            self._rung.put_nowait(ring)


class MemoryPlayers:
    """Players, tokens and tickets."""

    def __init__(self, now: Callable[[], int]) -> None:
        self._now = now
        self._players: dict[str, StoredPlayer] = {}
        self._tokens: dict[str, str] = {}
        self._tickets: dict[str, tuple[str, int]] = {}

    async def add(self, player: StoredPlayer) -> None:
        self._players[player.id] = player
        self._tokens[player.token_digest] = player.id

    async def by_token(self, digest: str) -> StoredPlayer | None:
        return self._players.get(self._tokens.get(digest, ""))

    async def issue_ticket(self, digest: str, player: str, seconds: int) -> None:
        self._tickets[digest] = (player, self._now() + 1000 * seconds)

    async def redeem_ticket(self, digest: str) -> StoredPlayer | None:
        player, expires = self._tickets.pop(digest, ("", 0))
        return self._players.get(player) if self._now() < expires else None
