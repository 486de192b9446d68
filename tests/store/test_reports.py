"""Reports of the solver, the same in every store, and how Redis keeps them."""

import asyncio

import pytest

from service.ports import Problem, Report, Store, StoreUnavailable, Task
from service.store.redis import keys
from tests.servers import Server
from tests.store.waiting import opened

ASKED = Problem(Task.SOLVE, "modern", "a position", 1_000)
WON = Report("won", 144, ("c2f1", "Wb4", "S"))
CERTIFIED = Report("won", 144, ("d1G",), "testing", ("S", "d1G"), 1020)
UNWINNABLE = Report("unwinnable", 2)
GAVE_UP = Report("gave_up", 1_000)

DAY_MS = 24 * 60 * 60 * 1000


@pytest.mark.parametrize("report", [WON, CERTIFIED, UNWINNABLE, GAVE_UP])
async def test_what_was_kept_is_found_as_it_was(store: Store, report: Report) -> None:
    assert await store.reports.find(ASKED) is None
    await store.reports.keep(ASKED, report)
    assert await store.reports.find(ASKED) == report


async def test_each_problem_has_its_own_report(store: Store) -> None:
    problems = [
        ASKED,
        ASKED._replace(task=Task.CERTIFY),
        ASKED._replace(rules="pysol"),
        ASKED._replace(position="another"),
        ASKED._replace(scope="a secret"),
        ASKED._replace(scope="another secret"),
    ]
    for nodes, problem in enumerate(problems):
        assert await store.reports.find(problem) is None
        await store.reports.keep(problem, UNWINNABLE._replace(nodes=nodes))
    assert [await store.reports.find(problem) for problem in problems] == [
        UNWINNABLE._replace(nodes=nodes) for nodes in range(len(problems))
    ]


async def test_problems_whose_words_run_together_differ(store: Store) -> None:
    await store.reports.keep(ASKED._replace(rules="ab", position="c"), WON)
    assert await store.reports.find(ASKED._replace(rules="a", position="bc")) is None
    assert await store.reports.find(ASKED._replace(rules="", position="abc")) is None


@pytest.mark.parametrize("report", [WON, UNWINNABLE])
async def test_an_answer_serves_every_budget(store: Store, report: Report) -> None:
    await store.reports.keep(ASKED, report)
    for budget in (1, 999, 1_000_000):
        assert await store.reports.find(ASKED._replace(budget=budget)) == report


async def test_a_search_that_gave_up_serves_no_larger_budget(store: Store) -> None:
    await store.reports.keep(ASKED, GAVE_UP)
    assert await store.reports.find(ASKED._replace(budget=999)) == GAVE_UP
    assert await store.reports.find(ASKED._replace(budget=1_001)) is None


async def test_a_larger_budget_takes_the_place_of_a_smaller_one(store: Store) -> None:
    await store.reports.keep(ASKED, GAVE_UP)
    await store.reports.keep(ASKED._replace(budget=2_000), WON)
    assert await store.reports.find(ASKED) == WON


@pytest.mark.parametrize(("task", "days"), [(Task.SOLVE, 1), (Task.CERTIFY, 30)])
async def test_a_report_is_kept_for_its_days(redis_server: Server, task: Task, days: int) -> None:
    problem = ASKED._replace(task=task)
    async with opened(redis_server.url) as store:
        await store.reports.keep(problem, WON)
        await store.reports.find(problem)
    [name] = redis_server.control.keys()
    assert name == keys.report(problem.digest)
    assert 0 <= days * DAY_MS - redis_server.control.pttl(name) < 10_000


@pytest.mark.parametrize("damage", ["", "{", "[]", '[1000,["won"]]', '{"budget":1}'])
async def test_a_damaged_report_is_none_and_the_log_says_so(
    redis_server: Server, damage: str, caplog: pytest.LogCaptureFixture
) -> None:
    redis_server.control.set(keys.report(ASKED.digest), damage)
    async with opened(redis_server.url) as store:
        assert await store.reports.find(ASKED) is None
        assert "a report is damaged" in caplog.text
        await store.reports.keep(ASKED, WON)
        assert await store.reports.find(ASKED) == WON


async def test_a_store_that_is_away_says_so(private_server: Server) -> None:
    async with opened(private_server.url) as store:
        await store.reports.keep(ASKED, WON)
        private_server.kill()
        for attempt in (store.reports.find(ASKED), store.reports.keep(ASKED, WON)):
            with pytest.raises(StoreUnavailable):
                async with asyncio.timeout(10):
                    await attempt
        private_server.start()
        assert await store.reports.find(ASKED) == WON
