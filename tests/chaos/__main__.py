"""Many runs, each from its own seed; says on its last line what was acknowledged, and what came of it."""

import argparse
import asyncio
import signal
import sys
import tempfile
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import AsyncExitStack, asynccontextmanager
from pathlib import Path
from typing import TypeAlias

from tests.chaos.results import Result, code, keep, kept, result, summary
from tests.chaos.run import SECONDS, plan_of, run
from tests.chaos.stores import Topology
from tests.chaos.world import World, world

RESULTS = Path(".chaos.jsonl")

WorldOf: TypeAlias = Callable[[Topology], Awaitable[World]]


def main() -> int:
    """Answers with an exit status: 0 where all runs were made, and nothing was lost, doubled or silent."""
    parser = argparse.ArgumentParser(prog="python -m tests.chaos", description=__doc__)
    parser.add_argument("--runs", type=int, default=20)
    parser.add_argument("--seed", type=int, default=1, help="of the first run; each further one has the next")
    parser.add_argument("--seconds", type=float, default=SECONDS, help="for which faults happen in each run")
    parser.add_argument("--results", type=Path, default=RESULTS, help="keeps what came of each run; none is made twice")
    parser.add_argument("--verbose", action="store_true", help="tells of every run, not only of those that fail")
    asked = parser.parse_args()
    for number in (signal.SIGINT, signal.SIGTERM):  # also where a shell has made its background jobs deaf to them
        signal.signal(number, signal.default_int_handler)
    results: dict[int, Result] = {}
    try:
        asyncio.run(_make(asked, results))
    except KeyboardInterrupt:
        print("stopped: the same again goes on from here")
    print(summary(results.values()))
    return int(len(results) < asked.runs or any(one.lost or one.doubled or one.silent for one in results.values()))


async def _make(asked: argparse.Namespace, results: dict[int, Result]) -> None:
    """Makes those of the runs that are not in the file yet."""
    program = code()
    done = kept(asked.results, program, asked.seconds)
    async with _worlds() as world_of:
        for seed in range(asked.seed, asked.seed + asked.runs):
            if seed not in done:
                outcome = await run(await world_of(plan_of(seed).topology), seed, asked.seconds)
                done[seed] = result(program, seed, asked.seconds, outcome)
                keep(asked.results, done[seed])
                is_surprise = outcome.promotions > 0 and not outcome.plan.promotes
                if outcome.findings.failures or is_surprise or asked.verbose:
                    print(f"seed {seed}: {outcome}", flush=True)
            results[seed] = done[seed]


@asynccontextmanager
async def _worlds() -> AsyncIterator[WorldOf]:
    """A world of each topology, started when it is first wanted, since runs are short and starting one is not."""
    async with AsyncExitStack() as stack:
        started: dict[Topology, World] = {}

        async def world_of(topology: Topology) -> World:
            if topology not in started:
                folder = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="chaos-")))
                started[topology] = await stack.enter_async_context(world(topology, folder))
            return started[topology]

        yield world_of


if __name__ == "__main__":
    sys.exit(main())
