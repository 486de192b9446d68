"""What is measured: each function is one round with one contender."""

import asyncio
from collections.abc import Awaitable, Callable, Coroutine, Sequence
from functools import partial
from math import ceil
from statistics import median
from typing import Any, Final, NamedTuple, TypeAlias, TypeVar

import uvloop
from redis import Redis

from tests.bench.live.arena import Arena, Entrant
from tests.bench.live.contenders import ECHO, room_seat
from tests.bench.live.load import AT_ONCE, Player, Seat, Table, flat_out, leave, paced, sit_down
from tests.bench.live.players import HELLO, Mover, Watcher
from tests.bench.live.processes import Failed, Shares
from tests.bench.live.stores import Store

FLAT_OUT_SECONDS: Final = 2.0
WARMING_SECONDS: Final = 1.0
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
IDLING: Final = 20.0  # seconds; every socket is pinged once meanwhile
PLAYING: Final = 20.0  # seconds in which a hundred games are over

T = TypeVar("T")
Drive: TypeAlias = Callable[[Table, Sequence[Player]], Awaitable[float]]


class Figures(NamedTuple):
    """What one round came to: answers or deliveries a second, seconds that they took, and shares of a core."""

    rate: float
    p50: float
    p99: float
    server: float
    store: float
    load: float
    others: float

    @property
    def cost(self) -> float:
        """Seconds of the servers' processors for one answer or delivery."""
        return self.server / self.rate


def medians(rounds: Sequence[Figures]) -> Figures:
    return Figures(*map(median, zip(*rounds, strict=True)))


def warm_up(arena: Arena, entrant: Entrant) -> Figures:
    """As `throughput`, for a while that tells what rate to expect."""
    return _moves(arena, entrant, AT_ONCE, partial(flat_out, seconds=WARMING_SECONDS))


def throughput(arena: Arena, entrant: Entrant, expected: float) -> Figures:
    """Moves with one outstanding in each of a hundred sessions; enough games are set up for the rate expected."""
    return _moves(arena, entrant, games_for(expected), partial(flat_out, seconds=FLAT_OUT_SECONDS))


def games_for(expected: float, at_once: int = AT_ONCE) -> int:
    """How many games have to be set up to play flat out at the rate expected."""
    return at_once + ceil(SPARE * expected * FLAT_OUT_SECONDS / MOVES_A_GAME)


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
        figures = await observed(arena, [entrant], deliveries, paced(table, [player], WATCHED_RATE, PACED_SECONDS))
        await leave([player, *watchers])
        return figures, table.delivered

    return run(entrant, measure)


class Idle(NamedTuple):
    """What one more live idle session with its connection takes: bytes of the server and of its store, processor
    seconds of the server to open it, and then shares of a core."""

    resident: float
    stored: float
    opening: float
    server: float
    store: float


def idle_session(arena: Arena, entrant: Entrant) -> Idle:
    """What a session takes that is made, opened, and left alone; the entrant has to be fresh."""

    async def measure(table: Table) -> Idle:
        players = await sit_down(table, entrant.seats(IDLE_BEFORE))
        before = await _shares(arena, entrant)
        resident, stored = entrant.program.resident, _stored(entrant)
        more = entrant.seats(IDLE)
        made = arena.spent([entrant])
        players += await sit_down(table, more)
        opened = arena.spent([entrant])
        after = await _shares(arena, entrant)
        grown = entrant.program.resident - resident, _stored(entrant) - stored
        if table.ended.done():
            table.ended.result()
        await leave(players)
        spent = opened.server - made.server, after.server - before.server, after.store - before.store
        return Idle(*(max(0.0, one / IDLE) for one in (*grown, *spent)))

    return run(entrant, measure)


async def _shares(arena: Arena, entrant: Entrant) -> Shares:
    """What a while of idleness costs."""
    await asyncio.sleep(SETTLING)
    begun = arena.spent([entrant])
    await asyncio.sleep(IDLING)
    return arena.spent([entrant]).shares_since(begun)


def _stored(entrant: Entrant) -> int:
    """The bytes that its Redis has in memory, if it has one."""
    return int(_redis(entrant.store).info("memory")["used_memory"]) if entrant.store else 0


def _redis(store: Store) -> Redis:
    return Redis.from_url(store.environment["REDIS_URL"], decode_responses=True)


def bytes_a_game(entrant: Entrant) -> float:
    """Bytes that Redis keeps of a won game: MEMORY USAGE of all keys that are named after it."""
    seats = entrant.seats(AT_ONCE)

    async def measure(table: Table) -> list[str]:
        players = await sit_down(table, seats)
        await flat_out(table, players, PLAYING)
        await leave(players)
        return [player.session.decode() for player in players if isinstance(player, Mover) and player.is_over]

    assert entrant.store
    won = run(entrant, measure)
    control = _redis(entrant.store)
    keys = [list(control.scan_iter(match=f"*{session}*", count=10_000)) for session in won[:10]]
    return median(sum(int(control.memory_usage(key, samples=0) or 0) for key in of_one) for of_one in keys)


def _moves(arena: Arena, entrant: Entrant, games: int, drive: Drive) -> Figures:
    seats = entrant.seats(games)

    async def measure(table: Table) -> Figures:
        players = await sit_down(table, seats)
        figures = await observed(arena, [entrant], table.seconds, drive(table, players))
        await leave(players)
        return figures

    return run(entrant, measure)


async def observed(
    arena: Arena, entrants: Sequence[Entrant], seconds: list[float], driven: Awaitable[float]
) -> Figures:
    """What it comes to while the players are driven; `seconds` grows meanwhile."""
    before = arena.spent(entrants)
    elapsed = await driven
    shares = arena.spent(entrants).shares_since(before)
    if not seconds:
        raise Failed("nothing was answered")
    ordered = sorted(seconds)
    return Figures(len(ordered) / elapsed, ordered[len(ordered) // 2], ordered[int(len(ordered) * 0.99)], *shares)


def run(entrant: Entrant, measure: Callable[[Table], Coroutine[Any, Any, T]]) -> T:
    async def at_a_table() -> T:
        return await measure(Table())

    try:
        return uvloop.run(at_a_table())
    except (Failed, OSError, TimeoutError, AssertionError) as error:
        raise entrant.program.failed(f"{entrant.contender.name}: {type(error).__name__} {error}") from error
