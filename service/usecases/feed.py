"""What happens in a session, told from a place in its history on: once, after a wait, or for as long as one likes."""

import asyncio
from collections import deque
from collections.abc import AsyncGenerator, Iterator
from contextlib import contextmanager, suppress
from typing import Final, NamedTuple

import msgspec

from service.engine.game import Game
from service.protocol import messages, shapes
from service.telemetry.meters import Meters
from service.usecases.history import History, Place, Turn
from service.usecases.live import Aside, Live, Update
from service.usecases.views import events_after, session_view, viewing_seat

KEEP_ALIVE_SECONDS: Final = 15.0
"""After how long without news a follower is told that there are none."""
WAITING_LIMIT: Final = 256
"""News that may wait for a follower who is slow; with more they are dropped, and the log is read instead."""


class Told(NamedTuple):
    """A message of the socket's, encoded, with its type, and the `(seq, crc)` that whoever reads it has come to."""

    kind: str
    frame: bytes
    place: tuple[int, int] | None = None


async def events(live: Live, session: str, player: str | None, at: Place, wait: float) -> shapes.Events:
    """The entries after a place, waiting up to `wait` seconds for the first; a reset where it is not known.

    Raises NoSuchSession, NotForSpectators, CorruptSession or StoreUnavailable.
    """
    changed = asyncio.Event()

    def watcher(news: Update | Aside | None) -> None:
        if not isinstance(news, Aside):
            changed.set()

    history = await live.watch(session, watcher)
    try:
        seat = viewing_seat(history.meta, player)
        if history.ends_at(at):
            with suppress(TimeoutError):
                async with asyncio.timeout(wait):
                    await changed.wait()
            history = await live.read(session)
            seat = viewing_seat(history.meta, player)
    finally:
        live.unwatch(session, watcher)
    missed = events_after(history, at, seat)
    if missed is None:
        return shapes.Events(reset=session_view(history.meta, history.game, seat))
    return shapes.Events(events=missed)


async def follow(live: Live, session: str, player: str | None, place: Place | None) -> AsyncGenerator[Told | None]:
    """All that is told of a session from a place on, or from nothing: the session anew where that cannot be told.

    None is no news: it comes first of all, and after each while without any. Raises as `events`, also later, when the
    session cannot be read any more. Whoever is slow misses nothing.
    """
    inbox = _Inbox()
    history = await live.watch(session, inbox)
    unlogged = history.meta.unlogged
    try:
        while True:
            seat = viewing_seat(history.meta, player)
            with _present(live, session, seat):
                yield None
                is_anew = unlogged != history.meta.unlogged
                for told in _caught_up(history, place, seat, live.meters, is_anew=is_anew):
                    yield told
                place, unlogged = Place(history.game.seq, history.game.crc), history.meta.unlogged
                async for news in inbox:
                    match news:
                        case Update(turn=Turn(after=Game(seq=seq, crc=crc))) if seq == place.seq + 1:
                            place = Place(seq, crc)
                            yield Told("event", news.frame(seat, with_legal=True), (seq, crc))
                        case Update(turn=Turn(after=Game(seq=seq))) if seq > place.seq:
                            break
                        case Aside():
                            yield Told(_type_of(news.frame), news.frame)
                        case None:
                            yield None
            history = await live.read(session)
    finally:
        live.unwatch(session, inbox)


@contextmanager
def _present(live: Live, session: str, seat: int | None) -> Iterator[None]:
    """Lets the others who watch see that somebody is there."""
    live.presences.enter(session, seat)
    try:
        yield
    finally:
        live.presences.exit(session, seat)


def _caught_up(
    history: History, place: Place | None, seat: int | None, meters: Meters, *, is_anew: bool
) -> Iterator[Told]:
    """The entries behind a place, or the session as it is now; both where more than its log may have changed."""
    game = history.game
    missed = None if place is None or is_anew else events_after(history, place, seat)
    is_known = place is None or history.knows(place)
    meters.caught_up["resumed" if missed is not None else "snapshot" if is_known else "reset"] += 1
    if missed is not None:
        for event in missed:
            yield Told("event", messages.encode(event), (event.seq, messages.parse_crc(event.crc)))
        if not history.meta.changes_unlogged:
            return
    topic, view = messages.topic_of(history.meta.id), session_view(history.meta, game, seat)
    if is_known:
        yield Told("snapshot", messages.encode(messages.Snapshot(topic, view)), (game.seq, game.crc))
    else:
        yield Told("reset", messages.encode(messages.Reset(topic, view)), (game.seq, game.crc))


class _Inbox:
    """The news of a session that its follower has not had yet; an iteration ends where the log has to be read."""

    def __init__(self) -> None:
        self._news: deque[Update | Aside] = deque()
        self._is_lost = False
        self._has_more = asyncio.Event()

    def __call__(self, news: Update | Aside | None) -> None:
        if news is None or len(self._news) >= WAITING_LIMIT:
            self._news.clear()
            self._is_lost = True
        else:
            self._news.append(news)
        self._has_more.set()

    def __aiter__(self) -> "_Inbox":
        return self

    async def __anext__(self) -> Update | Aside | None:
        """The next news, or None after a while without any."""
        if not (self._news or self._is_lost):
            self._has_more.clear()
            with suppress(TimeoutError):
                async with asyncio.timeout(KEEP_ALIVE_SECONDS):
                    await self._has_more.wait()
        if self._is_lost:
            self._is_lost = False
            raise StopAsyncIteration
        return self._news.popleft() if self._news else None


class _Typed(msgspec.Struct):
    type: str


_typed: Final = msgspec.json.Decoder(_Typed)


def _type_of(frame: bytes) -> str:
    return _typed.decode(frame).type
