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
from tests.bench.live.contenders import BOARDGAME_IO_DB, ECHO, ONE_SCRIPT, OURS, WITH_LEGAL, Contender, node_peers
from tests.bench.live.measures import (
    bytes_a_game,
    fanout,
    idle_session,
    latency,
    medians,
    throughput,
    warm_up,
)
from tests.bench.live.processes import Failed, take_cores
from tests.bench.live.replicas import REPLICA, shared
from tests.bench.live.stores import postgres_programs

ROUNDS = 3
INTERRUPTED = 130


def main() -> int:
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    try:
        with arena() as here:
            if os.environ.get("QUICK", "") in {"", "0"}:
                measure_all(here)
            else:
                report.ratios(measure_moves(here, [ECHO, OURS, WITH_LEGAL]))
    except Failed as error:
        print(f"bench-live: {error}", file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        return INTERRUPTED
    return 0


@contextlib.contextmanager
def arena() -> Iterator[Arena]:
    """Two cores and a folder for logs."""
    cores = take_cores()
    with tempfile.TemporaryDirectory(prefix="bench-live-") as logs:
        yield Arena(cores, Path(logs))


def measure_all(here: Arena) -> None:
    ratios = measure_moves(here, [ECHO, ONE_SCRIPT, *peers(), OURS, WITH_LEGAL])
    ratios |= measure_latency(here) | measure_fanout(here) | measure_replicas(here)
    measure_sessions(here)
    report.ratios(ratios)


def peers() -> list[Contender]:
    """Those peers that can run here; says loudly which cannot."""
    try:
        found = list(node_peers())
    except Failed as error:
        report.note(f"THE PEERS ON NODE ARE LEFT OUT: {error}")
        return []
    try:
        postgres_programs()
    except Failed as error:
        report.note(f"{BOARDGAME_IO_DB.name.upper()} IS LEFT OUT: {error}")
        found.remove(BOARDGAME_IO_DB)
    return found


def measure_sessions(here: Arena) -> None:
    """What sessions take that nobody plays, and games that are over."""
    with here.running([ECHO, OURS]) as (echo, ours):
        report.idle({ECHO.name: idle_session(here, echo), OURS.name: idle_session(here, ours)})
        report.note(f"redis {bytes_a_game(ours):.0f} bytes a finished game")


def measure_moves(here: Arena, contenders: Sequence[Contender]) -> dict[str, float]:
    """Everybody in turns, since a neighbour who slows one round then slows all; our ratio to each other."""
    with here.running(contenders) as entrants:
        warm = [warm_up(here, entrant) for entrant in entrants]
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


def measure_replicas(here: Arena) -> dict[str, float]:
    """How much two replicas can do, for what one can: by the processor time of a move, since they share a core."""
    with here.running([REPLICA, REPLICA]) as both:
        expected = warm_up(here, both[0]).rate
        rounds = [(shared(here, both[:1], expected), shared(here, both, expected)) for _ in range(ROUNDS)]
    one, two = (medians(figures) for figures in zip(*rounds, strict=True))
    title = "100 sessions a replica on a cluster of three masters, one in ten of them watched"
    report.table(title, "moves/s", {"one replica": one, "two replicas": two})
    return {"replicas": 2 * one.cost / two.cost}


if __name__ == "__main__":
    sys.exit(main())
