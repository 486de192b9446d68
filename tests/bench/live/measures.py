"""What is measured: each function is one round with one contender."""

import asyncio
from collections.abc import Awaitable, Callable, Coroutine, Sequence
from functools import partial
from math import ceil
from statistics import median
from typing import Any, Final, NamedTuple, TypeAlias, TypeVar

import uvloop

from tests.bench.live.arena import Arena, Entrant
from tests.bench.live.contenders import ECHO, room_seat
from tests.bench.live.load import AT_ONCE, Player, Seat, Table, flat_out, leave, paced, sit_down
from tests.bench.live.players import HELLO, Mover, Watcher
from tests.bench.live.processes import Failed

FLAT_OUT_SECONDS: Final = 2.0
MOVES_A_GAME: Final = 272
"""The least that a game takes."""
SPARE: Final = 1.5
"""How many more games are set up for a round than the last one's speed asks for."""
PACED_RATE: Final = 500.0
PACED_SECONDS: Final = 5.0
WATCHERS: Final = 1000
WATCHED_RATE: Final = 20.0
IDLE: Final = 1000
IDLE_BEFORE: Final = 200
SETTLING: Final = 1.0  # seconds
PLAYING: Final = 20.0  # seconds in which a hundred games are over

T = TypeVar("T")
Drive: TypeAlias = Callable[[Table, Sequence[Player]], Awaitable[float]]


class Figures(NamedTuple):
    """What one round came to: answers or deliveries a second, seconds that they took, and shares of a core."""

    rate: float
    p50: float
    p99: float
    server: float
    redis: float
    load: float
    others: float


def medians(rounds: Sequence[Figures]) -> Figures:
    return Figures(*map(median, zip(*rounds, strict=True)))


def throughput(arena: Arena, entrant: Entrant, expected: float = 0) -> Figures:
    """Moves with one outstanding in each of a hundred sessions; enough games are set up for the rate expected."""
    games = AT_ONCE + ceil(SPARE * expected * FLAT_OUT_SECONDS / MOVES_A_GAME)
    return _moves(arena, entrant, games, partial(flat_out, seconds=FLAT_OUT_SECONDS))


def latency(arena: Arena, entrant: Entrant) -> Figures:
    """Moves at a rate that leaves the server time."""
    return _moves(arena, entrant, AT_ONCE, partial(paced, rate=PACED_RATE, seconds=PACED_SECONDS))


def fanout(arena: Arena, entrant: Entrant, length: int) -> tuple[Figures, int]:
    """Deliveries of one player's moves to a thousand watchers, and how long the last frame was.

    The echo server's frames are of the length that is given.
    """
    deliveries: list[float] = []
    if entrant.contender is ECHO:
        mover, greeting = room_seat(entrant.asker, length), b""
    else:
        (mover,), greeting = entrant.seats(1), HELLO

    async def measure(table: Table) -> tuple[Figures, int]:
        (player,) = await sit_down(table, [mover])
        watcher = partial(Watcher, sent=player.sent, deliveries=deliveries, greeting=greeting)
        watchers = await sit_down(table, [Seat(mover.url, {}, watcher)] * WATCHERS)
        figures = await _observed(arena, entrant, deliveries, paced(table, [player], WATCHED_RATE, PACED_SECONDS))
        await leave([player, *watchers])
        return figures, table.delivered

    return _run(entrant, measure)


def bytes_a_session(entrant: Entrant) -> float:
    """Bytes that the server grows by for each live idle session with its connection; the entrant has to be fresh."""
    before, more = entrant.seats(IDLE_BEFORE), entrant.seats(IDLE)

    async def measure(table: Table) -> float:
        players = await sit_down(table, before)
        await asyncio.sleep(SETTLING)
        resident = entrant.program.resident
        players += await sit_down(table, more)
        await asyncio.sleep(SETTLING)
        grown = entrant.program.resident - resident
        if table.ended.done():
            table.ended.result()
        await leave(players)
        return grown / IDLE

    return _run(entrant, measure)


def bytes_a_game(arena: Arena, entrant: Entrant) -> float:
    """Bytes that Redis keeps of a won game: MEMORY USAGE of all keys that are named after it."""
    seats = entrant.seats(AT_ONCE)

    async def measure(table: Table) -> list[str]:
        players = await sit_down(table, seats)
        await flat_out(table, players, PLAYING)
        await leave(players)
        return [player.session.decode() for player in players if isinstance(player, Mover) and player.is_over]

    control = arena.redis.control
    won = _run(entrant, measure)
    keys = [list(control.scan_iter(match=f"*{session}*", count=10_000)) for session in won[:10]]
    return median(sum(int(control.memory_usage(key, samples=0) or 0) for key in of_one) for of_one in keys)


def _moves(arena: Arena, entrant: Entrant, games: int, drive: Drive) -> Figures:
    seats = entrant.seats(games)

    async def measure(table: Table) -> Figures:
        players = await sit_down(table, seats)
        figures = await _observed(arena, entrant, table.seconds, drive(table, players))
        await leave(players)
        return figures

    return _run(entrant, measure)


async def _observed(arena: Arena, entrant: Entrant, seconds: list[float], driven: Awaitable[float]) -> Figures:
    """What it comes to while the players are driven; `seconds` grows meanwhile."""
    before = arena.spent(entrant)
    elapsed = await driven
    shares = arena.spent(entrant).shares_since(before)
    if not seconds:
        raise Failed("nothing was answered")
    ordered = sorted(seconds)
    return Figures(len(ordered) / elapsed, ordered[len(ordered) // 2], ordered[int(len(ordered) * 0.99)], *shares)


def _run(entrant: Entrant, measure: Callable[[Table], Coroutine[Any, Any, T]]) -> T:
    async def at_a_table() -> T:
        return await measure(Table())

    try:
        return uvloop.run(at_a_table())
    except (Failed, OSError, TimeoutError, AssertionError) as error:
        raise entrant.program.failed(f"{entrant.contender.name}: {type(error).__name__} {error}") from error
