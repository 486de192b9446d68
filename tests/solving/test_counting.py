"""What a solver counts of its searches: how they ended, how long they took, and how many wait."""

import asyncio
import sys

import pytest

from service.ports import Report, SolverBusy
from service.solving import pool as pools
from service.solving import queue as queues
from service.solving.pool import Pool
from service.solving.queue import Queue
from service.store.memory import MemoryReports
from tests.solving.problems import OTHER, QUICK, hard
from tests.store.waiting import opened, until


async def test_a_search_is_counted_by_what_it_found_and_what_is_known_is_none() -> None:
    pool = Pool(1, MemoryReports())
    try:
        found = await pool.report(QUICK)
        assert await pool.report(QUICK) == found

        assert dict(pool.meter.outcomes) == {found.result: 1}
        assert sum(pool.meter.seconds.counts) == 1
        assert pool.meter.seconds.total > 0
    finally:
        await pool.close()


async def test_those_wait_who_find_no_process_free_and_what_nobody_wants_is_counted_so() -> None:
    pool = Pool(1, MemoryReports())
    asking = [asyncio.create_task(pool.report(problem)) for problem in (hard(), OTHER, QUICK)]

    async def is_one_under_way() -> bool:
        return pool.meter.waiting == 2

    await until(is_one_under_way)
    for one in asking:
        one.cancel()
    await asyncio.gather(*asking, return_exceptions=True)
    await pool.close()

    assert dict(pool.meter.outcomes) == {"unwanted": 3}
    assert pool.meter.waiting == 0


async def test_what_is_not_taken_since_too_many_wait_is_counted(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pools, "WAITING", 0)
    pool = Pool(1, MemoryReports())
    with pytest.raises(SolverBusy):
        await pool.report(QUICK)

    assert dict(pool.meter.outcomes) == {"busy": 1}


async def test_a_search_whose_process_cannot_be_begun_has_failed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "executable", "/no/such/program")
    pool = Pool(1, MemoryReports())
    with pytest.raises(FileNotFoundError):
        await pool.report(QUICK)

    assert dict(pool.meter.outcomes) == {"failed": 1}


async def test_what_workers_are_asked_waits_until_one_has_found_it(
    redis_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(queues, "RENEW_SECONDS", 0.05)
    async with opened(redis_url) as store:
        queue = Queue(store.jobs, store.reports)
        asking = asyncio.create_task(queue.report(QUICK))

        async def is_asked() -> bool:
            return queue.meter.waiting == 1

        await until(is_asked)
        await store.reports.keep(QUICK, Report("won", 1, ("S",)))
        assert (await asking).result == "won"
        await queue.close()

    assert dict(queue.meter.outcomes) == {"won": 1}
    assert queue.meter.waiting == 0
    assert sum(queue.meter.seconds.counts) == 1


async def test_what_no_worker_takes_is_counted_as_too_much(redis_url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(queues, "RENEW_SECONDS", 0.01)
    async with opened(redis_url) as store:
        queue = Queue(store.jobs, store.reports)
        with pytest.raises(SolverBusy):
            await queue.report(OTHER)
        await queue.close()

    assert dict(queue.meter.outcomes) == {"busy": 1}
