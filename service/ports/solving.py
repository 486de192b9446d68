"""Problems for the solver, what it finds, and the list of problems for workers."""

from enum import Enum
from hashlib import sha256
from typing import NamedTuple, Protocol

from service.telemetry.meters import SearchMeter


class Task(Enum):
    """What a solver is asked to do with a position."""

    SOLVE = "solve"
    """Whether it can be won, and how."""
    CERTIFY = "certify"
    """The same of a deal, and how hard it is, and the best line that is found."""


class Problem(NamedTuple):
    """A position for the solver.

    rules:    the preset's name
    position: its canonical text, so that all who ask the same ask it in the same words
    budget:   nodes that the search may expand
    scope:    what the stock is a secret of, empty where it is none: nobody learns from the time that an answer takes
              what others asked in another scope
    """

    task: Task
    rules: str
    position: str
    budget: int
    scope: str = ""

    @property
    def digest(self) -> str:
        """What is asked, whatever the budget, in hexadecimal; another scope has another."""
        return sha256("\n".join((self.task.value, self.rules, self.position, self.scope)).encode()).hexdigest()

    @property
    def name(self) -> str:
        """What tells it from every other."""
        return f"{self.digest}:{self.budget}"


class Report(NamedTuple):
    """What a solver found.

    result:     won, unwinnable or gave_up
    nodes:      states expanded
    line:       the moves of a win from the canonical position, empty where none was found
    difficulty: of a deal that was certified: gentle, steady, testing or fierce
    best:       of a deal that was certified, the winning line with the most tempo that was found
    par:        the tempo of that line
    """

    result: str
    nodes: int
    line: tuple[str, ...] = ()
    difficulty: str | None = None
    best: tuple[str, ...] = ()
    par: int | None = None


class SolverBusy(Exception):
    """More problems wait for the solver than it takes."""


class Solver(Protocol):
    """Solves problems away from the event loop."""

    @property
    def meter(self) -> SearchMeter:
        """What it counts of its searches."""
        ...

    async def report(self, problem: Problem) -> Report:
        """What is found, or was found before with as large a budget; one search for all who ask the same.

        A search that nobody waits for any more is given up. Raises SolverBusy and StoreUnavailable.
        """
        ...

    async def close(self) -> None:
        """Gives up all searches."""
        ...


class ReportStore(Protocol):
    """Reports, kept for a while. Every method may raise StoreUnavailable."""

    async def find(self, problem: Problem) -> Report | None:
        """What a search with as large a budget found, or any that came to an end; one round trip, one slot."""
        ...

    async def keep(self, problem: Problem, report: Report) -> None:
        """Stores what was found, a deal's certificate for longer; one round trip, one slot."""
        ...


class Job(NamedTuple):
    """A problem on the list for workers, and its place there."""

    place: str
    problem: Problem


class Jobs(Protocol):
    """The list of problems for workers in other processes. Every method may raise StoreUnavailable; all is in one slot.

    A problem is on the list once, however many ask, and goes to one worker; if that does not hold it any more, to
    another. Whoever waits asks again every few seconds, or it is wanted no more.
    """

    async def ask(self, problem: Problem) -> bool:
        """Puts a problem on the list, if it is not there, and says that it is wanted; whether a worker is at it.

        Raises SolverBusy.
        """
        ...

    async def take(self) -> Job | None:
        """A problem that no worker holds, for which it waits some seconds, or None."""
        ...

    async def hold(self, job: Job) -> bool:
        """Says that a worker is still at it, and tells whether somebody still wants it."""
        ...

    async def finish(self, job: Job) -> None:
        """Takes it off the list, solved or not, and tells those who wait, who look for its report or ask again."""
        ...

    async def finished(self, since: str) -> tuple[str, list[str]]:
        """The names of the problems that were finished since, for which it waits some seconds; "0" is long ago."""
        ...
