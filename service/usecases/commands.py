"""The move path: a command on a place of a session's log is judged, committed, told and answered.

A command names the place it was made on. The same command of the same seat at the same place again is a retry and is
answered as the first time; anything else at a place that is past is stale. The log's compare-and-append decides every
race, so a cached history is only ever a guess at where the log ends.
"""

import asyncio
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import Final, TypeAlias, assert_never

from msgspec import Struct

from service.engine import sharing
from service.engine.errors import ConsentNeeded, GameOver, IllegalMove, NothingToDo, OthersPlay
from service.engine.game import OVER, Game
from service.engine.log import MAX_TIME, TICKS_PER_SECOND, Entry, packed
from service.engine.moves import Kind, Move, kind_of
from service.engine.sharing import Mode
from service.ports import Clock, Commit, SessionMeta, SessionStore, StoreUnavailable, Verdict
from service.protocol import shapes
from service.usecases.counting import count_failure, counting_failures
from service.usecases.errors import (
    ConsentMissing,
    CorruptSession,
    LogFull,
    MoveRefused,
    NoSuchSession,
    NothingTo,
    NotYourSeat,
    OthersStillPlay,
    SessionOver,
    Stale,
    UseCaseError,
)
from service.usecases.history import Histories, History, Place, Turn
from service.usecases.live import Live, Room
from service.usecases.views import EXPIRED, events_after, held_seats, is_closed, legal_for, session_view

_made: Final = tuple.__new__
"""Makes an entry of its values in half the time of `Entry(…)`, which is felt on the path of every move."""
_COMMITTED: Final = Verdict.COMMITTED  # Python 3.11 takes long for it
MAX_ENTRIES: Final = 5_000
"""The longest log, but for a resignation: fifteen times a won game."""


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


@dataclass(frozen=True, slots=True)
class Consent:
    """The seat agrees that so many steps are taken back."""

    count: int


@dataclass(frozen=True, slots=True)
class Hint:
    """The seat is given this step of a hint."""

    level: int


@dataclass(frozen=True, slots=True)
class Ask:
    """The seat is told whether the game can still be won."""


Command: TypeAlias = Play | Undo | Redo | Restart | Resign | Consent | Hint | Ask


class Accepted(Struct, frozen=True):
    """A command that is in the log, now or since an earlier try: the game as it was just after it."""

    meta: SessionMeta
    game: Game
    seat: int

    @property
    def view(self) -> shapes.Session:
        return session_view(self.meta, self.game, self.seat)


Asked: TypeAlias = tuple[str, str, Command, Place]
"""A session, a player, and the player's command on a place."""
Outcome: TypeAlias = Accepted | UseCaseError | StoreUnavailable
Then: TypeAlias = Callable[[Outcome | None], None]
"""Is told what became of a command; None where its place was past already, so that only the log can tell."""


class Commands:
    """Carries out commands; `ended` is told of each that ended its game.

    Every method may raise StoreUnavailable, and CorruptSession for a bad log.
    """

    def __init__(
        self, store: SessionStore, histories: Histories, live: Live, clock: Clock, ended: Callable[[History], None]
    ) -> None:
        self._store, self._histories, self._live, self._clock, self._ended = store, histories, live, clock, ended
        self._meters, self._acks = live.meters, live.meters.commands["ack"]

    def try_submit(self, session: str, player: str, command: Command, at: Place, then: Then) -> bool:
        """Judges a command at once and has it committed, where the place is the end of a log that is known here.

        `then` is called later. Else answers False, and `submit` has to be asked. Raises as `submit` does.
        """
        history = self._histories.kept(session)
        if history is None or not history.ends_at(at):
            return False
        meta = history.meta
        if (seat := meta.seat_of(player)) is None:
            return False
        if meta.capacity > 1 and self._live.room(session) is None:
            return False  # who has a seat may be news
        self._commit(history, player, seat, command, then)
        return True

    async def submit(self, session: str, player: str, command: Command, at: Place) -> Accepted:
        """Commits a command on a place of the log, or recognises that it is there already.

        Raises NoSuchSession, NotYourSeat, MoveRefused, NothingTo, SessionOver, LogFull or Stale; then nothing has
        changed.
        """
        settled: asyncio.Future[Outcome | None] = asyncio.get_running_loop().create_future()

        def then(outcome: Outcome | None) -> None:
            if not settled.done():  # whoever waited may have gone
                settled.set_result(outcome)

        if not self.try_submit(session, player, command, at, then):
            with counting_failures(self._meters, command):
                history = await self._live.read(session)
                seat = _playing_seat(history, player)
                if not history.ends_at(at):
                    return self._answer_late(history, seat, command, at)
            self._commit(history, player, seat, command, then)
        match outcome := await settled:
            case Accepted():
                return outcome
            case None:
                return await self.answer_late(session, player, command, at)
            case _:
                raise outcome

    async def answer_late(self, session: str, player: str, command: Command, at: Place) -> Accepted:
        """The answer to a command whose place is past: the first one again for a retry; else raises Stale."""
        with counting_failures(self._meters, command):
            history = await self._live.read(session)
            return self._answer_late(history, _playing_seat(history, player), command, at)

    def check_open(self, meta: SessionMeta, game: Game) -> None:
        """Raises SessionOver where a session takes no command any more."""
        if game.is_over:
            raise SessionOver(game.status)
        if meta.run is not None and (is_closed(meta, game) or meta.run.ends <= self._clock.now()):
            raise SessionOver(EXPIRED)

    def _commit(self, history: History, player: str, seat: int, command: Command, then: Then) -> None:
        """Judges a command at the end of the history, and has the store decide; raises why it may not be.

        When the store has, tells whoever watches here, and then whoever asked.
        """
        meta, log, game = history.meta, history.log, history.game
        now = self._clock.now()
        time = (now - meta.created) * TICKS_PER_SECOND // 1000
        if not game.time <= time <= MAX_TIME:  # a clock that was set back, or a session of ten months
            time = min(MAX_TIME, max(game.time, time))
        try:
            if meta.run:
                self.check_open(meta, game)
            entry = _entry(game, seat, command, time)
            made, crc = packed(entry, game.crc)
            after = _judged(meta, game, entry, crc)
        except UseCaseError as error:
            count_failure(self._meters, command, error)
            raise
        room = self._live.room(meta.id)
        if room:
            room.expected.add(made)
        turn, longer, status = Turn(game, entry, after), History(meta, log + made, after), after.status
        is_told = room is not None
        commit = Commit(meta.id, player, seat, game.seq, game.crc, made, status, status in OVER, now, is_told)
        self._store.commit(commit, partial(self._settle, turn, longer, made, command, room, then))

    def _settle(  # noqa: PLR0913, PLR0917 - all that a verdict is about, bound by `partial`
        self,
        turn: Turn,
        longer: History,
        made: bytes,
        command: Command,
        waiting: Room | None,
        then: Then,
        verdict: Verdict | StoreUnavailable,
    ) -> None:
        """Tells whoever watches here, and whoever asked, what became of an entry for which a room may be waiting."""
        meta, after = longer.meta, longer.game
        session = meta.id
        room = self._live.room(session)
        if waiting:
            waiting.expected.discard(made)
            if room is not waiting:
                self._live.doubt(session)  # its doorbell may have been silent
        if verdict is not _COMMITTED:
            if isinstance(verdict, StoreUnavailable):
                self._live.doubt(session)
            why = _why_not(verdict, meta, turn.before.seq)
            count_failure(self._meters, command, why)
            then(why)
        elif room and room.has_another(after):
            then(None)  # a node said so that has been replaced, so that only the log can tell
        else:
            longer = self._histories.keep_longer(longer)
            if room:
                room.move_on(longer, turn)
            if after.is_over:
                self._ended(longer)
            self._acks[type(command)] += 1
            then(Accepted(longer.meta, after, turn.entry.seat))

    def _answer_late(self, history: History, seat: int, command: Command, at: Place) -> Accepted:
        """Answers a command whose place is past; raises Stale or StoreUnavailable."""
        accepted = _answer_late(history, seat, command, at)
        self._acks[type(command)] += 1
        return accepted


def _judged(meta: SessionMeta, game: Game, entry: Entry, crc: int) -> Game:
    """The game after an entry that its seat may make; raises why not."""
    if game.seq >= MAX_ENTRIES and entry.kind is not Kind.RESIGN:
        raise LogFull(MAX_ENTRIES)
    try:
        after = game.after(entry, crc)
        if meta.capacity > 1:
            sharing.check(game, entry, Mode(meta.mode), held_seats(meta))
    except IllegalMove as error:
        raise MoveRefused(error.move, error.reason, legal_for(meta, game, entry.seat)) from None
    except NothingToDo as error:
        raise NothingTo(error.command) from None
    except GameOver as error:
        raise SessionOver(error.status) from None
    except ConsentNeeded as error:
        raise ConsentMissing(error.command, error.steps, error.missing) from None
    except OthersPlay:
        raise OthersStillPlay from None
    return after


def _why_not(verdict: Verdict | StoreUnavailable, meta: SessionMeta, at: int) -> UseCaseError | StoreUnavailable | None:
    """What to tell of a commit that was not carried out; None where its place is past."""
    match verdict:
        case Verdict.CLOSED:
            if meta.run is not None:
                return SessionOver(EXPIRED)
            return CorruptSession(meta.id, at, "it is stored as closed, and its log is not at an end")
        case Verdict.NOT_YOUR_SEAT:
            return NotYourSeat()
        case Verdict.GONE:
            return NoSuchSession(meta.id)
        case StoreUnavailable():
            return verdict
        case _:
            return None


def _entry(game: Game, seat: int, command: Command, time: int) -> Entry:
    """The entry that a command makes on a game, possible or not."""
    match command:
        case Play():  # by far the most, and quicker without a pattern for its move
            move = command.move
            return _made(Entry, (kind_of(game.position, move), seat, time, move, 0))
        case Undo(by_group):
            return Entry(Kind.UNDO, seat, time, count=game.undo_count(by_group))
        case Redo(by_group):
            return Entry(Kind.REDO, seat, time, count=game.redo_count(by_group))
        case Restart():
            return Entry(Kind.RESTART, seat, time)
        case Resign():
            return Entry(Kind.RESIGN, seat, time)
        case Consent(count):
            return Entry(Kind.CONSENT, seat, time, count=count)
        case Hint(level):
            return Entry(Kind.HINT, seat, time, count=level)
        case Ask():
            return Entry(Kind.ASK, seat, time)
        case _:
            assert_never(command)


def _playing_seat(history: History, player: str) -> int:
    if (seat := history.meta.seat_of(player)) is None:
        raise NotYourSeat
    return seat


def _answer_late(history: History, seat: int, command: Command, at: Place) -> Accepted:
    """The first answer again, if this seat's command is the entry that follows the place; else raises Stale.

    Where the log ends at the place after all, since a failover has lost its end, raises StoreUnavailable: try again.
    """
    if history.ends_at(at):
        raise StoreUnavailable("the log has changed its end")
    turn = next(history.turns_from(history.at(at.seq)), None) if history.knows(at) else None
    if turn and turn.entry == _entry(turn.before, seat, command, turn.entry.time):
        return Accepted(history.meta, turn.after, seat)
    raise Stale(at.seq, events_after(history, at, seat), session_view(history.meta, history.game, seat))
