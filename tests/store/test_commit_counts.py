"""What a store counts of its commits: how many went together, how long they took, and how many had no answer."""

import asyncio
from collections.abc import Callable

import pytest

from service.ports import StoreUnavailable, Verdict
from service.store.redis import commits
from service.store.redis.store import RedisStore
from service.store.redis.topology import BATCH, PAUSE_SECONDS
from service.telemetry.meters import Spread
from tests.servers import Server
from tests.store.sessions import commit, committed, meta
from tests.store.waiting import opened

SESSIONS = [f"{number:032x}" for number in range(BATCH + 4)]


async def commit_to_all(store: RedisStore) -> list[Verdict]:
    """What becomes of a commit to each of the sessions, all in one turn of the loop."""
    await asyncio.gather(*(store.sessions.create(meta(session)) for session in SESSIONS))
    return await asyncio.gather(*(committed(store, commit(session=session)) for session in SESSIONS))


def count(spread: Spread) -> int:
    return sum(spread.counts)


async def test_commits_of_one_turn_are_counted_as_they_travel_and_each_with_its_time(redis_server: Server) -> None:
    async with opened(redis_server.url) as store:
        await store.sessions.create(meta())
        await committed(store, commit())  # so that there is a link, and the server knows the script
        sizes, seconds = store.meter.sizes, store.meter.seconds
        before = count(sizes), sizes.total, count(seconds), seconds.total
        assert set(await commit_to_all(store)) == {Verdict.COMMITTED}

        assert count(sizes) - before[0] == 2
        assert sizes.total - before[1] == len(SESSIONS)
        assert count(seconds) - before[2] == len(SESSIONS)
        assert seconds.total > before[3]
        assert store.meter.errors == 0


async def test_in_a_cluster_all_that_goes_to_a_node_in_one_turn_is_one_batch(
    emptied_url: Callable[[str], str],
) -> None:
    async with opened(emptied_url("cluster")) as store:
        await commit_to_all(store)

        assert store.meter.sizes.total >= len(SESSIONS), "what a node did not know the script of went twice"
        assert count(store.meter.seconds) == len(SESSIONS)


async def test_a_commit_that_is_sent_again_counts_from_when_it_was_first_handed_over(private_server: Server) -> None:
    control = private_server.control
    async with opened(private_server.url) as store:
        await store.sessions.create(meta())
        control.config_set("min-replicas-to-write", 1)
        asking = asyncio.create_task(committed(store, commit()))
        await asyncio.sleep(3 * PAUSE_SECONDS)
        control.config_set("min-replicas-to-write", 0)

        assert await asking is Verdict.COMMITTED
        assert count(store.meter.seconds) == 1
        assert store.meter.seconds.total > 2 * PAUSE_SECONDS


async def test_what_has_no_answer_is_an_error_and_has_no_time(private_server: Server) -> None:
    async with opened(private_server.url) as store:
        await store.sessions.create(meta())
        private_server.kill()
        answers = await asyncio.gather(*(committed(store, commit()) for _ in range(3)), return_exceptions=True)

        assert [type(answer) for answer in answers] == [StoreUnavailable] * 3
        assert store.meter.errors == 3
        assert count(store.meter.seconds) == 0


async def test_what_comes_on_top_of_too_many_is_an_error(redis_server: Server, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(commits, "OUTSTANDING", 1)
    async with opened(redis_server.url) as store:
        await store.sessions.create(meta())
        made = [committed(store, commit(session=session)) for session in SESSIONS[:3]]
        answers = await asyncio.gather(*made, return_exceptions=True)

        assert [type(answer) for answer in answers[1:]] == [StoreUnavailable] * 2
        assert store.meter.errors == 2
