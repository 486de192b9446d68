"""Group commit: many sessions in one call, each for itself."""

import asyncio
from collections.abc import AsyncIterator
from math import ceil

import pytest

from service.ports import StoreUnavailable, Verdict
from service.store.redis import keys
from service.store.redis.store import RedisStore
from service.store.redis.topology import BATCH
from tests.servers import Server
from tests.store.sessions import ID, commit, committed, meta

SESSIONS = [f"{number:032x}" for number in range(BATCH + 40)]


@pytest.fixture
async def store(redis_server: Server) -> AsyncIterator[RedisStore]:
    """A store with many sessions."""
    opened = RedisStore(redis_server.url, 60_000)
    await asyncio.gather(*(opened.sessions.create(meta(session)) for session in [ID, *SESSIONS]))
    yield opened
    await opened.close()


def calls(server: Server) -> int:
    """How many scripts the server has run."""
    stats = server.control.info("commandstats")
    return int(stats["cmdstat_evalsha"]["calls"])


async def test_what_comes_in_one_turn_of_the_loop_travels_in_as_few_calls_as_hold_it(
    store: RedisStore, redis_server: Server
) -> None:
    await committed(store, commit(session=SESSIONS[0]))  # so that the server knows the script
    before = calls(redis_server)

    verdicts = await asyncio.gather(*(committed(store, commit(session=session)) for session in SESSIONS))

    assert verdicts == [Verdict.STALE, *[Verdict.COMMITTED] * (len(SESSIONS) - 1)]
    assert calls(redis_server) - before == ceil(len(SESSIONS) / BATCH)


async def test_a_session_that_fails_spares_the_others(store: RedisStore, redis_server: Server) -> None:
    redis_server.control.rpush(keys.session_log(SESSIONS[1]), "no string")

    first, failed, other = await asyncio.gather(
        *(committed(store, commit(session=session)) for session in SESSIONS[:3]), return_exceptions=True
    )

    assert (first, other) == (Verdict.COMMITTED, Verdict.COMMITTED)
    assert isinstance(failed, StoreUnavailable)
    assert "WRONGTYPE" in str(failed)


async def test_two_commits_of_one_turn_on_one_place_are_judged_one_after_the_other(store: RedisStore) -> None:
    made = commit(session=SESSIONS[0])

    verdicts = await asyncio.gather(*(committed(store, one) for one in (made, made)))

    assert verdicts == [Verdict.COMMITTED, Verdict.STALE]


async def test_whoever_goes_away_leaves_the_others_their_answer(store: RedisStore) -> None:
    tasks = [asyncio.create_task(committed(store, commit(session=session))) for session in SESSIONS[:3]]
    await asyncio.sleep(0)
    tasks[1].cancel()

    assert [await tasks[0], await tasks[2]] == [Verdict.COMMITTED] * 2
    with pytest.raises(asyncio.CancelledError):
        await tasks[1]


async def test_a_server_that_is_away_is_told_to_everybody_who_waits(private_server: Server) -> None:
    opened = RedisStore(private_server.url, 60_000)
    await opened.sessions.create(meta())
    private_server.kill()

    answers = await asyncio.gather(*(committed(opened, commit()) for _ in range(3)), return_exceptions=True)

    assert [type(answer) for answer in answers] == [StoreUnavailable] * 3
    private_server.start()
    assert await committed(opened, commit()) is Verdict.COMMITTED
    await opened.close()


async def test_a_log_that_is_closed_takes_no_room_for_more(store: RedisStore, redis_server: Server) -> None:
    def spare() -> int:
        return int(redis_server.control.memory_usage(keys.session_log(ID)) or 0) - len(log)

    log, most = b"", 0
    for _ in range(300):
        assert await committed(store, commit(log)) is Verdict.COMMITTED
        log += commit(log).entry
        most = max(most, spare())

    assert await committed(store, commit(log, closes=True)) is Verdict.COMMITTED

    log += commit(log).entry
    stored = await store.sessions.load(ID)
    assert stored
    assert stored.log == log
    assert spare() < 300 < most
