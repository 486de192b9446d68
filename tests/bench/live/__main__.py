"""`python -m tests.bench.live`: measures live play beside the echo and the peers; with QUICK=1 beside the echo alone.

README.md of the folder above says how, and what each figure means.
"""

import contextlib
import os
import signal
import sys
import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path

from tests.bench.live import report
from tests.bench.live.arena import Arena
from tests.bench.live.contenders import ECHO, ONE_SCRIPT, OURS, Contender, node_peers
from tests.bench.live.measures import (
    bytes_a_game,
    bytes_a_session,
    fanout,
    latency,
    medians,
    throughput,
)
from tests.bench.live.processes import Failed, take_cores
from tests.servers import PROGRAMS, server

ROUNDS = 3
INTERRUPTED = 130
AS_BY_DEFAULT = ("--appendonly", "yes", "--appendfsync", "everysec")


def main() -> int:
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    try:
        with arena() as here:
            if os.environ.get("QUICK", "") in {"", "0"}:
                measure_all(here)
            else:
                report.ratios(measure_moves(here, [ECHO, OURS]))
    except Failed as error:
        print(f"bench-live: {error}", file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        return INTERRUPTED
    return 0


@contextlib.contextmanager
def arena() -> Iterator[Arena]:
    """Two cores, a Redis as operators have it, and a folder for logs."""
    cores = take_cores()
    with (
        tempfile.TemporaryDirectory(prefix="bench-live-") as logs,
        server(PROGRAMS["valkey"], *AS_BY_DEFAULT) as redis,
    ):
        yield Arena(cores, redis, Path(logs))


def measure_all(here: Arena) -> None:
    try:
        peers = node_peers()
    except Failed as error:
        peers = ()
        report.note(f"THE PEERS ON NODE ARE LEFT OUT: {error}")
    ratios = measure_moves(here, [ECHO, ONE_SCRIPT, *peers, OURS])
    ratios |= measure_latency(here) | measure_fanout(here)
    with here.running([ECHO, OURS]) as (echo, ours):
        bare, own = bytes_a_session(echo), bytes_a_session(ours)
        report.note(
            f"memory {own / 1024:.1f} KB a live idle session with its connection; {bare / 1024:.1f} KB a bare echo"
        )
        report.note(f"redis {bytes_a_game(here, ours):.0f} bytes a finished game")
    report.ratios(ratios)


def measure_moves(here: Arena, contenders: Sequence[Contender]) -> dict[str, float]:
    """Everybody in turns, since a neighbour who slows one round then slows all; our ratio to each other."""
    with here.running(contenders) as entrants:
        warm = [throughput(here, entrant) for entrant in entrants]
        rounds = [
            [throughput(here, entrant, before.rate) for entrant, before in zip(entrants, warm, strict=True)]
            for _ in range(ROUNDS)
        ]
    names = [one.name for one in contenders]
    figures = dict(zip(names, map(medians, zip(*rounds, strict=True)), strict=True))
    report.table("100 sessions, one move outstanding in each", "moves/s", figures)
    ours = figures.pop(OURS.name)
    return {name: ours.rate / theirs.rate for name, theirs in figures.items()}


def measure_latency(here: Arena) -> dict[str, float]:
    with here.running([ECHO, OURS]) as (echo, ours):
        rounds = [(latency(here, echo), latency(here, ours)) for _ in range(ROUNDS)]
    floor, own = (medians(figures) for figures in zip(*rounds, strict=True))
    report.table("the same sessions at 500 moves/s in all", "moves/s", {ECHO.name: floor, OURS.name: own})
    return {"p99": own.p99 / floor.p99}


def measure_fanout(here: Arena) -> dict[str, float]:
    with here.running([ECHO, OURS]) as (echo, ours):
        floors, owns = [], []
        for _ in range(ROUNDS):
            own, length = fanout(here, ours, 0)
            owns.append(own)
            floors.append(fanout(here, echo, length)[0])
    floor, own = medians(floors), medians(owns)
    title = f"20 moves/s of one player, 1,000 watchers, frames of {length} bytes"
    report.table(title, "deliveries/s", {ECHO.name: floor, OURS.name: own})
    return {"fanout": own.p99 / floor.p99}


if __name__ == "__main__":
    sys.exit(main())
