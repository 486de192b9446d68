"""The store in memory: for tests, and to read what the contract is without Redis around it."""

import asyncio
from collections.abc import Callable, Sequence
from dataclasses import replace

from service.engine.log import ENTRY_BYTES, crc_of, seq_of
from service.engine.sharing import Mode
from service.ports import (
    PLANS_KEPT,
    Claim,
    Commit,
    End,
    NodeMemory,
    Problem,
    Report,
    Ring,
    SeatHolder,
    Seating,
    SessionMeta,
    Settle,
    StoredSession,
    StoredSummary,
    Verdict,
)
from service.store.cursor import LISTED, check_cursor, cursor_of, session_at
from service.store.kept import Kept
from service.store.memory_boards import MemoryBoards
from service.store.memory_days import MemoryDays, MemoryRecords
from service.store.memory_players import MemoryPlayers
from service.telemetry.meters import CommitMeter


class MemoryStore:
    """A whole store. `now` gives the milliseconds by which sessions and tickets expire."""

    def __init__(self, now: Callable[[], int], session_ttl: int) -> None:
        self.meter = CommitMeter()
        self.doorbells = MemoryDoorbells()
        self.sessions = MemorySessions(now, session_ttl, self.doorbells)
        self.players = MemoryPlayers(now)
        self.reports = MemoryReports()
        self.days = MemoryDays(now)
        self.records = MemoryRecords(self.players.has)
        self.boards = MemoryBoards()

    async def check(self) -> None:
        """It is always there."""

    async def memory(self) -> list[NodeMemory]:
        return []

    async def close(self) -> None:
        """There is nothing to close."""


class MemorySessions:
    """Sessions; `ttl` is the milliseconds that an idle one is kept, 0 for ever, as a run of a day is."""

    def __init__(self, now: Callable[[], int], ttl: int, doorbells: "MemoryDoorbells") -> None:
        self._now, self._ttl, self._doorbells = now, ttl, doorbells
        self._stored: dict[str, StoredSession] = {}
        self._expires: dict[str, int] = {}
        self._claims: dict[tuple[str, str], Claim] = {}
        self._listed: dict[str, set[str]] = {}
        self._plans: dict[str, list[str]] = {}

    async def claim(self, claim: Claim) -> Claim:
        if claim.key is not None:
            claim = self._claims.setdefault((claim.player, claim.key), claim)
        listed = self._listed.get(claim.player, set()) | {cursor_of(claim.created, claim.session)}
        self._listed[claim.player] = set(sorted(listed)[-LISTED:])
        return claim

    async def create(self, meta: SessionMeta) -> bool:
        if self._alive(meta.id):
            return False
        self._keep(StoredSession(meta, b""))
        return True

    async def load(self, session: str) -> StoredSession | None:
        return self._alive(session)

    async def ends(self, sessions: Sequence[str]) -> list[End | None]:
        alive = map(self._alive, sessions)
        return [End(stored.log[-ENTRY_BYTES:], stored.meta.secret) if stored else None for stored in alive]

    def commit(self, commit: Commit, settle: Settle) -> None:
        asyncio.get_running_loop().call_soon(settle, self._decide(commit))

    def _decide(self, commit: Commit) -> Verdict:
        if (stored := self._alive(commit.session)) is None:
            return Verdict.GONE
        meta, log = stored.meta, stored.log
        holder = meta.seats[commit.seat] if commit.seat < len(meta.seats) else None
        if holder is None or holder.player != commit.player:
            return Verdict.NOT_YOUR_SEAT
        if (seq_of(log), crc_of(log)) != (commit.at, commit.crc):
            return Verdict.STALE
        if not meta.is_open:
            return Verdict.CLOSED
        meta = replace(meta, status=commit.status, is_open=not commit.closes, updated=commit.time)
        self._keep(StoredSession(meta, log + commit.entry))
        if not commit.told:
            self._doorbells.ring(Ring(commit.session, commit.entry))
        return Verdict.COMMITTED

    async def join(self, session: str, holder: SeatHolder, invite: str) -> Seating:
        if (stored := self._alive(session)) is None:
            return Seating.GONE
        meta = stored.meta
        if meta.seat_of(holder.player) is not None:
            return Seating.ALREADY
        if invite != meta.invite or not invite:
            return Seating.WRONG_INVITE
        if not meta.is_open:
            return Seating.CLOSED
        taken = {seat for seat, holder in enumerate(meta.seats) if holder}
        seat = next((seat for seat in range(meta.capacity) if seat not in taken), None)
        if seat is None:
            return Seating.FULL
        self._seat(stored, seat, holder)
        return Seating.SEATED

    async def leave(self, session: str, player: str) -> bool:
        stored = self._alive(session)
        if stored is None or (seat := stored.meta.seat_of(player)) is None:
            return False
        self._seat(stored, seat, None)
        return True

    async def unseal(self, session: str) -> None:
        stored = self._alive(session)
        if stored is None or stored.meta.run is None:
            return
        status = "expired" if stored.meta.is_open else stored.meta.status
        meta = replace(stored.meta, status=status, is_open=False, secret=False, spectators=True)
        if meta != stored.meta:
            self._keep(StoredSession(meta, stored.log))
            self._doorbells.ring(Ring(session))

    async def plans(self, session: str) -> list[str]:
        return list(self._plans.get(session, ())) if self._alive(session) else []

    async def keep_plan(self, session: str, plan: str) -> None:
        self._plans[session] = [*self._plans.get(session, ()), plan][-PLANS_KEPT:]

    async def sessions_of(self, player: str, cursor: str | None, limit: int) -> tuple[list[StoredSummary], str | None]:
        check_cursor(cursor)
        listed = self._listed.get(player, set())
        page = sorted((key for key in listed if cursor is None or key < cursor), reverse=True)[:limit]
        stored = [self._alive(session_at(key)) for key in page]
        found = [StoredSummary(one.meta, seq_of(one.log)) for one in stored if one]
        return found, page[-1] if len(page) == limit else None

    async def forget(self, player: str) -> None:
        for session in map(session_at, self._listed.pop(player, set())):
            stored = self._alive(session)
            if stored is None or (seat := stored.meta.seat_of(player)) is None:
                continue
            is_solo = stored.meta.mode == Mode.SOLO
            if is_solo and stored.meta.run is None:
                for kept in (self._stored, self._expires, self._plans):
                    kept.pop(session, None)
                self._doorbells.ring(Ring(session))
            else:
                is_freed = stored.meta.is_open and not is_solo
                self._seat(stored, seat, None if is_freed else SeatHolder(player, ""))

    def _alive(self, session: str) -> StoredSession | None:
        stored = self._stored.get(session)
        if stored and self._ttl and stored.meta.run is None and self._expires[session] <= self._now():
            del self._stored[session]
            return None
        return stored

    def _keep(self, stored: StoredSession) -> None:
        self._stored[stored.meta.id] = stored
        self._expires[stored.meta.id] = self._now() + self._ttl

    def _seat(self, stored: StoredSession, seat: int, holder: SeatHolder | None) -> None:
        seats = stored.meta.seats
        meta = replace(stored.meta, seats=(*seats[:seat], holder, *seats[seat + 1 :]))
        self._keep(StoredSession(meta, stored.log))
        self._doorbells.ring(Ring(meta.id))


class MemoryDoorbells:
    """Doorbells within one process."""

    def __init__(self) -> None:
        self._subscribed: set[str] = set()
        self._heard: Callable[[Ring], None] | None = None

    def subscribe(self, session: str) -> None:
        self._subscribed.add(session)
        self.ring(Ring(session))

    def unsubscribe(self, session: str) -> None:
        self._subscribed.discard(session)

    def send(self, session: str, note: bytes) -> None:
        self.ring(Ring(session, note=note))

    async def run(self, heard: Callable[[Ring], None]) -> None:
        self._heard = heard
        try:
            for session in self._subscribed:
                self.ring(Ring(session))
            await asyncio.get_running_loop().create_future()
        finally:
            self._heard = None

    def ring(self, ring: Ring) -> None:
        if self._heard and ring.session in self._subscribed:
            asyncio.get_running_loop().call_soon(self._heard, ring)


class MemoryReports:
    """Reports of the solver, kept for ever."""

    def __init__(self) -> None:
        self._kept: dict[str, Kept] = {}

    async def find(self, problem: Problem) -> Report | None:
        kept = self._kept.get(problem.digest)
        return kept.report_for(problem) if kept else None

    async def keep(self, problem: Problem, report: Report) -> None:
        self._kept[problem.digest] = Kept(problem.budget, report)
