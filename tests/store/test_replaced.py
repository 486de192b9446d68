"""What becomes of a store whose master was stopped while sentinels put another in its place, and then goes on."""

import asyncio
import time
from collections.abc import AsyncIterator, Iterator
from functools import partial

import pytest

from service.app import SystemClock
from service.ports import StoreUnavailable, Verdict
from service.store.redis import commits, keys
from service.store.redis.store import RedisStore
from service.store.redis.topology import Sentinels
from service.telemetry.meters import Meters
from service.usecases.feed import Told, follow
from service.usecases.history import Histories
from service.usecases.live import Live
from tests.servers import IN_MEMORY, SERVICE, WHEEL, Server, Watched, watched
from tests.store.sessions import ID, commit, committed, meta
from tests.store.waiting import listening, opened, until

SECONDS = 20.0
"""Within which a promotion is over and found out about."""


@pytest.fixture
def group() -> Iterator[Watched]:
    """A master, a replica and sentinels of the test's own."""
    with watched(WHEEL, *IN_MEMORY) as one:
        yield one


async def played_on(store: RedisStore, log: bytes) -> bytes:
    """The log with one more entry."""
    made = commit(log)
    assert await committed(store, made) is Verdict.COMMITTED
    return log + made.entry


def replaced(group: Watched) -> tuple[Server, Server]:
    """A master that was stopped until all sentinels named another, and that other."""
    before = group.master()
    before.freeze()
    group.sentinels[0].control.sentinel_failover(SERVICE)
    deadline = time.monotonic() + SECONDS
    while group.master() is before or len({named(sentinel) for sentinel in group.sentinels}) > 1:
        assert time.monotonic() < deadline, "the master is replaced, one should think"
        time.sleep(0.02)
    return before, group.master()


def named(sentinel: Server) -> str:
    """The master that a sentinel names."""
    return str(sentinel.control.sentinel_get_master_addr_by_name(SERVICE))


def log_on(server: Server) -> int:
    """The length of the session's log there."""
    return int(server.control.strlen(keys.session_log(ID)))


async def has_no_replicas(server: Server) -> bool:
    """Whether it has found that they have left."""
    return bool(server.control.info("replication")["connected_slaves"] == 0)


@pytest.fixture
def unhurried(monkeypatch: pytest.MonkeyPatch) -> None:
    """Stores ask the sentinels only if something is wrong, and so do not know yet what these do."""
    monkeypatch.setattr(Sentinels, "round_seconds", SECONDS)


async def test_a_master_that_was_replaced_is_left_in_the_next_round_though_it_goes_on(group: Watched) -> None:
    async with opened(group.url) as store, listening(store.doorbells) as ear:
        await store.sessions.create(meta())
        store.doorbells.subscribe(ID)
        log = await played_on(store, b"")
        assert await ear.next(2) == [ID, ID]
        assert group.master().control.wait(1, 1000) == 1

        before, after = await asyncio.to_thread(replaced, group)
        before.thaw()
        assert await ear.next() == [ID], "it is subscribed to anew, so that its log is read"
        log = await played_on(store, log)
        assert (log_on(before), log_on(after)) == (10, 20)
        assert before.control.role()[0] == "master", "nobody has told it yet"


async def test_what_waits_for_a_master_that_is_replaced_is_not_acknowledged(group: Watched) -> None:
    async with opened(group.url) as store, listening(store.doorbells):
        await store.sessions.create(meta())
        log = await played_on(store, b"")
        assert group.master().control.wait(1, 1000) == 1

        replacing = asyncio.create_task(asyncio.to_thread(replaced, group))
        await asyncio.sleep(0.1)
        with pytest.raises(StoreUnavailable, match=commits.REPLACED):
            await committed(store, commit(log))
        before, after = await replacing
        before.thaw()
        await played_on(store, log)
        assert log_on(after) == 20


async def test_what_waits_for_a_link_to_a_master_that_is_replaced_goes_to_the_other(group: Watched) -> None:
    async with opened(group.url) as store, listening(store.doorbells):
        await store.sessions.create(meta())
        assert group.master().control.wait(1, 1000) == 1
        replacing = asyncio.create_task(asyncio.to_thread(replaced, group))
        await asyncio.sleep(0.1)
        assert await committed(store, commit()) is Verdict.COMMITTED
        _, after = await replacing
        assert log_on(after) == 10


async def test_a_master_that_was_replaced_and_has_no_replicas_takes_no_write(unhurried: None) -> None:
    guarded = "--min-replicas-to-write", "1"
    with watched(WHEEL, *IN_MEMORY, *guarded, replicas=2) as group:
        async with opened(group.url) as store, listening(store.doorbells):
            await store.sessions.create(meta())
            log = await played_on(store, b"")
            assert group.master().control.wait(2, 1000) == 2

            before, after = await asyncio.to_thread(replaced, group)
            before.thaw()
            await until(partial(has_no_replicas, before))
            assert await committed(store, commit(log)) is Verdict.COMMITTED
            assert (log_on(before), log_on(after)) == (10, 20)


async def test_whoever_was_told_of_what_a_replaced_master_took_is_reset_when_it_is_found_out(
    group: Watched, unhurried: None
) -> None:
    async with opened(group.url) as store:
        live = Live(Histories(store.sessions, 10), store.doorbells, SystemClock(), "here", Meters())
        running = asyncio.create_task(live.run())
        await store.sessions.create(meta(rules="modern"))
        reader = follow(live, ID, None, None)
        assert await told(reader) == ("snapshot", 0)
        assert group.master().control.wait(1, 1000) == 1

        before, after = await asyncio.to_thread(replaced, group)
        before.thaw()
        lost = commit()
        assert await committed(store, lost) is Verdict.COMMITTED, "nobody can know yet"
        assert await told(reader) == ("event", 1)
        before.control.config_set("min-replicas-to-write", 1)
        assert await committed(store, commit(lost.entry)) is Verdict.STALE
        assert await told(reader) == ("reset", 0)
        assert (log_on(before), log_on(after)) == (10, 0)
        await reader.aclose()
        running.cancel()
        await asyncio.gather(running, return_exceptions=True)


async def told(reader: AsyncIterator[Told | None]) -> tuple[str, int]:
    """What a reader is told next of a place in the log, and which; raises TimeoutError."""
    async with asyncio.timeout(SECONDS):
        async for news in reader:
            if news and news.place:
                return news.kind, news.place[0]
    raise AssertionError("it goes on for ever")


async def test_the_sentinel_that_knows_of_the_latest_promotion_is_believed(group: Watched) -> None:
    with watched(WHEEL, *IN_MEMORY, sentinels=1) as late:  # as one that has not heard of it
        _, after = await asyncio.to_thread(replaced, group)
        _, _, places = group.url.partition("://")
        async with opened(late.url.replace("://", f"://{places.partition(',')[0]},")) as store:
            await store.sessions.create(meta())
        assert after.control.exists(keys.session_meta(ID))
