"""Sessions in Redis: a hash and a string each, in one slot."""

import logging
from typing import Final

from service.engine.log import EMPTY_CRC, ENTRY_BYTES, SEATS
from service.ports import (
    Claim,
    Commit,
    SeatHolder,
    SessionMeta,
    StoredSession,
    StoredSummary,
    UnreadableSession,
    Verdict,
)
from service.store.cursor import LISTED, check_cursor, cursor_of, session_at
from service.store.redis import keys
from service.store.redis.client import Client, failures_named, text, texts
from service.store.redis.commits import Argument, Commits
from service.store.redis.scripts import Scripts

_log = logging.getLogger(__name__)

TIMES: Final = range(253_402_300_800_000)
"""Milliseconds since the epoch up to the year 9999."""
CLAIM_MS: Final = 24 * 60 * 60 * 1000


class RedisSessions:
    """Sessions; `ttl` is the milliseconds that an idle one is kept, 0 for ever."""

    def __init__(self, client: Client, scripts: Scripts, ttl: int) -> None:
        self._client, self._scripts, self._ttl = client, scripts, ttl
        self._commits = Commits(scripts.commit)

    async def claim(self, claim: Claim) -> Claim:
        names = [keys.player_sessions(claim.player)]
        if claim.key is not None:
            names.append(keys.player_claim(claim.player, claim.key))
        cursor = cursor_of(claim.created, claim.session)
        with failures_named():
            standing = await self._scripts.claim(names, [cursor, f"{claim.fingerprint} {cursor}", CLAIM_MS, LISTED])
        fingerprint, cursor = text(standing).split(" ")
        created, _, session = cursor.partition(":")
        return Claim(player=claim.player, session=session, created=int(created), key=claim.key, fingerprint=fingerprint)

    async def create(self, meta: SessionMeta) -> bool:
        fields = [part for field in _fields(meta).items() for part in field]
        with failures_named():
            return bool(await self._scripts.create([keys.session_meta(meta.id)], [self._ttl, *fields]))

    async def load(self, session: str) -> StoredSession | None:
        # No transaction, which a full server refuses. Both keys expire at once, so a log without its meta is gone; a
        # commit in between leaves the log the older of the two.
        with failures_named():
            pipe = self._client.pipeline(transaction=False)
            pipe.get(keys.session_log(session))
            pipe.hgetall(keys.session_meta(session))
            log, fields = await pipe.execute()
        return StoredSession(_meta(session, fields), log or b"") if fields else None

    async def commit(self, commit: Commit) -> Verdict:
        session = commit.session
        names = [keys.session_meta(session), keys.session_log(session), keys.session_channel(session)]
        arguments: list[Argument] = [
            commit.at * ENTRY_BYTES,
            b"" if (commit.at, commit.crc) == (0, EMPTY_CRC) else commit.crc.to_bytes(4, "big"),
            commit.entry,
            _seat_field(commit.seat),
            commit.player,
            commit.status,
            int(not commit.closes),
            commit.time,
            self._ttl,
        ]
        return await self._commits.commit(names, arguments)

    async def sessions_of(self, player: str, cursor: str | None, limit: int) -> tuple[list[StoredSummary], str | None]:
        check_cursor(cursor)
        newest = "+" if cursor is None else f"({cursor}"
        with failures_named():
            listed = await self._client.zrange(
                keys.player_sessions(player), newest, "-", desc=True, bylex=True, offset=0, num=limit
            )
            page = [text(key) for key in listed]
            pipe = self._client.pipeline(transaction=False)
            for session in map(session_at, page):
                pipe.hgetall(keys.session_meta(session))
                pipe.strlen(keys.session_log(session))
            answers = await pipe.execute() if page else []
        found = [
            _summary(session_at(key), fields, length)
            for key, fields, length in zip(page, answers[::2], answers[1::2], strict=True)
        ]
        return [summary for summary in found if summary], page[-1] if len(page) == limit else None


def _seat_field(seat: int) -> str:
    return f"seat{seat}"


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
    }
    for seat, holder in enumerate(meta.seats):
        fields[_seat_field(seat)] = holder.player
        fields[f"name{seat}"] = holder.name
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
            seats=tuple(
                SeatHolder(fields[_seat_field(seat)], fields[f"name{seat}"])
                for seat in SEATS
                if _seat_field(seat) in fields
            ),
        )
    except (KeyError, ValueError) as error:
        raise UnreadableSession(f"its meta is damaged: {error!r}") from error


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
        _log.error("session %s: %s", session, error)
        return None
