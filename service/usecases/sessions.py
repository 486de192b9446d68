"""Sessions: create, read, list, play.

A command names the place it was made on. The same command of the same seat at the same place again is a retry and is
answered as the first time; anything else at a place that is past is stale. The log's compare-and-append decides every
race, so a cached history is only ever a guess at where the log ends.
"""

import asyncio
from contextlib import suppress
from dataclasses import dataclass, replace
from hashlib import sha256
from typing import Final, TypeAlias

from service.engine.deal import SEED_BYTES, Deal, Numbered, Seeded
from service.engine.errors import EngineError, GameOver, IllegalMove, NotationError, NothingToDo
from service.engine.game import ENGINE_VERSION, Game
from service.engine.log import MAX_TIME, TICKS_PER_SECOND, Entry, crc_of, pack, unpack
from service.engine.moves import Kind, Move
from service.engine.notation import format_deal, parse_deal, parse_rules
from service.engine.record import format_record
from service.ports import (
    Chance,
    Claim,
    Clock,
    Commit,
    SeatHolder,
    SessionMeta,
    SessionStore,
    StoredPlayer,
    Verdict,
)
from service.protocol import messages
from service.usecases.errors import (
    BadCursor,
    BadRequest,
    CorruptSession,
    IdempotencyKeyReused,
    LogFull,
    MoveRefused,
    NoSuchSession,
    NothingTo,
    NotYourSeat,
    SessionOver,
    Stale,
    StillSecret,
)
from service.usecases.history import Histories, History, Place, Turn
from service.usecases.live import Live, Update
from service.usecases.views import events_after, is_secret, legal_for, seat_of, session_view, summary_view, viewing_seat

MAX_ENTRIES: Final = 5_000
"""The longest log, but for a resignation: fifteen times a won game."""
RANDOM: Final = "random"
SEALED: Final = "secret"
_ID_BYTES: Final = 16


@dataclass(frozen=True, slots=True)
class Play:
    move: Move


@dataclass(frozen=True, slots=True)
class Undo:
    by_group: bool = True


@dataclass(frozen=True, slots=True)
class Redo:
    by_group: bool = True


@dataclass(frozen=True, slots=True)
class Restart:
    pass


@dataclass(frozen=True, slots=True)
class Resign:
    pass


Command: TypeAlias = Play | Undo | Redo | Restart | Resign


@dataclass(frozen=True, slots=True)
class Accepted:
    """A command that is in the log, now or since an earlier try: the game as it was just after it."""

    meta: SessionMeta
    game: Game
    seat: int

    @property
    def view(self) -> messages.Session:
        return session_view(self.meta, self.game, self.seat)


class Sessions:
    """What players do with sessions. Every method may raise StoreUnavailable, and CorruptSession for a bad log."""

    def __init__(self, store: SessionStore, histories: Histories, live: Live, clock: Clock, chance: Chance) -> None:
        self._store, self._histories, self._live = store, histories, live
        self._clock, self._chance = clock, chance

    async def create(
        self, player: StoredPlayer, rules: str, deal: str, spectators: bool, key: str | None
    ) -> messages.Session:
        """A new session of the player's; the same idempotency key again answers with the session it made first.

        `deal` is a deal's text, or `random` for a number, or `secret` for one that is told when the game is over.
        Raises BadRequest or IdempotencyKeyReused.
        """
        meta, game = self._prepared(player, rules, deal, spectators)
        fingerprint = sha256(f"{rules}\n{deal}\n{spectators}".encode()).hexdigest()
        asked = Claim(player=player.id, session=meta.id, created=meta.created, key=key, fingerprint=fingerprint)
        claim = await self._store.claim(asked)
        if claim.fingerprint != fingerprint:
            raise IdempotencyKeyReused
        meta = replace(meta, id=claim.session, created=claim.created)
        if not await self._store.create(meta):
            return await self.view(claim.session, player.id)
        return session_view(meta, game, 0)

    async def view(self, session: str, player: str | None) -> messages.Session:
        """The session as the player, or a spectator, may see it now; raises NoSuchSession or NotForSpectators."""
        history = await self._histories.fresh(session)
        return session_view(history.meta, history.game, viewing_seat(history.meta, player))

    async def page(self, player: StoredPlayer, cursor: str | None, limit: int) -> messages.Page:
        """The player's sessions, newest first; raises BadRequest for a cursor that no page gave."""
        try:
            stored, following = await self._store.sessions_of(player.id, cursor, limit)
        except ValueError as error:
            raise BadCursor("cursor", str(error)) from None
        return messages.Page([summary_view(summary) for summary in stored], following)

    async def record(self, session: str, player: str | None) -> str:
        """The session's record; raises NoSuchSession, NotForSpectators or StillSecret."""
        history = await self._histories.fresh(session)
        viewing_seat(history.meta, player)
        if is_secret(history.meta, history.game):
            raise StillSecret
        return record_of(history)

    async def submit(self, session: str, player: str, command: Command, at: Place) -> Accepted:
        """Commits a command on a place of the log, or recognises that it is there already.

        Raises NoSuchSession, NotYourSeat, MoveRefused, NothingTo, SessionOver, LogFull or Stale; then nothing has
        changed.
        """
        history = await self._histories.known(session)
        if not history.ends_at(at):
            history = await self._live.read(session)
        if history.ends_at(at):
            seat = _playing_seat(history, player)
            if accepted := await self._commit(history, player, seat, command):
                return accepted
            history = await self._live.read(session)
        return _answer_late(history, _playing_seat(history, player), command, at)

    async def events(self, session: str, player: str | None, at: Place, wait: float) -> messages.Events:
        """The entries after a place, waiting up to `wait` seconds for the first; a reset where it is not known."""
        changed = asyncio.Event()

        def watcher(_: Update | None) -> None:
            changed.set()

        history = await self._live.watch(session, watcher)
        try:
            seat = viewing_seat(history.meta, player)
            if history.ends_at(at):
                with suppress(TimeoutError):
                    async with asyncio.timeout(wait):
                        await changed.wait()
                    history = await self._histories.fresh(session)
        finally:
            await self._live.unwatch(session, watcher)
        events = events_after(history, at, seat)
        if events is None:
            return messages.Events(reset=session_view(history.meta, history.game, seat))
        return messages.Events(events=events)

    def _prepared(self, player: StoredPlayer, rules: str, deal: str, spectators: bool) -> tuple[SessionMeta, Game]:
        try:
            parsed_rules = parse_rules(rules)
        except NotationError as error:
            raise BadRequest("rules", str(error)) from None
        try:
            parsed_deal = self._deal(deal)
            game = Game.begin(parsed_deal, parsed_rules)
        except NotationError as error:
            words = "" if error.at else f"; or {RANDOM}, or {SEALED}"
            raise BadRequest("deal", f"{error}{words}") from None
        except EngineError as error:
            raise BadRequest("deal", str(error)) from None
        now = self._clock.now()
        meta = SessionMeta(
            id=self._chance.bytes(_ID_BYTES).hex(),
            rules=rules,
            deal=format_deal(parsed_deal),
            secret=deal == SEALED,
            spectators=spectators,
            engine=ENGINE_VERSION,
            created=now,
            updated=now,
            status=game.status,
            is_open=not game.is_over,
            seats=(SeatHolder(player.id, player.name),),
        )
        return meta, game

    def _deal(self, text: str) -> Deal:
        if text == RANDOM:
            return Numbered(int.from_bytes(self._chance.bytes(8), "big"))
        return Seeded(self._chance.bytes(SEED_BYTES)) if text == SEALED else parse_deal(text)

    async def _commit(self, history: History, player: str, seat: int, command: Command) -> Accepted | None:
        """Commits a command at the end of a history, then tells; None where the log does not end there any more.

        Whoever is cancelled while the store decides learns nothing, and the doorbell tells the watchers.
        """
        meta, game = history.meta, history.game
        now = self._clock.now()
        time = min(MAX_TIME, max(game.time, (now - meta.created) * TICKS_PER_SECOND // 1000))
        entry = _entry(game, seat, command, time)
        packed, after = _judged(game, entry)
        if game.seq >= MAX_ENTRIES and entry.kind is not Kind.RESIGN:
            raise LogFull(MAX_ENTRIES)
        commit = Commit(
            session=meta.id,
            player=player,
            seat=seat,
            at=game.seq,
            crc=game.crc,
            entry=packed,
            status=after.status,
            closes=after.is_over,
            time=now,
        )
        match await self._store.commit(commit):
            case Verdict.COMMITTED:
                longer = History(meta, history.log + packed, after)
                self._histories.keep(longer)
                self._live.committed(longer, Turn(game, entry, after))
                return Accepted(meta, after, seat)
            case Verdict.STALE:
                return None
            case Verdict.CLOSED:
                raise CorruptSession(meta.id, game.seq, "it is stored as closed, and its log is not at an end")
            case Verdict.NOT_YOUR_SEAT:
                raise NotYourSeat
            case Verdict.GONE:
                raise NoSuchSession(meta.id)


def record_of(history: History) -> str:
    """The record of all that a history holds, whoever may see it."""
    entries = [entry for entry, _ in unpack(history.log)]
    return format_record(parse_deal(history.meta.deal), parse_rules(history.meta.rules), entries)


def _entry(game: Game, seat: int, command: Command, time: int) -> Entry:
    """The entry that a command makes on a game, possible or not."""
    match command:
        case Play(move):
            return Entry(game.kind_of(move), seat, time, move)
        case Undo(by_group):
            return Entry(Kind.UNDO, seat, time, count=game.undo_count(by_group))
        case Redo(by_group):
            return Entry(Kind.REDO, seat, time, count=game.redo_count(by_group))
        case Restart():
            return Entry(Kind.RESTART, seat, time)
        case Resign():
            return Entry(Kind.RESIGN, seat, time)


def _judged(game: Game, entry: Entry) -> tuple[bytes, Game]:
    """The bytes of the entry and the game after it; raises MoveRefused, NothingTo or SessionOver."""
    packed = pack(entry, game.crc)
    try:
        return packed, game.after(entry, crc_of(packed))
    except IllegalMove as error:
        raise MoveRefused(error.move, error.reason, legal_for(game, entry.seat)) from None
    except NothingToDo as error:
        raise NothingTo(error.command) from None
    except GameOver as error:
        raise SessionOver(error.status) from None


def _playing_seat(history: History, player: str) -> int:
    if (seat := seat_of(history.meta, player)) is None:
        raise NotYourSeat
    return seat


def _answer_late(history: History, seat: int, command: Command, at: Place) -> Accepted:
    """The first answer again, if this seat's command is the entry that follows the place; else raises Stale."""
    turn = next(history.turns_from(history.at(at.seq)), None) if history.knows(at) else None
    if turn and turn.entry == _entry(turn.before, seat, command, turn.entry.time):
        return Accepted(history.meta, turn.after, seat)
    raise Stale(at.seq, events_after(history, at, seat), session_view(history.meta, history.game, seat))
