"""The same with a cluster for a store: one Redis becomes one, a master of it is lost, and it comes from nothing."""

import asyncio
from pathlib import Path

import pytest
from redis.crc import key_slot

from tests.deploy.belongings import acquire, read
from tests.deploy.conftest import Stacked
from tests.deploy.journeys import play_across_replicas, play_by_every_way
from tests.deploy.load import playing
from tests.deploy.reading import Reader
from tests.deploy.stack import ROOT, V1, Stack

NODES = ["redis", *(f"redis-{number}" for number in range(2, 7))]
AS_CLUSTER = (*V1, "--env-file", str(ROOT / "deploy/cluster.env"))
OTHERS = [key for key in map("another's:{}".format, range(20_000)) if key_slot(key.encode()) % 6000 < 250]
"""Keys with which the first master has more slots than its part, so that it gives some away: the lowest, with keys."""
SYNCING = 20.0  # seconds
PROMOTING = 30.0  # seconds in which a master that is away is replaced, on a machine that is busy


@pytest.fixture(scope="module")
def stack(new_stack: Stacked) -> Stack:
    """Two replicas on one Redis, by the older Compose."""
    one = new_stack(compose=V1, DAYS_AHEAD="1")
    one.up(service=2)
    return one


@pytest.mark.timeout(300)
async def test_one_redis_becomes_a_cluster_and_everybody_has_what_they_had(stack: Stack) -> None:
    belongings = await acquire(stack.url)
    before = await read(stack.url, belongings)
    reader = Reader(stack, *NODES)
    async with reader.open(stack.containers("redis")[0]) as redis:
        await redis.mset(dict.fromkeys(OTHERS, ""))
    stack.command = AS_CLUSTER
    stack.up(service=2)

    assert await read(stack.url, belongings) == before
    async with asyncio.timeout(SYNCING):
        while not all((held := await reader.keys()).values()):  # noqa: ASYNC110 - replicas come after their masters
            await asyncio.sleep(0.2)
    assert len(held) == len(NODES)


async def test_the_cluster_is_played_on_by_every_way_and_across_replicas(stack: Stack) -> None:
    await play_by_every_way(stack.url)
    homes = await play_across_replicas(stack)

    assert len(set(homes)) == 2


@pytest.mark.timeout(300)
async def test_a_master_that_is_killed_under_play_is_replaced_and_nobody_is_left_unaware(stack: Stack) -> None:
    reader = Reader(stack, *NODES)
    async with playing(stack.door, reader, seed=5) as play:
        master = await reader.home(play.tables[0].id)
        replicas = await reader.replicas()
        stack.kill(master)  # the engine does not start again what it was told to kill
        async with asyncio.timeout(PROMOTING):
            while replicas <= await reader.replicas():  # noqa: ASYNC110 - until one of them is one no more
                await asyncio.sleep(0.2)
        print(f"in its place again after {await play.goes_on():.1f} s")
        stack.start(master)
        await asyncio.to_thread(stack.until, stack.is_well, "the cluster is whole again")
        verdict = await play.ended(may_lose=True)
    print(verdict)

    assert await reader.home(play.tables[0].id) != master
    assert not verdict.findings.failures, str(verdict)


@pytest.mark.timeout(300)
async def test_a_cluster_from_nothing_is_played_on_and_its_backup_comes_back(stack: Stack, tmp_path: Path) -> None:
    stack.down(volumes=True)
    stack.command = AS_CLUSTER
    stack.up(service=2)
    await play_by_every_way(stack.url)
    belongings = await acquire(stack.url)
    before = await read(stack.url, belongings)
    file = str(tmp_path / "all.tar")
    print(stack.script("backup", file))
    stack.down(volumes=True)
    stack.script("restore", file)
    stack.until(stack.is_well, "everything is well again")

    assert await read(stack.url, belongings) == before
