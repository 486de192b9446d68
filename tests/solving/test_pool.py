"""The pool: real processes, which are killed, shared, and taken from searches that nobody waits for."""

import asyncio
import os
import signal
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import pytest

from service.ports import Problem, Report, SolverBusy, StoreUnavailable
from service.solving import pool as module
from service.solving.pool import Pool
from service.store.memory import MemoryReports
from tests.solving.problems import (
    OTHER,
    QUICK,
    CountedReports,
    hard,
    is_running,
    problem,
    searchers,
    seconds_of,
)
from tests.store.waiting import until

AT_WORK = 0.03  # seconds of a processor
BRIEF = 15_000  # nodes


_others: set[int] = set()


@pytest.fixture(autouse=True)
def others() -> None:
    """Processes that an application of another test still has, in this one, are not of the pools here."""
    _others.clear()
    _others.update(searchers(os.getpid()))


@pytest.fixture
def reports() -> CountedReports:
    return CountedReports()


@asynccontextmanager
async def pooled(reports: MemoryReports, processes: int = 1) -> AsyncIterator[Pool]:
    """A pool, which leaves no process behind."""
    pool = Pool(processes, reports)
    try:
        yield pool
    finally:
        await pool.close()
        assert mine() == []


def mine() -> list[int]:
    """The processes of the pools here."""
    return [one for one in searchers(os.getpid()) if one not in _others]


async def at_work(pool: Pool, asked: Problem) -> tuple["asyncio.Task[Report]", int]:
    """A search that is under way, in a process that had solved something before, and that process."""
    await pool.report(QUICK)
    [pid] = mine()
    before = seconds_of(pid)
    asking = asyncio.create_task(pool.report(asked))

    async def is_busy() -> bool:
        return seconds_of(pid) > before + AT_WORK

    await until(is_busy)
    assert not asking.done()
    return asking, pid


async def test_what_is_found_is_kept_and_not_searched_again(reports: CountedReports) -> None:
    async with pooled(reports) as pool:
        first = await pool.report(QUICK)
        again = await pool.report(QUICK)

    assert first.result == "won"
    assert again == first
    assert reports.searched == [QUICK]


async def test_what_is_known_needs_no_process(reports: CountedReports) -> None:
    found = Report("gave_up", 30)
    await reports.keep(hard(30), found)
    async with pooled(reports) as pool:
        assert await pool.report(hard(20)) == found
        assert mine() == []


async def test_a_larger_budget_is_searched_where_a_smaller_one_was_not_enough(reports: CountedReports) -> None:
    async with pooled(reports) as pool:
        nodes = [(await pool.report(hard(budget))).nodes for budget in (30, 60, 30)]

    assert nodes == [30, 60, 60]
    assert reports.searched == [hard(30), hard(60)]


async def test_fifty_who_ask_the_same_have_one_search(reports: CountedReports) -> None:
    async with pooled(reports, processes=2) as pool:
        found = await asyncio.gather(*(pool.report(QUICK) for _ in range(50)))

    assert len(set(found)) == 1
    assert reports.searched == [QUICK]


async def test_one_who_goes_takes_the_search_from_nobody(reports: CountedReports) -> None:
    async with pooled(reports) as pool:
        staying, _ = await at_work(pool, hard(BRIEF))
        going = asyncio.create_task(pool.report(hard(BRIEF)))
        await asyncio.sleep(0)
        going.cancel()
        found = await staying

    assert found == Report("gave_up", BRIEF)
    assert reports.searched == [QUICK, hard(BRIEF)]


async def test_a_search_that_nobody_waits_for_gives_its_process_to_the_next(reports: CountedReports) -> None:
    async with pooled(reports) as pool:
        asking, pid = await at_work(pool, hard())
        waiting = [asyncio.create_task(pool.report(hard(budget))) for budget in range(1, 4)]
        next_one = asyncio.create_task(pool.report(OTHER))
        await asyncio.sleep(0)
        for task in (asking, *waiting):
            task.cancel()
        found = await next_one
        assert not is_running(pid)

    assert found.result == "won"
    assert reports.searched == [QUICK, OTHER], "what waited was dropped too"


async def test_a_search_whose_process_is_killed_is_done_again_and_answers_once(reports: CountedReports) -> None:
    async with pooled(reports) as pool:
        asking, pid = await at_work(pool, hard(BRIEF))
        os.kill(pid, signal.SIGKILL)
        found = await asking
        assert mine() != [pid]

    assert found == Report("gave_up", BRIEF)
    assert reports.searched == [QUICK, hard(BRIEF)]


async def test_a_process_that_is_killed_while_it_is_idle_costs_no_answer(reports: CountedReports) -> None:
    async with pooled(reports) as pool:
        await pool.report(QUICK)
        [pid] = mine()
        os.kill(pid, signal.SIGKILL)
        found = await pool.report(OTHER)

    assert found.result == "won"


async def test_a_problem_that_ends_every_process_is_given_up(reports: CountedReports) -> None:
    async with pooled(reports) as pool:
        asking = asyncio.create_task(pool.report(hard()))
        for _ in range(module.TRIES):

            async def has_begun() -> bool:
                return bool(mine())

            await until(has_begun)
            [pid] = mine()
            os.kill(pid, signal.SIGKILL)

            async def has_ended(pid: int = pid) -> bool:
                return not is_running(pid)

            await until(has_ended)
        with pytest.raises(StoreUnavailable):
            await asking
        found = await pool.report(QUICK)

    assert found.result == "won"
    assert reports.searched == [QUICK]


async def test_too_many_problems_are_refused_but_not_those_that_are_asked_already(reports: CountedReports) -> None:
    async with pooled(reports) as pool:
        asking = [asyncio.create_task(pool.report(hard(10**9 + number))) for number in range(module.WAITING)]
        await asyncio.sleep(0)
        with pytest.raises(SolverBusy):
            await pool.report(QUICK)
        again = asyncio.create_task(pool.report(hard(10**9)))
        await asyncio.sleep(0)
        assert not again.done()
        for task in (again, *asking[1:]):
            task.cancel()
        await asyncio.wait([again, *asking[1:]])
        asking[0].cancel()
        found = await pool.report(QUICK)

    assert found.result == "won", "those who went have made room"


async def test_scopes_are_searched_apart(reports: CountedReports) -> None:
    scoped = [problem(1, scope=scope) for scope in ("", "a", "b")]
    async with pooled(reports) as pool:
        found = [await pool.report(one) for one in scoped]

    assert len(set(found)) == 1
    assert reports.searched == scoped


class FullReports(MemoryReports):
    """Reports that nothing more can be written to."""

    async def keep(self, problem: Problem, report: Report) -> None:
        raise StoreUnavailable


async def test_an_answer_that_cannot_be_kept_is_told_all_the_same(caplog: pytest.LogCaptureFixture) -> None:
    async with pooled(FullReports()) as pool:
        assert (await pool.report(QUICK)).result == "won"

    assert "a report was not kept" in caplog.text


async def test_the_end_of_a_pool_ends_its_searches(reports: CountedReports) -> None:
    async with pooled(reports) as pool:
        asking, pid = await at_work(pool, hard())

    with pytest.raises(asyncio.CancelledError):
        await asking
    assert not is_running(pid)
