"""What a second replica adds: the processor time of a move where there is one, and where two share the sessions."""

import asyncio
import os
import signal
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager, suppress
from dataclasses import replace
from functools import partial
from itertools import cycle
from typing import Final

from tests.bench.live.arena import Arena, Entrant
from tests.bench.live.contenders import OURS
from tests.bench.live.load import AT_ONCE, Player, Seat, Table, flat_out, leave, sit_down
from tests.bench.live.measures import FLAT_OUT_SECONDS, Figures, games_for, observed, run
from tests.bench.live.players import HELLO_WITH_RULES, Watcher
from tests.bench.live.processes import Failed
from tests.bench.live.stores import redis_cluster

REPLICA: Final = replace(OURS, name="replica", store=redis_cluster)
WATCHED: Final = 10
"""One session in so many is watched."""
TURN_SECONDS: Final = 0.25
"""How long a replica has the core to itself before the next one does."""


def shared(arena: Arena, replicas: Sequence[Entrant], expected: float) -> Figures:
    """Moves with one outstanding in each of a hundred sessions a replica, which the replicas play in turns of ten.

    The first of each ten is watched too, at the next replica. Each has the core to itself for a while, in turns.
    """
    at_once = AT_ONCE * len(replicas)
    seats = replicas[0].seats(games_for(expected, at_once))
    homes = [number // WATCHED for number in range(len(seats))]
    watched = range(0, len(seats), WATCHED)
    deliveries: list[float] = []

    async def measure(table: Table) -> Figures:
        players = await sit_down(table, [_at(replicas, *one) for one in zip(homes, seats, strict=True)])
        watching = [_watching(players[one], _at(replicas, homes[one] + 1, seats[one]), deliveries) for one in watched]
        watchers = await sit_down(table, watching)
        async with _in_turns(replicas):
            driven = flat_out(table, players, FLAT_OUT_SECONDS, at_once)
            figures = await observed(arena, replicas, table.seconds, driven)
        await leave([*players, *watchers])
        return figures

    figures = run(replicas[0], measure)
    if not deliveries:
        raise Failed("no watcher was told of a move")
    return figures


@asynccontextmanager
async def _in_turns(replicas: Sequence[Entrant]) -> AsyncIterator[None]:
    """All but one of the replicas are stopped at any time, so that none finds its caches full of another's."""
    pids = [replica.program.pid for replica in replicas]

    async def take_turns() -> None:
        for pid in cycle(pids):
            os.kill(pid, signal.SIGCONT)
            await asyncio.sleep(TURN_SECONDS)
            os.kill(pid, signal.SIGSTOP)

    for pid in pids:
        os.kill(pid, signal.SIGSTOP)
    turns = asyncio.create_task(take_turns())
    try:
        yield
    finally:
        turns.cancel()
        with suppress(asyncio.CancelledError):
            await turns
        for pid in pids:
            os.kill(pid, signal.SIGCONT)


def _at(replicas: Sequence[Entrant], number: int, seat: Seat) -> Seat:
    """A seat at the first of the replicas, at another of them."""
    first, other = replicas[0].asker, replicas[number % len(replicas)].asker
    return seat._replace(url=seat.url.replace(first.socket_url, other.socket_url))


def _watching(player: Player, seat: Seat, deliveries: list[float]) -> Seat:
    """A spectator's, where somebody plays."""
    watcher = partial(Watcher, sent=player.sent, deliveries=deliveries, greeting=HELLO_WITH_RULES)
    return Seat(seat.url, {}, watcher)
