"""Problems of every length, and the processes that work at them."""

import os
from pathlib import Path
from typing import Final

from service.engine.deal import Numbered, start
from service.engine.notation import format_position
from service.engine.rules import PRESETS
from service.ports import Problem, Report, Task
from service.solver.canonical import canonical_form
from service.store.memory import MemoryReports

TICKS: Final = os.sysconf("SC_CLK_TCK")
FOR_EVER: Final = 10**12
"""Nodes that no test lives to see."""


def problem(
    deal: int, rules: str = "modern", task: Task = Task.SOLVE, budget: int = 20_000, scope: str = ""
) -> Problem:
    """A deal, as it is asked about."""
    position = canonical_form(start(Numbered(deal), PRESETS[rules])).position
    return Problem(task, rules, format_position(position), budget, scope)


QUICK: Final = problem(1)
OTHER: Final = problem(2)


def hard(budget: int = FOR_EVER) -> Problem:
    """One that is given up only when the budget is spent."""
    return problem(605, "cadogan-1914", budget=budget)


class CountedReports(MemoryReports):
    """Reports that remember which problems were searched."""

    def __init__(self) -> None:
        super().__init__()
        self.searched: list[Problem] = []

    async def keep(self, problem: Problem, report: Report) -> None:
        self.searched.append(problem)
        await super().keep(problem, report)


def searchers(parent: int) -> list[int]:
    """The processes that solve for another one."""
    pids = [int(place.name) for place in Path("/proc").iterdir() if place.name.isdecimal()]
    return [pid for pid in pids if _is_searcher(pid, parent)]


def seconds_of(pid: int) -> float:
    """How long a process has had a processor; 0 for one that has gone."""
    fields = _stat(pid)
    return (int(fields[11]) + int(fields[12])) / TICKS if fields else 0.0


def is_running(pid: int) -> bool:
    """Whether there is such a process, other than one that has ended and is not buried."""
    return _stat(pid)[:1] not in ([], ["Z"])


def _is_searcher(pid: int, parent: int) -> bool:
    fields = _stat(pid)
    if not fields or fields[0] == "Z" or int(fields[1]) != parent:
        return False
    try:
        return b"service.solving.process" in Path(f"/proc/{pid}/cmdline").read_bytes()
    except OSError:
        return False


def _stat(pid: int) -> list[str]:
    """What the kernel says of a process after its name: its state, its parent, …; nothing of one that has gone."""
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    except OSError:
        return []
