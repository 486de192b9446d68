"""Who watches what, and telling them.

A watched session has a Room in this process: its history as far as the watchers were told. A commit made here moves
it on at once, and a doorbell by the entry that it carries; where that does not follow, at a new subscription, and in a
slow round over all rooms, it looks at the log's end, and reads where that is
another. Whatever the cause, a room tells its watchers each entry once and in order.
"""

import asyncio
import logging
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import Final, NamedTuple, TypeAlias

from msgspec import Struct

from service.engine.game import Game, replay
from service.engine.log import ENTRY_BYTES, MAX_TIME, TICKS_PER_SECOND, Entry, unpack
from service.ports import Clock, Doorbells, End, Ring, SessionMeta, StoreUnavailable
from service.protocol import messages, notes
from service.telemetry.meters import Meters
from service.usecases.errors import UseCaseError
from service.usecases.history import Histories, History, Place, Turn
from service.usecases.presence import Presences
from service.usecases.tasks import until_one_ends
from service.usecases.views import event_view

ROUND_SECONDS: Final = 5.0
"""How often every room looks for the end of its log unasked: the bound on what a lost doorbell can cost."""
GLANCE: Final = 200
"""Rooms that are looked after in one round trip."""

_log = logging.getLogger(__name__)


class Update(Struct):
    """One entry as every kind of viewer sees it, encoded at most once for each."""

    meta: SessionMeta
    turn: Turn
    frames: dict[tuple[int | None, bool], bytes] = {}

    def frame(self, seat: int | None, with_legal: bool) -> bytes:
        """The event for a seat, or for a spectator (None), who may have declined the legal moves."""
        kind = seat, with_legal
        if (frame := self.frames.get(kind)) is None:
            frame = self.frames[kind] = messages.encode(event_view(self.meta, self.turn, seat, with_legal))
        return frame


class Aside(NamedTuple):
    """What all who watch a session are told that is no entry of it, encoded."""

    frame: bytes


Watcher: TypeAlias = Callable[[Update | Aside | None], None]
"""Is told every entry, or None: what was told is wrong, or more has changed than the log; it should read again."""
Heard: TypeAlias = Callable[[SessionMeta, Entry], None]
"""Is told of each entry that was not committed here."""


class Room:
    """The watchers of one session, and how far they were told."""

    def __init__(self, history: History, heard: Heard) -> None:
        self.history, self._heard = history, heard
        self.watchers: set[Watcher] = set()
        self.expected: set[bytes] = set()
        """Entries that this process is committing: their doorbells say nothing new, since the verdict moves on too."""

    def move_on(self, history: History, turn: Turn | None = None) -> None:
        """Tells the watchers what a newer history adds; `turn` is its last entry, where the caller has it."""
        told = self.history
        if turn is not None and turn.before is told.game and history.meta is told.meta:
            self.history = history
            self._tell(Update(history.meta, turn))
            return
        is_another = history.meta.unlogged != told.meta.unlogged
        if told.log.startswith(history.log) and not is_another:
            return
        self.history = history
        if is_another or not history.log.startswith(told.log):
            self._tell(None)
        else:
            for missed in history.turns_from(told.game):
                self._heard(history.meta, missed.entry)
                self._tell(Update(history.meta, missed))

    def take(self, entry: bytes) -> bool:
        """Moves on by an entry, which may be the last already; False where it does not follow what was told."""
        if entry in self.expected:
            return True
        meta, log, game = self.history.meta, self.history.log, self.history.game
        if not entry or log.endswith(entry):
            return bool(entry)
        try:
            [(read, crc)] = unpack(entry, game.seq, game.crc)
            after = replay(game, [(read, crc)])
        except ValueError:  # no entry, or one that does not follow
            return False
        self._heard(meta, read)
        self.move_on(History(meta, log + entry, after), Turn(game, read, after))
        return True

    def knows(self, end: End | None) -> bool:
        """Whether the watchers have all that a session which ends like this can tell; None is one that is gone."""
        meta, log = self.history.meta, self.history.log
        if end is None or meta.capacity > 1 or end.secret != meta.secret:
            return False  # of several seats the end does not tell who has them
        return end.entry in self.expected or end.entry == log[-ENTRY_BYTES:]

    def has_another(self, game: Game) -> bool:
        """Whether the watchers were told of another entry where this game's last is."""
        return self.history.game.seq >= game.seq and not self.history.knows(Place(game.seq, game.crc))

    def read(self, history: History, told: History) -> None:
        """Takes what the store held after the watchers were `told`: if it is less than that, entries are lost."""
        if self.history is told and len(history.log) < len(told.log):
            self.history = history
            self._tell(None)
        else:
            self.move_on(history)

    def lose(self) -> None:
        """Tells the watchers that the session can no longer be read."""
        self._tell(None)

    def say(self, message: messages.ServerMessage) -> None:
        """Tells the watchers something that is no entry."""
        self._tell(Aside(messages.encode(message)))

    def _tell(self, news: Update | Aside | None) -> None:
        for watcher in tuple(self.watchers):
            watcher(news)


class Live:
    """The rooms of this process."""

    def __init__(self, histories: Histories, doorbells: Doorbells, clock: Clock, process: str, meters: Meters) -> None:
        self._histories, self._doorbells, self._clock, self.meters = histories, doorbells, clock, meters
        self.presences = Presences(process, doorbells, clock, self._tell_presence)
        self._rooms: dict[str, Room] = {}
        self.room: Final = self._rooms.get
        """The room of a session that is watched here, and so what is known of it is what its doorbells told."""
        self._entering: Counter[str] = Counter()
        """How many are about to watch a session, which so needs its doorbell."""
        self._doubtful: set[str] = set()
        self._has_doubts = asyncio.Event()
        self.stopped = asyncio.Event()
        """Is set once nobody should wait for anything any more: the service stops."""

    async def watch(self, session: str, watcher: Watcher) -> History:
        """Has the watcher told of every entry behind the history that this answers; raises as `Histories.fresh`."""
        try:
            with self._enter(session):
                self._doorbells.subscribe(session)
                history = await self.read(session)
        except BaseException:
            self.unwatch(session, watcher)
            raise
        room = self._rooms.setdefault(session, Room(history, self._came))
        room.move_on(history)
        room.watchers.add(watcher)
        if self.stopped.is_set():
            watcher(None)
        return room.history

    def unwatch(self, session: str, watcher: Watcher) -> None:
        """Has the watcher told no more; it need not be watching."""
        room = self._rooms.get(session)
        if room is not None:
            room.watchers.discard(watcher)
            if not room.watchers:
                del self._rooms[session]
        if session not in self._rooms and session not in self._entering:
            self._doorbells.unsubscribe(session)

    @property
    def watchers(self) -> int:
        """How many watch a session."""
        return sum(len(room.watchers) for room in self._rooms.values())

    def react(self, session: str, seat: int, phrase: messages.Phrase) -> None:
        """Has a seat say a phrase to all who watch the session anywhere."""
        self._doorbells.send(session, notes.encode(notes.Said(seat, phrase)))

    def tell_analysis(self, session: str, seq: int, searches: int) -> None:
        """Has all who watch the session anywhere know how far an analysis of it has come."""
        self._doorbells.send(session, notes.encode(notes.Searched(seq, searches)))

    def stop(self) -> None:
        """Has nobody wait for anything any more: the service stops."""
        self.stopped.set()
        for room in self._rooms.values():
            room.lose()

    async def run(self) -> None:
        """Answers doorbells, settles doubts and goes the round of the rooms, until it is cancelled."""
        await until_one_ends(
            self._doorbells.run(self._hear), self._settle_doubts(), self._go_round(), self.presences.run()
        )

    def _hear(self, ring: Ring) -> None:
        if (room := self._rooms.get(ring.session)) is None:
            return
        if ring.note:
            self._hear_note(room, ring)
        elif not room.take(ring.entry):
            self.doubt(ring.session)

    def _came(self, meta: SessionMeta, entry: Entry) -> None:
        """Counts how late an entry is told at least: of its time it tells the tenth of a second."""
        if entry.time < MAX_TIME:
            since = (self._clock.now() - meta.created) / 1000 - (entry.time + 1) / TICKS_PER_SECOND
            self.meters.fanout_lag.add(max(0.0, since))

    def _hear_note(self, room: Room, ring: Ring) -> None:
        match notes.decode(ring.note):
            case notes.Here() as here:
                self.presences.hear(ring.session, here)
            case notes.Said(seat, phrase):
                room.say(messages.Reaction(ring.session, seat, phrase))
            case notes.Searched(seq, searches):
                room.say(messages.Analysis(ring.session, seq, searches))

    def _tell_presence(self, presence: messages.Presence) -> None:
        if room := self._rooms.get(presence.session):
            room.say(presence)

    def doubt(self, session: str) -> None:
        """Has somebody look whether the session's room lags."""
        self._doubtful.add(session)
        self._has_doubts.set()

    async def _settle_doubts(self) -> None:
        while True:
            await self._has_doubts.wait()
            self._has_doubts.clear()
            while self._doubtful:
                await self._glance([self._doubtful.pop() for _ in range(min(GLANCE, len(self._doubtful)))])

    async def _go_round(self) -> None:
        while True:
            await asyncio.sleep(ROUND_SECONDS)
            self.presences.go_round()
            for session in self._rooms:
                self.doubt(session)

    async def _glance(self, sessions: Sequence[str]) -> None:
        """Reads those sessions that end otherwise than was told, or whose seats may have changed."""
        try:
            ends = await self._histories.ends(sessions)
        except StoreUnavailable:  # or one of them is damaged, which the others must not suffer for
            await asyncio.gather(*map(self._look, sessions))
            return
        for session, end in zip(sessions, ends, strict=True):
            if (room := self._rooms.get(session)) and not room.knows(end):
                await self._look(session)

    async def _look(self, session: str) -> None:
        """Reads a watched session, whatever comes of it."""
        if (room := self._rooms.get(session)) is None:
            return
        try:
            await self.read(session)
        except StoreUnavailable as error:
            _log.warning("a session is not read: %s", error, extra={"session": session})
        except UseCaseError as error:
            _log.warning("a session is lost to its watchers: %s", error, extra={"session": session, "code": error.code})
            room.lose()
        except Exception:  # of one session, which the others must not suffer for
            _log.exception("a session cannot be read", extra={"session": session})
            room.lose()

    async def read(self, session: str) -> History:
        """What the store holds now, told to whoever watches here; raises as `Histories.fresh`."""
        room = self._rooms.get(session)
        told = room and room.history
        history = await self._histories.fresh(session)
        if room and told:
            room.read(history, told)
        return history

    @contextmanager
    def _enter(self, session: str) -> Iterator[None]:
        self._entering[session] += 1
        try:
            yield
        finally:
            self._entering[session] -= 1
            if not self._entering[session]:
                del self._entering[session]
