"""Sessions in Redis: a hash and a string each, in one slot."""

import logging
from collections.abc import Callable, Sequence
from typing import Final

from service.engine.log import ENTRY_BYTES, SEATS
from service.engine.sharing import Mode
from service.ports import (
    PLANS_KEPT,
    Claim,
    Commit,
    End,
    SeatHolder,
    Seating,
    SessionMeta,
    Settle,
    StoredSession,
    StoredSummary,
    UnreadableSession,
)
from service.ports.daily import Day, Run, RunKind
from service.store.cursor import LISTED, check_cursor, cursor_of, session_at
from service.store.redis import keys
from service.store.redis.client import Client, Command, text, texts
from service.store.redis.link import Part
from service.store.redis.scripts import Script

_log = logging.getLogger(__name__)

TIMES: Final = range(253_402_300_800_000)
"""Milliseconds since the epoch up to the year 9999."""
CLAIM_MS: Final = 24 * 60 * 60 * 1000


class RedisSessions:
    """Sessions; `ttl` is the milliseconds that an idle one is kept, 0 for ever, as a run of a day is."""

    def __init__(self, client: Client, commit: Callable[[Commit, Settle], None], ttl: int) -> None:
        self._client, self.commit, self._ttl = client, commit, ttl
        self._claim, self._create = Script(client, "claim"), Script(client, "create")
        self._join, self._leave = Script(client, "join"), Script(client, "leave")
        self._forget = Script(client, "forget")
        self._unseal = Script(client, "unseal")

    async def claim(self, claim: Claim) -> Claim:
        names = [keys.player_sessions(claim.player)]
        if claim.key is not None:
            names.append(keys.player_claim(claim.player, claim.key))
        cursor = cursor_of(claim.created, claim.session)
        standing = await self._claim(names, [cursor, f"{claim.fingerprint} {cursor}", CLAIM_MS, LISTED])
        fingerprint, cursor = text(standing).split(" ")
        created, _, session = cursor.partition(":")
        return Claim(player=claim.player, session=session, created=int(created), key=claim.key, fingerprint=fingerprint)

    async def create(self, meta: SessionMeta) -> bool:
        fields = [part for field in _fields(meta).items() for part in field]
        return bool(await self._create([keys.session_meta(meta.id)], [0 if meta.run else self._ttl, *fields]))

    async def load(self, session: str) -> StoredSession | None:
        # Both keys expire at once, so a log without its meta is gone; a commit in between leaves the log the older.
        name = keys.session_meta(session)
        log, fields = await self._client.ask(name, ("GET", keys.session_log(session)), ("HGETALL", name))
        return StoredSession(_meta(session, fields), log or b"") if fields else None

    async def ends(self, sessions: Sequence[str]) -> list[End | None]:
        asked = [
            (meta, (("HGET", meta, "secret"), ("GETRANGE", log, -ENTRY_BYTES, -1)))
            for meta, log in map(_keys, sessions)
        ]
        return [End(entry, secret == b"1") if secret else None for secret, entry in await self._client.ask_each(asked)]

    async def join(self, session: str, holder: SeatHolder, invite: str) -> Seating:
        channel = keys.session_channel(session)
        arguments: list[Part] = [channel, self._ttl, holder.player, holder.name, invite]
        return Seating(text(await self._join(_keys(session), arguments)))

    async def leave(self, session: str, player: str) -> bool:
        return bool(await self._leave(_keys(session), [keys.session_channel(session), self._ttl, player]))

    async def unseal(self, session: str) -> None:
        await self._unseal([keys.session_meta(session)], [keys.session_channel(session)])

    async def plans(self, session: str) -> list[str]:
        name = keys.session_plans(session)
        kept, *_ = await self._client.ask(name, ("LRANGE", name, 0, -1), *self._put_off(name))
        return [text(plan) for plan in kept]

    async def keep_plan(self, session: str, plan: str) -> None:
        name = keys.session_plans(session)
        await self._client.ask(name, ("RPUSH", name, plan), ("LTRIM", name, -PLANS_KEPT, -1), *self._put_off(name))

    async def sessions_of(self, player: str, cursor: str | None, limit: int) -> tuple[list[StoredSummary], str | None]:
        check_cursor(cursor)
        newest = "+" if cursor is None else f"({cursor}"
        name = keys.player_sessions(player)
        [listed] = await self._client.ask(name, ("ZRANGE", name, newest, "-", "BYLEX", "REV", "LIMIT", 0, limit))
        page = [text(key) for key in listed]
        asked = [_summary_of(session_at(key)) for key in page]
        answers = await self._client.ask_each(asked) if page else []
        found = [_summary(session_at(key), fields, length) for key, (fields, length) in zip(page, answers, strict=True)]
        return [summary for summary in found if summary], page[-1] if len(page) == limit else None

    async def forget(self, player: str) -> None:
        listed = keys.player_sessions(player)
        [cursors] = await self._client.ask(listed, ("ZRANGE", listed, 0, -1))
        for session in (session_at(text(cursor)) for cursor in cursors):
            await self._forget([*_keys(session), keys.session_plans(session)], [keys.session_channel(session), player])
        await self._client.ask(listed, ("DEL", listed))

    def _put_off(self, name: str) -> list[Command]:
        """The command that lets a key live on with its session, if sessions expire."""
        return [("PEXPIRE", name, self._ttl)] if self._ttl else []


def _keys(session: str) -> tuple[str, str]:
    return keys.session_meta(session), keys.session_log(session)


def _summary_of(session: str) -> tuple[str, tuple[Command, ...]]:
    """What is asked about a session for a list."""
    meta = keys.session_meta(session)
    return meta, (("HGETALL", meta), ("STRLEN", keys.session_log(session)))


def _name_field(seat: int) -> str:
    """The name of a seat's holder, which becomes empty when the holder leaves, or is no player any more."""
    return f"name{seat}"


def _holder(fields: dict[str, str], seat: int) -> SeatHolder | None:
    name, player = fields[_name_field(seat)], fields.get(keys.seat_field(seat))
    return None if player is None else SeatHolder(player, name)


def _fields(meta: SessionMeta) -> dict[str, str | int]:
    fields: dict[str, str | int] = {
        "rules": meta.rules,
        "deal": meta.deal,
        "secret": int(meta.secret),
        "spectators": int(meta.spectators),
        "engine": meta.engine,
        "created": meta.created,
        "updated": meta.updated,
        "status": meta.status,
        "open": int(meta.is_open),
        "mode": meta.mode,
        "capacity": meta.capacity,
        "invite": meta.invite,
    }
    for seat, holder in enumerate(meta.seats):
        fields[_name_field(seat)] = holder.name if holder else ""
        if holder:
            fields[keys.seat_field(seat)] = holder.player
    if meta.run:
        fields |= {"day": str(meta.run.day), "run": meta.run.kind, "ends": meta.run.ends}
    return fields


def _meta(session: str, answer: object) -> SessionMeta:
    """What a session's hash says; raises UnreadableSession."""
    try:
        fields = texts(answer)
        return SessionMeta(
            id=session,
            rules=fields["rules"],
            deal=fields["deal"],
            secret=fields["secret"] == "1",  # noqa: S105 - no password
            spectators=fields["spectators"] == "1",
            engine=int(fields["engine"]),
            created=_time(fields["created"]),
            updated=_time(fields["updated"]),
            status=fields["status"],
            is_open=fields["open"] == "1",
            mode=Mode(fields["mode"]).value,
            capacity=int(fields["capacity"]),
            invite=fields["invite"],
            seats=tuple(_holder(fields, seat) for seat in SEATS if _name_field(seat) in fields),
            run=_run(fields) if "day" in fields else None,
        )
    except (KeyError, ValueError) as error:
        raise UnreadableSession(f"its meta is damaged: {error!r}") from error


def _run(fields: dict[str, str]) -> Run:
    date, rules = fields["day"].split("/")
    return Run(Day(date, rules), RunKind(fields["run"]), _time(fields["ends"]))


def _time(text: str) -> int:
    """Milliseconds since the epoch; raises ValueError for what no calendar has."""
    time = int(text)
    if time not in TIMES:
        raise ValueError(f"{time} is no time")
    return time


def _summary(session: str, answer: object, length: int) -> StoredSummary | None:
    """A session for a list; None for one that is gone or cannot be read, which must not cost the others."""
    try:
        return StoredSummary(_meta(session, answer), length // ENTRY_BYTES) if answer else None
    except UnreadableSession as error:
        _log.error("a session is left out of a list: %s", error, extra={"session": session})
        return None
