"""A few runs under faults, each with real processes; `make chaos` makes many."""

import pytest

from tests.chaos.run import run


@pytest.mark.parametrize("seed", [3, 7, 12])
async def test_play_under_faults_loses_doubles_and_hides_nothing(seed: int) -> None:
    outcome = await run(seed, seconds=3.0)

    assert outcome.entries > 0
    assert not outcome.findings.failures, str(outcome)
