"""Many runs, each from its own seed; says on its last line what was acknowledged, and what came of it."""

import argparse
import asyncio
import signal
import sys

from tests.chaos.history import Kind
from tests.chaos.run import run

SECONDS = 3.0


def main() -> int:
    """Answers with an exit status: 0 where nothing was lost, doubled or silent."""
    parser = argparse.ArgumentParser(prog="python -m tests.chaos", description=__doc__)
    parser.add_argument("--runs", type=int, default=20)
    parser.add_argument("--seed", type=int, default=1, help="of the first run; each further one has the next")
    parser.add_argument("--seconds", type=float, default=SECONDS, help="for which faults happen in each run")
    parser.add_argument("--verbose", action="store_true", help="tells of every run, not only of those that fail")
    asked = parser.parse_args()
    for number in (signal.SIGINT, signal.SIGTERM):  # also where a shell has made its background jobs deaf to them
        signal.signal(number, signal.default_int_handler)
    done = acknowledged = lost = doubled = silent = with_reset = kills = 0
    try:
        for seed in range(asked.seed, asked.seed + asked.runs):
            outcome = asyncio.run(run(seed, asked.seconds))
            findings = outcome.findings
            done, acknowledged = done + 1, acknowledged + findings.acknowledged
            lost, doubled = lost + findings.count(Kind.LOST), doubled + findings.count(Kind.DOUBLED)
            silent, with_reset = silent + outcome.silent, with_reset + findings.count(Kind.LOST_WITH_RESET)
            kills += outcome.kills
            if findings.failures or asked.verbose:
                print(f"seed {seed}: {findings.acknowledged} acknowledged, {outcome}", flush=True)
    except KeyboardInterrupt:
        print(f"stopped: go on with --seed {asked.seed + done}")
    print(
        f"{done} runs: {acknowledged} acknowledged, {lost} lost, {doubled} doubled, {silent} silent; "
        f"{with_reset} lost with reset in 0 promotions and {kills} kills of a store that syncs every second"
    )
    return int(bool(lost or doubled or silent))


if __name__ == "__main__":
    sys.exit(main())
