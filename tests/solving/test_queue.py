"""Solving elsewhere: services ask, workers in processes of their own answer, and some of those are killed."""

import asyncio
import contextlib
import os
import subprocess
import sys
from collections.abc import AsyncIterator, Iterator
from pathlib import Path
from typing import Final

import httpx
import pytest

from service.ports import Problem, Report, SolverBusy, StoreUnavailable
from service.solving.queue import Queue
from service.store.redis import jobs, keys
from service.store.redis.store import RedisStore
from tests.live.replica import replica
from tests.servers import Server
from tests.solving.problems import OTHER, QUICK, hard, is_running, searchers
from tests.store.waiting import opened, until

STOPPING: Final = 20.0  # seconds
BUSY: Final = hard(12_000)
"""A problem that takes some seconds."""
FOUND: Final = Report("won", 1, ("S",))


class Worker:
    """`constitution worker` with one process."""

    def __init__(self, redis_url: str) -> None:
        self.process = subprocess.Popen(
            [sys.executable, "-m", "service", "worker", "--processes", "1"],
            env=os.environ | {"REDIS_URL": redis_url},
            stdout=subprocess.PIPE,
            text=True,
        )
        assert self.process.stdout
        assert "takes problems" in self.process.stdout.readline()

    @property
    def searchers(self) -> list[int]:
        return searchers(self.process.pid)


@contextlib.contextmanager
def working(redis_url: str) -> Iterator[Worker]:
    worker = Worker(redis_url)
    try:
        yield worker
    finally:
        worker.process.terminate()
        worker.process.wait(STOPPING)
        assert worker.process.stdout
        worker.process.stdout.close()


@pytest.fixture
async def store(redis_url: str) -> AsyncIterator[RedisStore]:
    async with opened(redis_url) as one:
        yield one


@contextlib.asynccontextmanager
async def asking(store: RedisStore) -> AsyncIterator[Queue]:
    """A service's way to the workers."""
    queue = Queue(store.jobs, store.reports)
    try:
        yield queue
    finally:
        await queue.close()


async def listed(store: RedisStore) -> tuple[int, int]:
    """How many problems are on the workers' list, and how many ever were."""
    name = keys.SOLVER_JOBS
    length, told = await store._client.ask(name, ("XLEN", name), ("XINFO", "STREAM", name))
    return length, told["entries-added"] if "entries-added" in told else told[b"entries-added"]


async def finished(store: RedisStore) -> list[str]:
    """The names of all problems that workers were ever done with."""
    [entries] = await store._client.ask(keys.DONE, ("XRANGE", keys.DONE, "-", "+"))
    return [fields[b"name"].decode() for _, fields in entries]


async def taken(worker: Worker) -> None:
    """Returns when the worker has a process that solves."""

    async def has_one() -> bool:
        return bool(worker.searchers)

    await until(has_one)


async def test_fifty_who_ask_in_two_services_have_one_search(store: RedisStore, redis_url: str) -> None:
    async with opened(redis_url) as other, asking(store) as here, asking(other) as there:
        waiting = [asyncio.create_task(queue.report(QUICK)) for queue in (here, there) for _ in range(25)]
        await asyncio.sleep(0)
        with working(redis_url):
            reports = await asyncio.gather(*waiting)
    assert {report.result for report in reports} == {"won"}
    assert len(set(reports)) == 1
    assert await listed(store) == (0, 1)
    assert await finished(store) == [QUICK.name]


async def test_a_worker_that_is_killed_in_mid_job_costs_no_answer_and_doubles_none(
    store: RedisStore, redis_url: str
) -> None:
    async with asking(store) as queue:
        waiting = asyncio.create_task(queue.report(BUSY))
        with working(redis_url) as doomed:
            await taken(doomed)
            orphans = doomed.searchers
            doomed.process.kill()
            doomed.process.wait(STOPPING)
            with working(redis_url):
                report = await waiting
    assert report.result == "gave_up"
    assert report.nodes == BUSY.budget
    assert await finished(store) == [BUSY.name]
    assert await listed(store) == (0, 1)
    assert not any(map(is_running, orphans))


async def test_a_worker_that_is_stopped_leaves_its_job_to_another_at_once(store: RedisStore, redis_url: str) -> None:
    async with asking(store) as queue:
        waiting = asyncio.create_task(queue.report(BUSY))
        with working(redis_url) as first:
            await taken(first)
            first.process.terminate()
            assert first.process.wait(STOPPING) == 0
            job = await store.jobs.take()
            assert job
            assert job.problem == BUSY
        waiting.cancel()


async def test_a_search_that_nobody_waits_for_any_more_is_given_up(
    store: RedisStore, redis_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(jobs, "WANTED_MS", 4_000)  # a little more than until whoever waits says so again
    async with asking(store) as queue:
        for_nothing = asyncio.create_task(queue.report(hard()))
        with working(redis_url) as worker:
            await taken(worker)
            for_nothing.cancel()
            assert (await queue.report(OTHER)).result == "won"
    assert await finished(store) == [hard().name, OTHER.name]


async def test_who_missed_the_news_finds_the_report_all_the_same(
    store: RedisStore, redis_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("service.solving.queue.RENEW_SECONDS", 0.2)
    async with asking(store) as queue:
        waiting = asyncio.create_task(queue.report(QUICK))
        await until(lambda: has_job(store))
        async with asking(store) as second:
            assert queue._listening
            queue._listening.cancel()
            with working(redis_url):
                assert await waiting == await second.report(QUICK)


async def has_job(store: RedisStore) -> bool:
    [length] = await store._client.ask(keys.SOLVER_JOBS, ("XLEN", keys.SOLVER_JOBS))
    return bool(length)


async def test_a_problem_that_ends_every_search_keeps_no_worker_from_the_next(
    store: RedisStore, redis_url: str
) -> None:
    bad = Problem(QUICK.task, "no rules", QUICK.position, 10)
    async with asking(store) as queue:
        waiting = asyncio.create_task(queue.report(bad))
        await until(lambda: has_job(store))
        with working(redis_url):
            assert (await queue.report(QUICK)).result == "won"
        waiting.cancel()


async def test_who_waits_in_vain_is_told_so(store: RedisStore, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("service.solving.queue.RENEW_SECONDS", 0.01)
    async with asking(store) as queue:
        with pytest.raises(SolverBusy):
            await queue.report(QUICK)
        assert await store.jobs.take(), "it was asked for"


async def test_who_waits_for_what_fails_is_told_so(store: RedisStore, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("service.solving.queue.RENEW_SECONDS", 60.0)
    monkeypatch.setattr("service.solving.queue.PATIENCE", 2)
    async with asking(store) as queue:
        waiting = asyncio.create_task(queue.report(QUICK))
        for _ in range(2):
            job = await store.jobs.take()
            assert job
            await store.jobs.finish(job)
        with pytest.raises(SolverBusy):
            await waiting


async def test_a_server_that_was_away_is_asked_and_listened_to_again(
    private_server: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("service.solving.queue.RENEW_SECONDS", 0.1)
    async with opened(private_server.url) as store, asking(store) as queue:
        waiting = asyncio.create_task(queue.report(QUICK))
        await until(lambda: has_job(store))
        private_server.kill()
        with pytest.raises(StoreUnavailable):
            await waiting
        private_server.start()
        monkeypatch.setattr("service.solving.queue.RENEW_SECONDS", 60.0)
        waiting = asyncio.create_task(queue.report(QUICK))
        job = await store.jobs.take()
        assert job
        await store.reports.keep(job.problem, FOUND)
        await store.jobs.finish(job)
        assert await waiting == FOUND


def test_a_service_without_solvers_has_its_answers_from_workers(redis_url: str, tmp_path: Path) -> None:
    with replica(redis_url, tmp_path / "log", SOLVERS="0") as service, working(redis_url):
        assert searchers(service.process.pid) == []
        assert httpx.get(f"{service.url}/v1/deals/1", timeout=STOPPING).json()["winnable"] == "yes"
        assert searchers(service.process.pid) == []
    assert "Traceback" not in service.log
