"""What the use cases need of the world, in the game's words. The store and the composition root provide it.

Costs are in round trips to the store; "one slot" says that all keys of the call lie together in a cluster.
"""

from typing import NamedTuple, Protocol

from service.ports.boards import BoardStore
from service.ports.daily import DayStore, RecordStore
from service.ports.errors import StoreUnavailable
from service.ports.players import FOLLOWED, TOKENS_KEPT, Following, PlayerStore, StoredPlayer
from service.ports.sessions import (
    PLANS_KEPT,
    Claim,
    Commit,
    Doorbells,
    End,
    Ring,
    SeatHolder,
    Seating,
    SessionMeta,
    SessionStore,
    Settle,
    StoredSession,
    StoredSummary,
    UnreadableSession,
    Verdict,
)
from service.ports.solving import Job, Jobs, Problem, Report, ReportStore, Solver, SolverBusy, Task
from service.telemetry.meters import CommitMeter

__all__ = [
    "FOLLOWED",
    "PLANS_KEPT",
    "TOKENS_KEPT",
    "Chance",
    "Claim",
    "Clock",
    "Commit",
    "Doorbells",
    "End",
    "Following",
    "Job",
    "Jobs",
    "NodeMemory",
    "PlayerStore",
    "Problem",
    "Report",
    "ReportStore",
    "Ring",
    "SeatHolder",
    "Seating",
    "SessionMeta",
    "SessionStore",
    "Settle",
    "Solver",
    "SolverBusy",
    "Store",
    "StoreUnavailable",
    "StoredPlayer",
    "StoredSession",
    "StoredSummary",
    "Task",
    "UnreadableSession",
    "Verdict",
]


class NodeMemory(NamedTuple):
    """How many bytes a node of the store holds, and may hold, 0 for as many as there are."""

    node: str
    used: int
    most: int


class Store(Protocol):
    """The whole store."""

    @property
    def meter(self) -> CommitMeter:
        """What it counts of its commits."""
        ...

    @property
    def sessions(self) -> SessionStore: ...
    @property
    def players(self) -> PlayerStore: ...
    @property
    def doorbells(self) -> Doorbells: ...
    @property
    def reports(self) -> ReportStore: ...
    @property
    def days(self) -> DayStore: ...
    @property
    def records(self) -> RecordStore: ...
    @property
    def boards(self) -> BoardStore: ...

    async def check(self) -> None:
        """Returns when the store answers; raises StoreUnavailable."""
        ...

    async def memory(self) -> list[NodeMemory]:
        """What each node holds that tells so within a second; raises StoreUnavailable."""
        ...

    async def close(self) -> None: ...


class Clock(Protocol):
    def now(self) -> int:
        """Milliseconds since the epoch, UTC."""
        ...


class Chance(Protocol):
    def bytes(self, count: int) -> bytes:
        """Bytes that nobody can foresee."""
        ...
