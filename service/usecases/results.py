"""From a run's log to its rows on the boards, and from the rows of a day to what the day came to. All of it is pure."""

from collections.abc import Iterable, Sequence
from itertools import groupby
from typing import Final

from service.engine.log import TICKS_PER_SECOND
from service.ports.boards import Board, Result, Scope, Standing
from service.ports.daily import Day, Entrant, RunKind
from service.protocol.days import DaySummary
from service.usecases.boards import rank_key, speed_key
from service.usecases.history import History

BUCKET: Final = 1_000
"""The width of a step of the distribution of points."""
BUCKETS: Final = 14
"""The last step takes all beyond: 80 promotions with a full stock and a win would make 12,840 points."""
WHOLE: Final = 1_000_000
"""The percentile of who is ahead of all others, in millionths."""


def result_of(history: History) -> Result:
    """What a run came to."""
    points = history.game.points
    return Result(
        session=history.meta.id,
        won=points.won,
        points=points.total,
        assists=points.assists,
        promoted=points.promoted,
        tempo=points.tempo,
        tenths=history.game.time,
    )


def was_played(history: History) -> bool:
    """Whether a move was made in it, taken back or not: if not, it is no result."""
    return bool(history.game.line)


def ended(history: History) -> tuple[bool, int]:
    """What sorts runs by when they ended, those that never did last."""
    return not history.game.is_over, history.meta.created + history.game.time * 1_000 // TICKS_PER_SECOND


def standings_of(day: Day, entrant: Entrant, result: Result) -> dict[Board, Standing]:
    """The rows of its day's boards that a run asks for; a late one for none."""
    if entrant.kind is RunKind.LATE:
        return {}
    home, player, field = str(day), entrant.player, entrant.field
    scope = Scope.OPEN if entrant.kind is RunKind.OPEN else Scope.FIRST
    rows = {Board(home, scope, field): Standing(player, rank_key(result), result)}
    if entrant.is_timed and result.won and not result.assists:
        rows[Board(home, Scope.SPEED, field)] = Standing(player, speed_key(result), result)
    return rows


def best_of(rows: Iterable[Standing]) -> list[Standing]:
    """The best row of each player, best first; of equal ones of a player the first, as on a board that changes."""
    best: dict[str, Standing] = {}
    for row in rows:
        if row.player not in best or row.key > best[row.player].key:
            best[row.player] = row
    return sorted(best.values(), key=lambda row: (-row.key, row.player))


def percentiles(rows: Sequence[Standing]) -> list[int]:
    """Which share of the others each row is ahead of, equals by half, in millionths; rows are best first."""
    shares: list[int] = []
    others = max(1, len(rows) - 1)
    for _, equals in groupby(rows, key=lambda row: row.key):
        count = len(list(equals))
        below = len(rows) - len(shares) - count
        shares += [WHOLE * (2 * below + count - 1) // (2 * others)] * count
    return shares


def summary_of(boards: dict[Board, list[Standing]]) -> DaySummary:
    """What a day's first runs came to, those of bots and newcomers too."""
    results = [row.result for board, rows in boards.items() if board.scope is Scope.FIRST for row in rows if row.result]
    steps = [0] * BUCKETS
    for result in results:
        steps[min(result.points // BUCKET, BUCKETS - 1)] += 1
    return DaySummary(len(results), sum(result.won for result in results), steps)
