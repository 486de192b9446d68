"""`constitution worker`: takes problems from the list that all processes share, and has a pool solve them."""

import asyncio
import logging
from contextlib import suppress
from typing import Final

from service.ports import Job, Jobs, Solver, SolverBusy, StoreUnavailable

HOLD_SECONDS: Final = 2.0
"""How often a worker says that it is still at a job, and looks whether that is still wanted."""
PAUSE_SECONDS: Final = 1.0
"""How long it waits when something is amiss."""

_log = logging.getLogger(__name__)


async def work(jobs: Jobs, solver: Solver, at_once: int) -> None:
    """Works at so many jobs at a time until it is cancelled."""
    async with asyncio.TaskGroup() as group:
        for _ in range(at_once):
            group.create_task(_work(jobs, solver))


async def _work(jobs: Jobs, solver: Solver) -> None:
    while True:
        try:
            if job := await jobs.take():
                await _do(jobs, solver, job)
        except (StoreUnavailable, SolverBusy) as error:
            _log.warning("no job is taken: %r", error)
            await asyncio.sleep(PAUSE_SECONDS)


async def _do(jobs: Jobs, solver: Solver, job: Job) -> None:
    """Has a job done, if somebody wants it; when it is not done in the end, whoever waits asks for it anew."""
    search = asyncio.ensure_future(solver.report(job.problem))
    try:
        while not search.done() and await jobs.hold(job):
            await asyncio.wait([search], timeout=HOLD_SECONDS)
        if search.done():
            search.result()
    finally:
        search.cancel()
        await asyncio.gather(search, return_exceptions=True)
        with suppress(StoreUnavailable):
            await asyncio.shield(jobs.finish(job))
