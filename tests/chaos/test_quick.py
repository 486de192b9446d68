"""A few runs under faults in a world of each kind, all with real processes; `make chaos` makes many."""

import sys
from pathlib import Path

import pytest

from tests.chaos.run import plan_of, run
from tests.chaos.stores import Topology
from tests.chaos.world import world

SEEDS = {
    Topology.STANDALONE: [3, 6, 9, 12, 15, 18, 21],
    Topology.CLUSTER: [1, 4, 7, 13, 16, 20, 40],
    Topology.SENTINELS: [2, 5, 8, 10, 14, 30],
}


@pytest.mark.skipif(sys.platform != "linux", reason="nodes have loopback addresses of their own")
@pytest.mark.parametrize("topology", Topology)
async def test_play_under_faults_loses_doubles_and_hides_nothing(topology: Topology, tmp_path: Path) -> None:
    async with world(topology, tmp_path) as real:
        outcomes = [await run(real, seed) for seed in SEEDS[topology]]

    for outcome in outcomes:
        assert outcome.entries > 0
        assert not outcome.findings.failures, str(outcome)
        assert outcome.plan.promotes or not outcome.promotions, str(outcome)
    assert any(outcome.promotions for outcome in outcomes) == any(plan_of(seed).promotes for seed in SEEDS[topology])
