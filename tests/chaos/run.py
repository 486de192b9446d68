"""One run: some sessions and their clients in a world, faults for a while, and the verdict."""

import asyncio
from contextlib import suppress
from dataclasses import dataclass
from functools import partial
from random import Random
from typing import NamedTuple

import httpx
from redis.exceptions import RedisError

from service.engine.log import seq_of
from service.engine.notation import parse_deal, parse_rules
from service.store.redis import keys
from service.usecases.live import ROUND_SECONDS
from tests.chaos.checker import check
from tests.chaos.faults import harm
from tests.chaos.history import Findings, Kind, Problem
from tests.chaos.node_faults import cut_doorbells
from tests.chaos.play import running, settled
from tests.chaos.stores import Store, Topology
from tests.chaos.tables import seated
from tests.chaos.world import World

SECONDS = 1.5
CALM = 0.2  # seconds of play before and after the faults
STANDING = ROUND_SECONDS + 1  # seconds in which each service has gone the round of its sessions
ONE_PROMOTES_IN = 10


class Plan(NamedTuple):
    """What kind of run a seed stands for."""

    topology: Topology
    promotes: bool
    is_guarded: bool = False
    """Whether a master takes no write when no replica follows it."""


def plan_of(seed: int) -> Plan:
    """Every tenth run has promotions, in a cluster and under sentinels in turns; the others have each topology."""
    turn, rest = divmod(seed, ONE_PROMOTES_IN)
    if rest == 0:
        topology = [Topology.CLUSTER, Topology.SENTINELS][turn % 2]
        return Plan(topology, promotes=True, is_guarded=turn % 4 == 1)
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
    await real.store.demand_replicas(int(plan.is_guarded))
    before = real.store.promotions
    async with httpx.AsyncClient(trust_env=False, verify=False) as http:
        tables = [await seated(real.doors, http, seed, number) for number in range(chance.choice([1, 1, 2]))]
        clients = [client for table in tables for client in table.clients]
        async with running(clients):
            await asyncio.sleep(CALM)
            faults = await harm(real, [table.id for table in tables], seconds, chance, plan.promotes)
            await asyncio.sleep(CALM)
            if chance.random() < 0.5:  # the last entries ring at nobody's door
                await cut_doorbells(real.store)
                await asyncio.sleep(chance.uniform(0.05, CALM))
            for client in clients:
                client.quiet = True
            if plan.promotes:
                await real.store.stand()  # until then a promotion may still be under way, or an old master go on
            logs, seconds_to_settle = await settled(tables, partial(_log, real.store), STANDING if plan.promotes else 0)
            promotions = real.store.promotions - before
    found = [
        check(parse_deal(table.deal), parse_rules(table.rules), log, table.witnesses, may_lose=promotions > 0)
        for table, log in zip(tables, logs, strict=True)
    ]
    problems = [problem for each in found for problem in each.problems]
    await real.mend()
    problems += [Problem(Kind.BROKEN, said) for service in real.services for said in service.mistakes()]
    acknowledged = sum(each.acknowledged for each in found)
    entries = sum(map(seq_of, logs))
    return Outcome(plan, Findings(acknowledged, problems), entries, seconds_to_settle, promotions, faults)


async def _log(store: Store, session: str) -> bytes | None:
    """The log that the session's master holds; None where it does not answer, or is not known."""
    with suppress(RedisError):
        master = await store.master(session)
        return await master.read(keys.session_log(session)) if master else None
    return None
