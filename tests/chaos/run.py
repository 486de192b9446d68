"""One run: some sessions and their clients in a world, faults for a while, and the verdict."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from random import Random
from typing import NamedTuple

import httpx
from redis.exceptions import RedisError

from service.engine.log import crc_of, seq_of
from service.engine.notation import parse_deal, parse_rules
from service.store.redis import keys
from tests.chaos.checker import check
from tests.chaos.client import Client
from tests.chaos.faults import harm
from tests.chaos.history import Findings, Kind, Problem
from tests.chaos.node_faults import cut_doorbells
from tests.chaos.stores import Topology
from tests.chaos.tables import Table, seated
from tests.chaos.world import World

SECONDS = 1.5
CALM = 0.2  # seconds of play before and after the faults
SETTLING = 25.0  # seconds in which all clients have to be up to date when nothing is wrong any more
ONE_PROMOTES_IN = 10


class Plan(NamedTuple):
    """What kind of run a seed stands for."""

    topology: Topology
    promotes: bool


def plan_of(seed: int) -> Plan:
    """Every tenth run has promotions, in a cluster and under sentinels in turns; the others have each topology."""
    turn, rest = divmod(seed, ONE_PROMOTES_IN)
    if rest == 0:
        return Plan([Topology.CLUSTER, Topology.SENTINELS][turn % 2], promotes=True)
    return Plan(list(Topology)[seed % len(Topology)], promotes=False)


@dataclass
class Outcome:
    """What came of a run; `settled` is the seconds until the last client was up to date."""

    plan: Plan
    findings: Findings
    entries: int
    settled: float
    promotions: int
    faults: list[str]

    @property
    def silent(self) -> int:
        """What clients were wrongly told, or not told."""
        return self.findings.count(Kind.SILENT, Kind.REORDERED, Kind.BROKEN)

    def __str__(self) -> str:
        problems = "".join(f"\n  {problem.kind.value}: {problem.what}" for problem in self.findings.failures)
        return (
            f"{self.plan.topology.value}, {self.findings.acknowledged} acknowledged, {self.entries} entries, "
            f"{self.findings.count(Kind.LOST_WITH_RESET)} lost with reset in {self.promotions} promotions, "
            f"settled in {self.settled:.1f} s, faults: {'; '.join(self.faults)}{problems}"
        )


async def run(real: World, seed: int, seconds: float = SECONDS) -> Outcome:
    """Plays under faults for some seconds, all of which the seed chooses but for when exactly each comes about.

    Begins and ends with a world that is whole; raises TimeoutError where it cannot be mended.
    """
    plan, chance = plan_of(seed), Random(seed)
    await real.mend()
    await real.store.expect_promotions(plan.promotes)
    before = real.store.promotions
    async with httpx.AsyncClient(trust_env=False, verify=False) as http:
        tables = [await seated(real, http, seed, number) for number in range(chance.choice([1, 1, 2]))]
        clients = [client for table in tables for client in table.clients]
        async with _running(clients):
            await asyncio.sleep(CALM)
            faults = await harm(real, [table.id for table in tables], seconds, chance, plan.promotes)
            await asyncio.sleep(CALM)
            if chance.random() < 0.5:  # the last entries ring at nobody's door
                await cut_doorbells(real.store)
                await asyncio.sleep(chance.uniform(0.05, CALM))
            for client in clients:
                client.quiet = True
            settled = await _settled(real, tables)
            logs = [await _log(real, table) for table in tables]  # while clients could still be told of another
            promotions = real.store.promotions - before
    found = [
        check(parse_deal(table.deal), parse_rules(table.rules), log or b"", table.witnesses, may_lose=promotions > 0)
        for table, log in zip(tables, logs, strict=True)
    ]
    problems = [problem for each in found for problem in each.problems]
    await real.mend()
    problems += [Problem(Kind.BROKEN, said) for service in real.services for said in service.mistakes()]
    acknowledged = sum(each.acknowledged for each in found)
    entries = sum(seq_of(log or b"") for log in logs)
    return Outcome(plan, Findings(acknowledged, problems), entries, settled, promotions, faults)


@asynccontextmanager
async def _running(clients: list[Client]) -> AsyncIterator[None]:
    """The clients at it; raises what ended one of them."""
    tasks = [asyncio.create_task(client.run()) for client in clients]
    try:
        yield
    finally:
        for task in tasks:
            task.cancel()
        ended = await asyncio.gather(*tasks, return_exceptions=True)
    for error in ended:
        if isinstance(error, Exception):
            raise error


async def _settled(real: World, tables: list[Table]) -> float:
    """Waits until every client is where its log ends, but not for ever; answers how long that took."""
    clock = asyncio.get_running_loop().time
    begun = clock()
    while clock() < begun + SETTLING and not await _is_settled(real, tables):  # noqa: ASYNC110 - other processes do
        await asyncio.sleep(0.05)
    return clock() - begun


async def _is_settled(real: World, tables: list[Table]) -> bool:
    for table in tables:
        log = await _log(real, table)
        end = None if log is None else (seq_of(log), f"{crc_of(log):08x}")
        if any(client.pending or client.place != end for client in table.clients):
            return False
    return True


async def _log(real: World, table: Table) -> bytes | None:
    """The log that the session's master holds; None where it is not known who that is."""
    if not (master := await real.store.master(table.id)):
        return None
    try:
        return await master.read(keys.session_log(table.id))
    except RedisError:
        return None
