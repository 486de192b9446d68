"""Who watches the boards of days, and telling them.

Each second a process asks for the versions of all that is watched in it, and reads what has changed once for all who
watch it. Only the last state counts, so nothing can be lost, and however many results come in, a watcher is told once
a second.
"""

import asyncio
import logging
from collections.abc import AsyncGenerator, Callable, Sequence
from contextlib import suppress
from typing import Final, NamedTuple, TypeAlias

from service.ports import StoreUnavailable
from service.ports.boards import BoardStore
from service.ports.daily import Day, DayStore
from service.protocol import messages
from service.protocol.boards import BoardTop
from service.telemetry.meters import Meters
from service.usecases.boards import Asked, Boards, DayBoard
from service.usecases.errors import UseCaseError
from service.usecases.feed import KEEP_ALIVE_SECONDS, Told

LOOK_SECONDS: Final = 1.0
"""How often it is looked whether something has changed."""
BATCH: Final = 100
"""Watchers that are told at once; whoever plays has a turn between two batches."""

Watcher: TypeAlias = Callable[[bytes], None]
"""Is told the top of the board, encoded, whenever it has changed."""

_log = logging.getLogger(__name__)


class _State(NamedTuple):
    """In which version a day's boards are, and since when they are final."""

    version: int
    final: int | None


class _Watched:
    """A board that is watched, what of it was told last, and in which state of its day that was read."""

    def __init__(self) -> None:
        self.watchers: set[Watcher] = set()
        self.state: _State | None = None
        self.frame = b""


class BoardWatch:
    """The boards of days that are watched in this process."""

    def __init__(self, boards: Boards, store: BoardStore, days: DayStore, meters: Meters) -> None:
        self._boards, self._store, self._days, self._meters = boards, store, days, meters
        self._watched: dict[DayBoard, _Watched] = {}

    async def watch(self, board: DayBoard, watcher: Watcher) -> None:
        """Tells the watcher the top, now and whenever it has changed; raises NoSuchDay or StoreUnavailable."""
        one = self._watched.setdefault(board, _Watched())
        one.watchers.add(watcher)
        try:
            if one.frame:
                watcher(one.frame)
            else:
                [state] = await self._states([board.day])
                await self._read(board, one, state)
        except BaseException:
            self.unwatch(board, watcher)
            raise

    def unwatch(self, board: DayBoard, watcher: Watcher) -> None:
        """Has the watcher told no more; it need not be watching."""
        if one := self._watched.get(board):
            one.watchers.discard(watcher)
            if not one.watchers:
                del self._watched[board]

    @property
    def watchers(self) -> int:
        """How many watch a board."""
        return sum(len(one.watchers) for one in self._watched.values())

    async def run(self) -> None:
        """Looks again and again, until it is cancelled."""
        while True:
            await asyncio.sleep(LOOK_SECONDS)
            if self._watched:
                try:
                    await self._look()
                except StoreUnavailable as error:
                    _log.warning("the boards are not looked after: %s", error)

    async def _look(self) -> None:
        """Reads those boards whose days have changed."""
        days = list({board.day for board in self._watched})
        states = dict(zip(days, await self._states(days), strict=True))
        for board, one in list(self._watched.items()):
            state = states.get(board.day)  # of one that came meanwhile there is none
            if state and state != one.state:
                try:
                    await self._read(board, one, state)
                except UseCaseError as error:  # of one day, which the others must not suffer for
                    _log.warning("a board is not told: %s", error, extra={"code": error.code})

    async def _states(self, days: Sequence[Day]) -> list[_State]:
        """What tells whether a day's boards are as they were, or were made final since."""
        versions, stored = await asyncio.gather(self._store.versions([str(day) for day in days]), self._days.find(days))
        return [_State(version, one.final if one else None) for version, one in zip(versions, stored, strict=True)]

    async def _read(self, board: DayBoard, one: _Watched, state: _State) -> None:
        """Tells the top of a board, in this state before it is read, to all who watch it, if it is another now."""
        page = await self._boards.day(board, Asked())
        frame = messages.encode(BoardTop(messages.topic_of_board(str(board)), page))
        is_first, is_news = not one.frame, frame != one.frame
        one.state, one.frame = state, frame
        if is_news and not is_first:
            self._meters.board_updates += 1
        for number, watcher in enumerate(tuple(one.watchers) if is_news else (), 1):
            if watcher in one.watchers:
                watcher(one.frame)
            if number % BATCH == 0:
                await asyncio.sleep(0)


async def follow(watch: BoardWatch, board: DayBoard) -> AsyncGenerator[Told | None]:
    """The top of a board now, and whenever it has changed.

    None is no news: it comes first of all, and after each while without any. Raises as `BoardWatch.watch`. Whoever is
    slow misses what is no longer so.
    """
    inbox = _Inbox()
    await watch.watch(board, inbox)
    try:
        yield None
        while True:
            yield await inbox.next()
    finally:
        watch.unwatch(board, inbox)


class _Inbox:
    """The last that a follower was told and has not had yet."""

    def __init__(self) -> None:
        self._frame = b""
        self._has_news = asyncio.Event()

    def __call__(self, frame: bytes) -> None:
        self._frame = frame
        self._has_news.set()

    async def next(self) -> Told | None:
        """The news, or None after a while without any."""
        with suppress(TimeoutError):
            async with asyncio.timeout(KEEP_ALIVE_SECONDS):
                await self._has_news.wait()
        if not self._has_news.is_set():
            return None
        self._has_news.clear()
        return Told("board", self._frame)
