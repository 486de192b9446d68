"""The workers' list: each problem is on it once, and whoever takes it either finishes or loses it."""

from collections.abc import AsyncIterator, Callable

import pytest

from service.ports import Job, Problem, SolverBusy, Task
from service.store.redis import jobs, keys
from service.store.redis.jobs import RedisJobs
from service.store.redis.store import RedisStore
from tests.conftest import GROUPS
from tests.servers import PROGRAMS
from tests.store.waiting import opened

ONE = Problem(Task.SOLVE, "modern", "one", 100)
OTHER = Problem(Task.CERTIFY, "cadogan", "other", 100, "a secret")
SOON_MS = 60


@pytest.fixture(params=[*PROGRAMS, *GROUPS])
async def store(
    request: pytest.FixtureRequest, emptied_url: Callable[[str], str], monkeypatch: pytest.MonkeyPatch
) -> AsyncIterator[RedisStore]:
    """A store without data, in which nobody waits for long: each kind of Redis in turn."""
    monkeypatch.setattr(jobs, "WAIT_MS", SOON_MS)
    async with opened(emptied_url(request.param)) as one:
        yield one


@pytest.fixture
def listed(store: RedisStore) -> RedisJobs:
    return store.jobs


async def taken(listed: RedisJobs) -> Job:
    job = await listed.take()
    assert job
    return job


async def test_a_problem_that_is_asked_twice_is_one_job_of_one_worker(listed: RedisJobs) -> None:
    for problem in (ONE, ONE, OTHER, ONE):
        assert not await listed.ask(problem)
    assert [(await taken(listed)).problem for _ in range(2)] == [ONE, OTHER]
    assert await listed.take() is None
    assert await listed.ask(ONE)
    assert await listed.take() is None, "it is worked at already"


async def test_who_waits_is_told_what_is_finished_since(listed: RedisJobs) -> None:
    assert await listed.finished("0") == ("0", [])
    for problem in (ONE, OTHER):
        await listed.ask(problem)
        await listed.finish(await taken(listed))
    since, names = await listed.finished("0")
    assert names == [ONE.name, OTHER.name]
    assert await listed.finished(since) == (since, [])
    assert not await listed.ask(ONE)
    assert (await taken(listed)).problem == ONE, "what is finished can be asked anew"


async def test_a_job_that_is_not_held_is_anothers(listed: RedisJobs, monkeypatch: pytest.MonkeyPatch) -> None:
    await listed.ask(ONE)
    lost = await taken(listed)
    assert await listed.hold(lost)
    assert await listed.take() is None
    monkeypatch.setattr(jobs, "HELD_MS", 0)
    assert not await listed.ask(ONE), "nobody is at it"
    assert await taken(listed) == lost


async def test_to_hold_a_job_keeps_it_from_others(listed: RedisJobs, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(jobs, "HELD_MS", 300)
    await listed.ask(ONE)
    job = await taken(listed)
    for _ in range(12):
        assert await listed.hold(job)
        assert await listed.take() is None
    assert await listed.ask(ONE)


async def test_a_job_that_two_have_done_is_told_once(listed: RedisJobs) -> None:
    await listed.ask(ONE)
    job = await taken(listed)
    for _ in range(2):
        await listed.finish(job)
    assert (await listed.finished("0"))[1] == [ONE.name]


async def test_what_is_asked_anew_outlives_the_end_of_the_job_before(listed: RedisJobs) -> None:
    await listed.ask(ONE)
    first = await taken(listed)
    await listed.finish(first)
    await listed.ask(ONE)
    second = await taken(listed)
    assert not await listed.hold(first)
    await listed.finish(first)
    assert await listed.hold(second)


async def test_a_job_that_nobody_wants_any_more_is_not_to_be_held(
    listed: RedisJobs, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(jobs, "WANTED_MS", 1)
    await listed.ask(ONE)
    job = await taken(listed)
    await listed.take()  # which waits for longer than it is wanted
    assert not await listed.hold(job)


async def test_a_full_list_takes_no_more_but_what_is_on_it(listed: RedisJobs, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(jobs, "MOST", 1)
    await listed.ask(ONE)
    with pytest.raises(SolverBusy):
        await listed.ask(OTHER)
    await listed.ask(ONE)
    await listed.finish(await taken(listed))
    await listed.ask(OTHER)


async def test_a_damaged_job_is_taken_off_the_list(store: RedisStore, listed: RedisJobs) -> None:
    await listed.take()
    for field, value in (("problem", "{"), ("other", "[]")):
        add = ("XADD", keys.SOLVER_JOBS, "*", field, value)
        await store._client.ask(keys.SOLVER_JOBS, add)
        assert await listed.take() is None
    assert await store._client.ask(keys.SOLVER_JOBS, ("XLEN", keys.SOLVER_JOBS)) == [0]


async def test_what_was_lost_with_the_list_is_on_it_when_it_is_asked_again(
    store: RedisStore, listed: RedisJobs
) -> None:
    await listed.ask(ONE)
    await store._client.ask(keys.SOLVER_JOBS, ("DEL", keys.SOLVER_JOBS))
    assert await listed.take() is None
    await listed.ask(ONE)
    assert (await taken(listed)).problem == ONE
