"""Who watches what, and telling them.

A watched session has a Room in this process: its history as far as the watchers were told. A commit made here moves
it on at once, and a doorbell by the entry that it carries; where that does not follow, at a new subscription, and in a
slow round over all rooms, it reads the log. Whatever the cause, a room tells its watchers each entry once and in order.
"""

import asyncio
import logging
from collections import Counter
from collections.abc import Callable, Coroutine, Iterator
from contextlib import contextmanager
from typing import Any, Final

from service.engine.game import replay
from service.engine.log import ENTRY_BYTES, unpack
from service.ports import Doorbells, StoreUnavailable
from service.protocol import messages
from service.usecases.errors import UseCaseError
from service.usecases.history import Histories, History, Turn
from service.usecases.views import event_view

ROUND_SECONDS: Final = 5.0
"""How often every room reads its log unasked: the bound on what a lost doorbell can cost."""

CANCEL_SECONDS: Final = 0.1
"""How long a task that is cancelled may take before it is cancelled again."""

_log = logging.getLogger(__name__)


class Update:
    """One entry as every kind of viewer sees it, encoded at most once for each."""

    def __init__(self, history: History, turn: Turn) -> None:
        self._meta, self._turn = history.meta, turn
        self._frames: dict[int | None, bytes] = {}
        self.seq, self.crc = turn.after.seq, turn.after.crc

    def frame(self, seat: int | None) -> bytes:
        """The event for a seat, or for a spectator (None)."""
        if (frame := self._frames.get(seat)) is None:
            frame = self._frames[seat] = messages.encode(event_view(self._meta, self._turn, seat))
        return frame


Watcher = Callable[[Update | None], None]
"""Is told every entry, or None: what it knows may be wrong, and it should read the session again."""


class Room:
    """The watchers of one session, and how far they were told."""

    def __init__(self, history: History) -> None:
        self.history = history
        self.watchers: set[Watcher] = set()

    def move_on(self, history: History, turn: Turn | None = None) -> None:
        """Tells the watchers what a newer history adds; `turn` is its last entry, where the caller has it."""
        told = self.history
        if told.log.startswith(history.log):
            return
        self.history = history
        if not history.log.startswith(told.log):
            self._tell(None)
        elif turn is not None and len(told.log) + ENTRY_BYTES == len(history.log):
            self._tell(Update(history, turn))
        else:
            for missed in history.turns_from(told.game):
                self._tell(Update(history, missed))

    def take(self, entry: bytes) -> bool:
        """Moves on by an entry, which may be the last already; False where it does not follow what was told."""
        meta, log, game = self.history.meta, self.history.log, self.history.game
        if not entry or log.endswith(entry):
            return bool(entry)
        try:
            [(read, crc)] = unpack(entry, game.seq, game.crc)
            after = replay(game, [(read, crc)])
        except ValueError:  # no entry, or one that does not follow
            return False
        self.move_on(History(meta, log + entry, after), Turn(game, read, after))
        return True

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

    def _tell(self, update: Update | None) -> None:
        for watcher in tuple(self.watchers):
            watcher(update)


class Live:
    """The rooms of this process."""

    def __init__(self, histories: Histories, doorbells: Doorbells) -> None:
        self._histories, self._doorbells = histories, doorbells
        self._rooms: dict[str, Room] = {}
        self._entering: Counter[str] = Counter()
        """How many are about to watch a session, which so needs its doorbell."""
        self._has_stopped = False

    async def watch(self, session: str, watcher: Watcher) -> History:
        """Has the watcher told of every entry behind the history that this answers; raises as `Histories.fresh`."""
        try:
            with self._enter(session):
                await self._doorbells.subscribe(session)
                history = await self.read(session)
        except BaseException:
            await self.unwatch(session, watcher)
            raise
        room = self._rooms.setdefault(session, Room(history))
        room.move_on(history)
        room.watchers.add(watcher)
        if self._has_stopped:
            watcher(None)
        return room.history

    async def unwatch(self, session: str, watcher: Watcher) -> None:
        """Has the watcher told no more; it need not be watching."""
        room = self._rooms.get(session)
        if room is not None:
            room.watchers.discard(watcher)
            if not room.watchers:
                del self._rooms[session]
        if session not in self._rooms and session not in self._entering:
            await self._doorbells.unsubscribe(session)

    def committed(self, history: History, turn: Turn) -> None:
        """Tells the session's watchers here of an entry that this process has committed."""
        if room := self._rooms.get(history.meta.id):
            room.move_on(history, turn)

    def stop(self) -> None:
        """Has nobody wait for anything any more: the service stops."""
        self._has_stopped = True
        for room in self._rooms.values():
            room.lose()

    async def run(self) -> None:
        """Answers doorbells and goes the round of the rooms, until it is cancelled."""
        await until_one_ends(self._answer_doorbells(), self._go_round())

    async def _answer_doorbells(self) -> None:
        async for session, entry in self._doorbells.rings():
            if (room := self._rooms.get(session)) and not room.take(entry):
                await self._look(session)

    async def _go_round(self) -> None:
        while True:
            await asyncio.sleep(ROUND_SECONDS)
            for session in tuple(self._rooms):
                await self._look(session)

    async def _look(self, session: str) -> None:
        """Reads a watched session, whatever comes of it."""
        if (room := self._rooms.get(session)) is None:
            return
        try:
            await self.read(session)
        except StoreUnavailable as error:
            _log.warning("could not read session %s: %s", session, error)
        except UseCaseError as error:
            _log.warning("%s", error)
            room.lose()
        except Exception:  # of one session, which the others must not suffer for
            _log.exception("session %s cannot be read", session)
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


async def until_one_ends(*coroutines: Coroutine[Any, Any, None]) -> None:
    """Runs all until one ends, ends the others, and raises what the first raised.

    A TaskGroup cancels once; but before Python 3.12 `asyncio.wait_for`, by which the store's client sends, can lose
    a cancellation, and whoever waits for that task then waits for ever.
    """
    tasks = [asyncio.create_task(coroutine) for coroutine in coroutines]
    try:
        done, _ = await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
    finally:
        while pending := [task for task in tasks if not task.done()]:
            for task in pending:
                task.cancel()
            await asyncio.wait(pending, timeout=CANCEL_SECONDS)
        await asyncio.gather(*tasks, return_exceptions=True)
    for task in done:
        task.result()
