"""One run: a world, some sessions and their clients, faults for a while, and the verdict."""

import asyncio
import tempfile
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from random import Random

import httpx
from redis.asyncio import Redis

from service.engine.log import crc_of, seq_of
from service.engine.notation import parse_deal, parse_rules
from service.store.redis import keys
from tests.chaos.checker import check
from tests.chaos.client import Client
from tests.chaos.faults import STORE_KILLED, cut_doorbells, harm
from tests.chaos.history import Findings, Kind, Problem, Witness
from tests.chaos.world import World, world
from tests.live.client import guest

CALM = 0.3  # seconds of play before and after the faults
SETTLING = 10.0  # seconds in which all clients have to be up to date when nothing is wrong any more
EVERYSEC = "everysec"
RULES = ["modern", "cadogan", "pysol"]


@dataclass
class Table:
    """A session and all its clients."""

    id: str
    deal: str
    rules: str
    clients: list[Client]

    @property
    def witnesses(self) -> list[Witness]:
        return [client.witness for client in self.clients]


@dataclass
class Outcome:
    """What came of a run.

    settled: the seconds until the last client was up to date
    kills:   how often the store was killed where that may lose entries
    """

    findings: Findings
    entries: int
    settled: float
    kills: int
    faults: list[str]

    @property
    def silent(self) -> int:
        """What clients were wrongly told, or not told."""
        return self.findings.count(Kind.SILENT, Kind.REORDERED, Kind.BROKEN)

    def __str__(self) -> str:
        problems = "".join(f"\n  {problem.kind.value}: {problem.what}" for problem in self.findings.problems)
        return f"{self.entries} entries, settled in {self.settled:.1f} s, faults: {'; '.join(self.faults)}{problems}"


async def run(seed: int, seconds: float) -> Outcome:
    """Plays under faults for some seconds, all of which the seed chooses but for when exactly each comes about."""
    chance = Random(seed)
    fsync = chance.choice([EVERYSEC, "always"])
    with tempfile.TemporaryDirectory(prefix="chaos-") as folder:
        async with world(Path(folder), fsync) as real, httpx.AsyncClient(trust_env=False, verify=False) as http:
            tables = [await _table(real, http, seed, number) for number in range(chance.choice([1, 1, 2]))]
            clients = [client for table in tables for client in table.clients]
            async with _running(clients):
                await asyncio.sleep(CALM)
                faults = await harm(real, seconds, chance)
                await asyncio.sleep(CALM)
                if chance.random() < 0.5:  # the last entries ring at nobody's door
                    await cut_doorbells(real)
                    await asyncio.sleep(chance.uniform(0.05, CALM))
                for client in clients:
                    client.quiet = True
                settled = await _settled(real, tables)
            logs = [await _log(real, table) for table in tables]
            mistakes = [Problem(Kind.BROKEN, said) for service in real.services for said in service.mistakes]
    # While a sync is under way, `everysec` keeps writes in the process that it has acknowledged, up to two seconds.
    kills = sum(STORE_KILLED in fault for fault in faults) if fsync == EVERYSEC else 0
    found = [
        check(parse_deal(table.deal), parse_rules(table.rules), log, table.witnesses, may_lose=kills > 0)
        for table, log in zip(tables, logs, strict=True)
    ]
    problems = [problem for each in found for problem in each.problems] + mistakes
    acknowledged = sum(each.acknowledged for each in found)
    told = [f"fsync {fsync}", *faults]
    return Outcome(Findings(acknowledged, problems), sum(map(seq_of, logs)), settled, kills, told)


async def _table(real: World, http: httpx.AsyncClient, seed: int, number: int) -> Table:
    """A session with clients of one player's, who race each other, and spectators."""
    chance = Random(f"{seed} {number}")
    async with guest(f"http://{real.doors[0]}") as player:
        rules, deal = chance.choice(RULES), f"pysol:{chance.randrange(1, 10**6)}"
        session = await player.deal(deal, rules=rules)

    def client(role: str, which: int, token: str | None) -> Client:
        own = Random(f"{seed} {number} {role} {which}")
        return Client(f"{role} {number}.{which}", session["id"], token, real.doors, http, own)

    players = [client("player", which, player.token) for which in range(chance.randint(1, 3))]
    spectators = [client("spectator", which, None) for which in range(chance.randint(1, 3))]
    return Table(session["id"], deal, rules, players + spectators)


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
        end = (seq_of(log), f"{crc_of(log):08x}")
        if any(client.pending or client.place != end for client in table.clients):
            return False
    return True


async def _log(real: World, table: Table) -> bytes:
    async with Redis.from_url(real.store.url) as control:
        log = await control.get(keys.session_log(table.id))
    assert not isinstance(log, str)
    return log or b""
