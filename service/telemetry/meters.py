"""What a process counts of itself: plain numbers, which its parts add to and `/metrics` reads.

To count is to add an integer, so that nobody who plays feels it; times are measured by those who know the clock.
"""

from bisect import bisect_left
from collections import Counter, defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Final

OUTCOMES: Final = ("ack", "stale", "refused", "failed")
"""What becomes of commands."""
CAUGHT_UP: Final = ("snapshot", "resumed", "reset")
"""How whoever subscribes to a session comes to know it: as it is now, by what was missed, or anew since another
history is true."""
REFUSALS: Final = ("rate_limited", "too_many_sockets", "foreign_origin", "too_large", "unavailable")
"""The codes of what limits refuse; the last is of questions for the solver that would have to wait too long."""
RUNS: Final = ("done", "failed")
"""How rounds of the daily challenge end."""
SEARCHES: Final = ("won", "unwinnable", "gave_up", "busy", "unwanted", "failed")
"""How searches end: by what was found, since too many wait, since nobody waits any more, or by a mistake."""

_COMMIT_SECONDS: Final = (0.00025, 0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5)
_BATCHES: Final = (1, 2, 4, 8, 16, 32, 64, 128)
_LAG_SECONDS: Final = (0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30)
_SEARCH_SECONDS: Final = (0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30)
_REQUEST_SECONDS: Final = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30)


class Spread:
    """How values are spread: how many lie up to each bound and above the one before, and what all come to."""

    __slots__ = ("bounds", "counts", "total")

    def __init__(self, bounds: Sequence[float]) -> None:
        self.bounds = bounds
        self.counts = [0] * (len(bounds) + 1)
        """The last one is of those above all bounds."""
        self.total = 0.0

    def add(self, value: float, times: int = 1) -> None:
        """Counts so many that have this value."""
        self.counts[bisect_left(self.bounds, value)] += times
        self.total += value * times


@dataclass(slots=True)
class CommitMeter:
    """The commits of a store: how long each took, how many went together, and how many had no answer."""

    seconds: Spread = field(default_factory=lambda: Spread(_COMMIT_SECONDS))
    sizes: Spread = field(default_factory=lambda: Spread(_BATCHES))
    errors: int = 0


@dataclass(slots=True)
class SearchMeter:
    """The searches of a solver: how they ended, how long whoever asked waited, and how many have not begun."""

    outcomes: Counter[str] = field(default_factory=Counter)
    seconds: Spread = field(default_factory=lambda: Spread(_SEARCH_SECONDS))
    waiting: int = 0


@dataclass(slots=True)
class Meters:
    """All that the application counts.

    commands:      how many came to what, by their class
    caught_up:     how whoever subscribed to a session came to know it
    fanout_lag:    seconds from an entry that another process made until its watchers here were told
    board_updates: how often those who watch a board were told of a change
    board_reads:   pages of boards that were read
    daily_runs:    rounds of the daily challenge that this process went
    daily_done:    when one was last done, in milliseconds since the epoch
    refused:       what a limit or the gate refused, by the problem's code
    requests:      answers by method, route and status
    """

    commits: CommitMeter = field(default_factory=CommitMeter)
    searches: SearchMeter = field(default_factory=SearchMeter)
    commands: dict[str, Counter[type]] = field(default_factory=lambda: defaultdict(Counter))
    caught_up: Counter[str] = field(default_factory=Counter)
    fanout_lag: Spread = field(default_factory=lambda: Spread(_LAG_SECONDS))
    board_updates: int = 0
    board_reads: int = 0
    daily_runs: Counter[str] = field(default_factory=Counter)
    daily_done: int = 0
    refused: Counter[str] = field(default_factory=Counter)
    requests: Counter[tuple[str, str, str]] = field(default_factory=Counter)
    request_seconds: dict[tuple[str, str], Spread] = field(
        default_factory=lambda: defaultdict(lambda: Spread(_REQUEST_SECONDS))
    )
