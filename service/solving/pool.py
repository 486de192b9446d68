"""A solver on a few processes of this machine.

Each process has one problem at a time, over pipes. One search serves all who ask the same; a search that nobody waits
for any more ends with its process, and one whose process ends under it is done again by another.
"""

import asyncio
import logging
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from typing import Final

from service.ports import Problem, Report, ReportStore, SolverBusy, StoreUnavailable
from service.solving.counting import counted
from service.solving.wire import decode_report, encode
from service.telemetry import logs, traces
from service.telemetry.meters import SearchMeter

WAITING: Final = 200
"""Searches, of which most wait, beyond which no more are taken."""
TRIES: Final = 3
"""How often a problem is begun whose process ends."""

_log = logging.getLogger(__name__)


class Pool:
    """A Solver that keeps its reports in a store."""

    def __init__(self, processes: int, reports: ReportStore) -> None:
        self._reports = reports
        self.meter = SearchMeter()
        self._free = asyncio.Semaphore(processes)
        self._idle: list[_Process] = []
        self._searches: dict[Problem, _Search] = {}
        self._tasks: set[asyncio.Task[Report]] = set()
        """Those of all searches, and of such as are given up and still end their process."""

    async def report(self, problem: Problem) -> Report:
        known = await self._reports.find(problem)
        return await self._shared(problem) if known is None else known

    async def close(self) -> None:
        """Ends the processes; whoever waits is cancelled."""
        for search in self._searches.values():
            search.task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        for process in self._idle:
            await process.end()
        self._idle.clear()

    async def _shared(self, problem: Problem) -> Report:
        """What the one search for the problem finds, which ends with the last who waits for it."""
        search = self._searches.get(problem)
        if search is None:
            if len(self._searches) >= WAITING:
                self.meter.outcomes["busy"] += 1
                raise SolverBusy
            searching = counted(self.meter, self._searched(problem))
            search = self._searches[problem] = _Search(asyncio.create_task(searching))
            self._tasks.add(search.task)
            search.task.add_done_callback(self._tasks.discard)
        search.askers += 1
        try:
            return await asyncio.shield(search.task)
        finally:
            search.askers -= 1
            if not search.askers:
                search.task.cancel()
                if self._searches.get(problem) is search:
                    del self._searches[problem]

    async def _searched(self, problem: Problem) -> Report:
        async with self._turn():
            with traces.span("search", rules=problem.rules, task=problem.task.value, budget=problem.budget):
                report = await self._solved(problem)
        try:
            await self._reports.keep(problem, report)
        except StoreUnavailable as error:
            _log.warning("a report was not kept: %s", error)
        return report

    @asynccontextmanager
    async def _turn(self) -> AsyncIterator[None]:
        """Waits for a process to be free, and takes it until the end of the context."""
        self.meter.waiting += 1
        try:
            await self._free.acquire()
        finally:
            self.meter.waiting -= 1
        try:
            yield
        finally:
            self._free.release()

    async def _solved(self, problem: Problem) -> Report:
        for _ in range(TRIES):
            process = self._idle.pop() if self._idle else await _Process.begin()
            try:
                report = await process.solve(problem)
            except _Ended:
                _log.warning("a process of the solver has ended")
                await process.end()
            except BaseException:
                await process.end()
                raise
            else:
                self._idle.append(process)
                return report
        raise StoreUnavailable("the solver's processes end before they answer")


class _Search:
    """A search under way, and how many wait for it."""

    def __init__(self, task: "asyncio.Task[Report]") -> None:
        self.task, self.askers = task, 0


class _Ended(Exception):
    """The process has ended."""


class _Process:
    """One process and the pipes to it."""

    def __init__(self, process: asyncio.subprocess.Process) -> None:
        self._process = process
        assert process.stdin
        assert process.stdout
        self._problems, self._reports = process.stdin, process.stdout

    @classmethod
    async def begin(cls) -> "_Process":
        pipe = asyncio.subprocess.PIPE
        command = (sys.executable, "-m", "service.solving.process", *logs.configured())
        return cls(await asyncio.create_subprocess_exec(*command, stdin=pipe, stdout=pipe))

    async def solve(self, problem: Problem) -> Report:
        """What it finds; raises _Ended."""
        try:
            self._problems.write(encode(problem) + b"\n")
            await self._problems.drain()
            line = await self._reports.readline()
        except ConnectionError as error:
            raise _Ended from error
        if not line.endswith(b"\n"):
            raise _Ended
        return decode_report(line)

    async def end(self) -> None:
        """Kills it, whatever it does."""
        with suppress(ProcessLookupError):
            self._process.kill()
        await self._process.wait()
