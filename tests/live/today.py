"""Today's challenge on a real store, and what the logs of its runs come to by a second, plain reckoning."""

import asyncio
import time
from collections.abc import Iterable
from typing import Any, NamedTuple

from service.engine import PRESETS, Kind, apply
from service.engine.deal import Seeded, start
from service.engine.log import unpack
from service.ports.boards import Board, Result, Scope
from service.ports.daily import Day, Field
from service.store.redis import keys
from service.store.redis.store import RedisStore
from service.usecases.closing import Closing
from service.usecases.days import DAILY_RULES, closes, date_of, number_of, today
from service.usecases.history import Histories
from tests.conftest import now
from tests.usecases.daily_world import SEED, prepared

TIME_LEFT_MS = 120_000
"""What a test needs of the day that it begins on."""
DAYS_AHEAD = 1
ALL = 1_000


class FixedClock:
    """A clock that stands at some milliseconds since the epoch."""

    def __init__(self, time: int) -> None:
        self.time = time

    def now(self) -> int:
        return self.time


async def keep_today(store: RedisStore) -> str:
    """Has the days from today to DAYS_AHEAD kept, under all rules, and tells today's date, which lasts a while."""
    left = closes(today(now())) - now()
    await asyncio.sleep(left / 1000 if left < TIME_LEFT_MS else 0)
    date = today(now())
    for more in range(DAYS_AHEAD + 1):
        for rules in DAILY_RULES:
            await store.days.add(prepared(Day(date_of(number_of(date) + more), rules)))
    return date


def closing_at(store: RedisStore, time: int) -> Closing:
    """What closes days, in this process, as if it were then."""
    return Closing(
        store.sessions, store.days, store.records, store.boards, Histories(store.sessions, ALL), FixedClock(time)
    )


async def until_settled(store: RedisStore, day: Day, left: Iterable[str] = (), within: float = 20) -> None:
    """Returns once all runs of a day are settled but these."""
    deadline = time.monotonic() + within
    while {one.session for one in await store.days.unsettled(day, "", ALL)} != set(left):
        assert time.monotonic() < deadline, "they are never settled"
        await asyncio.sleep(0.02)


async def rows_of(store: RedisStore, day: Day) -> dict[tuple[Scope, str], tuple[int, Result | None]]:
    """The rank and the result of everybody on a day's boards for newcomers, which must be the only ones."""
    found: dict[tuple[Scope, str], tuple[int, Result | None]] = {}
    for scope in Scope:
        for field in Field:
            rows = (await store.boards.page(Board(str(day), scope, field), None, ALL)).rows
            assert field is Field.NEWCOMERS or not rows
            assert len({row.standing.player for row in rows}) == len(rows)
            found |= {(scope, row.standing.player): (row.rank, row.standing.result) for row in rows}
    return found


class Step(NamedTuple):
    """A move on the board: how many cards lay in the stock before and after it, and whether it was a promotion."""

    before: int
    after: int
    is_promotion: bool


def reckoned(redis: Any, session: str, rules: str) -> Result | None:
    """What a log in Redis comes to, step by step; None where no move was made. It knows no redo and no hint."""
    log = bytes(redis.get(keys.session_log(session)) or b"")
    position = start(Seeded(SEED), PRESETS[rules])
    steps: list[tuple[Step, Any]] = []
    taken_back: set[int] = set()
    has_moved, tenths = False, 0
    for entry, _ in unpack(log):
        tenths = entry.time
        if entry.move is not None:
            after = apply(position, entry.move, PRESETS[rules])
            step = Step(len(position.stock), len(after.stock), entry.kind is Kind.PROMOTE)
            steps.append((step, position))
            position, has_moved = after, True
        elif entry.kind is Kind.UNDO:
            taken_back |= set(range(steps[-1][0].after, steps[-entry.count][0].before))
            position = steps[-entry.count][1]
            del steps[-entry.count :]
        else:
            assert entry.kind is Kind.RESIGN
    promoted = sum(step.is_promotion for step, _ in steps)
    tempo = sum(step.before for step, _ in steps if step.is_promotion)
    won, assists = promoted == 80, len(taken_back)
    points = max(0, 100 * promoted + tempo + 1000 * won - 50 * assists)
    return Result(session, won, points, assists, promoted, tempo, tenths) if has_moved else None
