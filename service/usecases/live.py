"""Who watches what, and telling them.

A watched session has a Room in this process: its history as far as the watchers were told. A commit made here moves
it on at once; a doorbell, a new subscription and a slow round over all rooms make it read the log. Whatever the cause,
a room tells its watchers each entry once and in order.
"""

import asyncio
import logging
from collections.abc import Callable
from typing import Final

from service.engine.log import ENTRY_BYTES
from service.ports import Doorbells, StoreUnavailable
from service.protocol import messages
from service.usecases.errors import UseCaseError
from service.usecases.history import Histories, History, Turn
from service.usecases.views import event_view

ROUND_SECONDS: Final = 5.0
"""How often every room reads its log unasked: the bound on what a lost doorbell can cost."""

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

    async def watch(self, session: str, watcher: Watcher) -> History:
        """Has the watcher told of every entry behind the history that this answers; raises as `Histories.fresh`."""
        await self._doorbells.subscribe(session)
        try:
            history = await self._histories.fresh(session)
        except BaseException:
            await self.unwatch(session, watcher)
            raise
        room = self._rooms.setdefault(session, Room(history))
        room.move_on(history)
        room.watchers.add(watcher)
        return room.history

    async def unwatch(self, session: str, watcher: Watcher) -> None:
        """Has the watcher told no more; it need not be watching."""
        room = self._rooms.get(session)
        if room is not None:
            room.watchers.discard(watcher)
            if not room.watchers:
                del self._rooms[session]
        if session not in self._rooms:
            await self._doorbells.unsubscribe(session)

    def committed(self, history: History, turn: Turn) -> None:
        """Tells the session's watchers here of an entry that this process has committed."""
        if room := self._rooms.get(history.meta.id):
            room.move_on(history, turn)

    async def run(self) -> None:
        """Answers doorbells and goes the round of the rooms, until it is cancelled."""
        async with asyncio.TaskGroup() as group:
            group.create_task(self._answer_doorbells())
            group.create_task(self._go_round())

    async def _answer_doorbells(self) -> None:
        async for session in self._doorbells.rings():
            await self._read(session)

    async def _go_round(self) -> None:
        while True:
            await asyncio.sleep(ROUND_SECONDS)
            for session in tuple(self._rooms):
                await self._read(session)

    async def _read(self, session: str) -> None:
        if (room := self._rooms.get(session)) is None:
            return
        try:
            room.move_on(await self._histories.fresh(session))
        except StoreUnavailable as error:
            _log.warning("could not read session %s: %s", session, error)
        except UseCaseError as error:
            _log.warning("%s", error)
            room.lose()
