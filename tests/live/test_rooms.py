"""Watchers of a session in one process: each is told every entry once, whoever comes and goes."""

import asyncio
import contextlib
from collections.abc import AsyncIterator
from dataclasses import dataclass
from pathlib import Path

import pytest
from redis import Redis

from service.app import SystemChance, SystemClock
from service.engine.log import ENTRY_BYTES
from service.engine.notation import parse_move
from service.ports import StoredPlayer
from service.solving.pool import Pool
from service.store.redis import keys
from service.store.redis.store import RedisStore
from service.telemetry.meters import Meters
from service.usecases import live
from service.usecases.commands import Commands, Play, Redo, Undo
from service.usecases.dealing import Dealing, Wish
from service.usecases.deals import Deals
from service.usecases.errors import NoSuchSession
from service.usecases.history import Histories, Place
from service.usecases.live import Aside, Live, Update
from service.usecases.sessions import Sessions
from tests.live.client import PATIENCE, eventually
from tests.servers import ON_DISK, WHEEL, server

PLAYER = StoredPlayer(id="9c1d2ab06679f1c4", name="Quiet Heron", created=0, recovery_digest="")


@dataclass
class Process:
    """What a service has of the game, without its edges."""

    store: RedisStore
    live: Live
    dealing: Dealing
    sessions: Sessions
    commands: Commands

    async def deal(self) -> str:
        return (await self.dealing.create(PLAYER, Wish(deal="pysol:1"), None)).id

    async def play(self, session: str, at: int, move: str) -> None:
        await self.commands.submit(session, PLAYER.id, Play(parse_move(move)), Place(at))


@contextlib.asynccontextmanager
async def process(redis_url: str) -> AsyncIterator[Process]:
    store = RedisStore(redis_url, session_ttl=0)
    histories = Histories(store.sessions, limit=10)
    rooms = Live(histories, store.doorbells, SystemClock(), SystemChance().bytes(8).hex(), Meters())
    task = asyncio.create_task(rooms.run())
    try:
        deals = Deals(Pool(1, store.reports), SystemChance())
        dealing = Dealing(store.sessions, histories, deals, SystemClock(), SystemChance())
        sessions = Sessions(store.sessions, histories, rooms)
        commands = Commands(store.sessions, histories, rooms, SystemClock(), lambda _: None)
        yield Process(store, rooms, dealing, sessions, commands)
    finally:
        assert not task.done(), "it answers doorbells to the end"
        async with asyncio.timeout(PATIENCE):
            task.cancel()
            await asyncio.gather(task, return_exceptions=True)
        await store.close()


@pytest.fixture
async def here(redis_url: str) -> AsyncIterator[Process]:
    async with process(redis_url) as one:
        yield one


@pytest.fixture
async def elsewhere(redis_url: str) -> AsyncIterator[Process]:
    async with process(redis_url) as one:
        yield one


class Notes:
    """What a watcher was told: the numbers of entries, and None where the session has to be read again."""

    def __init__(self) -> None:
        self.told: list[int | None] = []
        self._changed = asyncio.Event()

    def __call__(self, news: Update | Aside | None) -> None:
        assert not isinstance(news, Aside)
        self.told.append(None if news is None else news.turn.after.seq)
        self._changed.set()

    async def become(self, *expected: int | None) -> None:
        """Waits until it was told so much, and checks that it was exactly this."""
        await self.count_to(len(expected))
        assert self.told == [*expected]

    async def count_to(self, number: int) -> None:
        """Waits until it was told so often at least."""
        async with asyncio.timeout(PATIENCE):
            while len(self.told) < number:
                self._changed.clear()
                await self._changed.wait()


async def test_a_watcher_is_told_what_is_played_here_and_elsewhere(here: Process, elsewhere: Process) -> None:
    session, notes = await here.deal(), Notes()
    history = await here.live.watch(session, notes)
    assert history.game.seq == 0

    await here.play(session, 0, "b1G")
    assert notes.told == [1], "before the mover has the answer"
    await elsewhere.play(session, 1, "g2b1")
    await elsewhere.play(session, 2, "b3g2")
    await notes.become(1, 2, 3)


async def test_a_watcher_who_has_left_is_told_nothing(here: Process) -> None:
    session, stays, left = await here.deal(), Notes(), Notes()
    await here.live.watch(session, stays)
    await here.live.watch(session, left)
    here.live.unwatch(session, left)
    here.live.unwatch(session, left)
    await here.play(session, 0, "b1G")

    await stays.become(1)
    assert left.told == []


async def test_a_watcher_who_comes_as_the_last_one_leaves_is_told(here: Process, elsewhere: Process) -> None:
    session, leaving, coming = await here.deal(), Notes(), Notes()
    await here.live.watch(session, leaving)
    watching = asyncio.create_task(here.live.watch(session, coming))
    await asyncio.sleep(0)
    here.live.unwatch(session, leaving)
    await watching

    await elsewhere.play(session, 0, "b1G")
    async with asyncio.timeout(live.ROUND_SECONDS / 2):
        await coming.become(1)


async def test_the_doorbell_is_off_when_nobody_watches(here: Process, redis_url: str) -> None:
    session, notes = await here.deal(), Notes()
    with Redis.from_url(redis_url) as control:

        def listeners() -> int:
            [(_, count)] = control.pubsub_shardnumsub(keys.session_channel(session))
            return int(count)

        await here.live.watch(session, notes)
        await eventually(lambda: listeners() == 1)
        here.live.unwatch(session, notes)
        await eventually(lambda: listeners() == 0)


async def test_there_is_nothing_to_watch_in_an_unknown_session(here: Process, redis_url: str) -> None:
    with pytest.raises(NoSuchSession):
        await here.live.watch("none", Notes())

    with Redis.from_url(redis_url) as control:
        await eventually(lambda: control.pubsub_shardnumsub("bc:{s:none}") == [(b"bc:{s:none}", 0)])


async def test_a_lost_doorbell_is_made_up_for_by_the_round(
    redis_url: str, elsewhere: Process, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(live, "ROUND_SECONDS", 0.05)
    async with process(redis_url) as here:
        session, notes = await here.deal(), Notes()
        await here.live.watch(session, notes)
        here.store.doorbells.unsubscribe(session)
        await elsewhere.play(session, 0, "b1G")
        await elsewhere.play(session, 1, "g2b1")
        await notes.become(1, 2)


async def test_a_store_that_goes_away_costs_watchers_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr(live, "ROUND_SECONDS", 0.05)
    with server(WHEEL, *ON_DISK, data=tmp_path) as store:
        async with process(store.url) as here:
            session, notes = await here.deal(), Notes()
            await here.live.watch(session, notes)
            store.kill()
            await eventually(lambda: "a session is not read" in caplog.text)
            store.start()
            async with process(store.url) as elsewhere:
                await elsewhere.play(session, 0, "b1G")
            await notes.become(1)


async def test_a_log_that_lost_its_end_has_its_watchers_read_again(here: Process, redis_url: str) -> None:
    session, notes = await here.deal(), Notes()
    await here.live.watch(session, notes)
    await here.play(session, 0, "b1G")
    await here.play(session, 1, "g2b1")
    with Redis.from_url(redis_url) as control:
        log = keys.session_log(session)
        control.set(log, control.get(log)[:-ENTRY_BYTES])
        history = await here.live.watch(session, Notes())

    assert history.game.seq == 1
    await notes.become(1, 2, None)


async def test_a_log_that_went_another_way_has_its_watchers_read_again(here: Process, redis_url: str) -> None:
    session, other, notes = await here.deal(), await here.deal(), Notes()
    await here.live.watch(session, notes)
    await here.play(session, 0, "b1G")
    await here.play(other, 0, "c1G")
    with Redis.from_url(redis_url) as control:
        control.copy(keys.session_log(other), keys.session_log(session), replace=True)
        control.spublish(keys.session_channel(session), "")

    await notes.become(1, None)


async def test_a_session_that_is_gone_has_its_watchers_read_again(here: Process, redis_url: str) -> None:
    session, notes = await here.deal(), Notes()
    await here.live.watch(session, notes)
    with Redis.from_url(redis_url) as control:
        control.delete(keys.session_meta(session))
        control.spublish(keys.session_channel(session), "")

    await notes.become(None)


async def test_a_session_that_is_damaged_does_not_silence_the_others(
    here: Process, elsewhere: Process, redis_url: str
) -> None:
    session, damaged, notes, unsure = await here.deal(), await here.deal(), Notes(), Notes()
    await here.live.watch(session, notes)
    await here.live.watch(damaged, unsure)
    with Redis.from_url(redis_url) as control:
        control.hset(keys.session_meta(damaged), "created", "yesterday")
        control.append(keys.session_log(damaged), b"ten bytes!")
        control.spublish(keys.session_channel(damaged), "")
    await unsure.become(None)

    await elsewhere.play(session, 0, "b1G")
    await notes.become(1)


async def test_visitors_are_told_every_entry_behind_what_they_were_shown(here: Process, elsewhere: Process) -> None:
    session, entries = await here.deal(), 200
    await here.play(session, 0, "b1G")

    async def play() -> None:
        for at in range(1, entries):
            mover = here if at % 3 else elsewhere
            await mover.commands.submit(session, PLAYER.id, Redo() if at % 2 == 0 else Undo(), Place(at))

    async def visit(entries: int) -> None:
        while not played.done():
            notes = Notes()
            history = await here.live.watch(session, notes)
            begin = history.game.seq
            await notes.count_to(min(entries, 200 - begin))
            here.live.unwatch(session, notes)
            assert notes.told == [*range(begin + 1, begin + 1 + len(notes.told))]

    played = asyncio.create_task(play())
    await asyncio.gather(played, *(visit(entries) for entries in range(1, 11)))


async def test_answering_ends_whatever_it_is_about(redis_url: str) -> None:
    for turns in range(40):
        async with process(redis_url) as here:
            session = await here.deal()
            await here.live.watch(session, Notes())
            await here.play(session, 0, "b1G")
            for _ in range(turns):
                await asyncio.sleep(0)
