"""The daily challenge, and who plays it, as the use cases need it kept.

All that is kept of a day lies in one slot, and all that is kept of a player in another, so that a run which crosses
both is begun and ended in steps, each of which can be repeated.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import NamedTuple, Protocol


class Day(NamedTuple):
    """One challenge: a date of the calendar in UTC, as `2026-11-30`, and the name of a preset."""

    date: str
    rules: str

    def __str__(self) -> str:
        return f"{self.date}/{self.rules}"


class RunKind(StrEnum):
    """What a run of a day's deal counts for."""

    FIRST = "first"
    """The player's first: it ranks."""
    OPEN = "open"
    """Any later one: the best of them ranks, on a board of its own."""
    LATE = "late"
    """The first one of a player who missed the day: it counts for streaks alone."""


class Field(StrEnum):
    """Whom a player is ranked among."""

    PEOPLE = "people"
    NEWCOMERS = "newcomers"
    """Who had played fewer than three days before."""
    BOTS = "bots"


class Run(NamedTuple):
    """What makes a session a run of a day: until it is unsealed nobody but its player sees it, and nobody its deal.

    ends: milliseconds since the epoch, from which on it takes no entry
    """

    day: Day
    kind: RunKind
    ends: int


class Entrant(NamedTuple):
    """A session that is a run, as its day knows it; is_timed: whether its player wants it on the speed board."""

    session: str
    player: str
    kind: RunKind
    field: Field
    is_timed: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class StoredDay:
    """A day's deal and what is known of it. All but `commitment` and `difficulty` is a secret until it is final.

    deal:       the text of a seed that nobody can foresee
    plan:       the moves of the win with the most tempo that was found, with spaces between
    par:        its tempo
    commitment: the digest that binds the day to its seed, in hexadecimal
    committed:  milliseconds since the epoch: when it was kept
    is_void:    whether an operator has taken it out of all rankings and streaks
    final:      milliseconds since the epoch: when its boards were made final; None before
    summary:    what the day came to, as JSON, empty before
    """

    day: Day
    deal: str
    difficulty: str
    plan: str
    par: int
    commitment: str
    committed: int
    is_void: bool = False
    final: int | None = None
    summary: str = ""


class DayStore(Protocol):
    """Days and their runs. Every method may raise StoreUnavailable; one round trip, one slot, unless it says else."""

    async def add(self, day: StoredDay) -> StoredDay:
        """Keeps a day for ever, unless it is kept already; which stands."""
        ...

    async def find(self, days: Sequence[Day]) -> list[StoredDay | None]:
        """Each of the days, None where none is kept; one round trip to each node."""
        ...

    async def void(self, day: Day) -> None:
        """Takes a day out of all rankings and streaks; two round trips."""
        ...

    async def voided(self, rules: str) -> set[str]:
        """The dates of all void days under a preset."""
        ...

    async def finish(self, day: Day, time: int, summary: str) -> None:
        """Says that the day's boards are final, since the first milliseconds that were said, and what it came to."""
        ...

    async def enter(self, day: Day, entrant: Entrant) -> None:
        """Notes a run, whose result is not noted yet; again without effect, also once that is settled."""
        ...

    async def entrant(self, day: Day, session: str) -> Entrant | None: ...

    async def entrants(self, day: Day, cursor: int, limit: int) -> tuple[list[Entrant], int]:
        """Some of the day's runs, from the cursor 0 on, and the next cursor, 0 after the last; a run can come twice."""
        ...

    async def unsettled(self, day: Day, after: str, limit: int) -> list[Entrant]:
        """Runs whose results were not noted yet, by session, behind this one."""
        ...

    async def settle(self, day: Day, session: str) -> None:
        """Notes that a run's result is wherever it belongs."""
        ...

    async def lease(self, holder: str, milliseconds: int) -> bool:
        """Whether the one lease of all processes is the holder's now, for so long from now."""
        ...


class PlayedDay(NamedTuple):
    """What a player's record says of a day.

    session: the run that counts: the first, or the late one
    begun:   milliseconds since the epoch
    moves:   whether anything was played in it
    won:     whether it was won
    points:  of it, None while it goes on
    """

    session: str
    kind: RunKind
    begun: int
    moves: bool = False
    won: bool = False
    points: int | None = None


class RecordStore(Protocol):
    """Each player's days. Every method may raise StoreUnavailable; one round trip, one slot."""

    async def begin(self, player: str, day: Day, run: PlayedDay) -> PlayedDay:
        """Notes the run that counts for a day, unless there is one; which stands."""
        ...

    async def conclude(self, player: str, day: Day, run: PlayedDay) -> None:
        """Notes what came of the run, unless the day has another or the player is gone."""
        ...

    async def days(self, player: str, rules: str) -> dict[str, PlayedDay]:
        """All of the player's days under a preset, by date."""
        ...

    async def dates(self, player: str) -> set[str]:
        """The dates on which the player began a run under any preset."""
        ...
