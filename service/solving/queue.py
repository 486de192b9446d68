"""A solver whose problems are solved by workers in other processes, over a list that all share."""

import asyncio
import logging
from contextlib import suppress
from typing import Final

from service.ports import Jobs, Problem, Report, ReportStore, SolverBusy, StoreUnavailable
from service.solving.counting import counted
from service.telemetry.meters import SearchMeter

RENEW_SECONDS: Final = 3.0
"""How often whoever waits says so, and looks for the report itself."""
PAUSE_SECONDS: Final = 1.0
"""How long it waits when the store is away."""
PATIENCE: Final = 7
"""How often it may be that long in vain: with no worker at the problem, or none left who is."""

_log = logging.getLogger(__name__)


class Queue:
    """A Solver. Problems that are asked twice are on the list once, and searched for while somebody waits."""

    def __init__(self, jobs: Jobs, reports: ReportStore) -> None:
        self._jobs, self._reports = jobs, reports
        self.meter = SearchMeter()
        self._waiting: dict[str, list[asyncio.Event]] = {}
        self._listening: asyncio.Task[None] | None = None

    async def report(self, problem: Problem) -> Report:
        known = await self._reports.find(problem)
        return await counted(self.meter, self._searched(problem)) if known is None else known

    async def close(self) -> None:
        if self._listening:
            self._listening.cancel()
            await asyncio.gather(self._listening, return_exceptions=True)

    async def _searched(self, problem: Problem) -> Report:
        """What the workers find."""
        if self._listening is None:
            self._listening = asyncio.create_task(self._listen())
        in_vain = 0
        self.meter.waiting += 1
        try:
            while True:
                in_vain += not await self._is_under_way(problem)
                if found := await self._reports.find(problem):
                    return found
                if in_vain == PATIENCE:
                    raise SolverBusy
        finally:
            self.meter.waiting -= 1

    async def _is_under_way(self, problem: Problem) -> bool:
        """Asks for a problem, and waits for a while; whether a worker is at it and not done with it."""
        done = asyncio.Event()
        waiting = self._waiting.setdefault(problem.name, [])
        waiting.append(done)
        try:
            is_taken = await self._jobs.ask(problem)
            with suppress(TimeoutError):
                async with asyncio.timeout(RENEW_SECONDS):
                    await done.wait()
            return is_taken and not done.is_set()
        finally:
            waiting.remove(done)
            if not waiting:
                del self._waiting[problem.name]

    async def _listen(self) -> None:
        """Wakes whoever waits for what workers say they are done with."""
        since = "0"
        while True:
            try:
                since, names = await self._jobs.finished(since)
            except StoreUnavailable as error:
                _log.warning("the workers are not heard: %s", error)
                await asyncio.sleep(PAUSE_SECONDS)
                continue
            for name in names:
                for done in self._waiting.get(name, ()):
                    done.set()
