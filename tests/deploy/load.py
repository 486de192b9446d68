"""Play through the proxy while something is done to what is behind it, and the verdict on what everybody was told."""

import asyncio
from collections import Counter
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass

import httpx

from service.engine.log import seq_of
from service.engine.notation import parse_deal, parse_rules
from tests.chaos.checker import check
from tests.chaos.client import Client
from tests.chaos.history import Findings, Told, Witness
from tests.chaos.play import ReadLog, running, settled
from tests.chaos.run import STANDING
from tests.chaos.tables import Table, seated

TABLES = 3
GOING_ON = 15.0  # seconds in which play goes on at every table when nothing is wrong any more


@dataclass
class Verdict:
    """What came of it; `settled` is the seconds until the last client was up to date."""

    findings: Findings
    entries: int
    settled: float
    refusals: Counter[int]
    """How often each status said that nobody was there."""
    resumes: int

    def __str__(self) -> str:
        problems = "".join(f"\n  {problem.kind.value}: {problem.what}" for problem in self.findings.problems[:20])
        return (
            f"{self.findings.acknowledged} acknowledged, {self.entries} entries, settled in {self.settled:.1f} s, "
            f"{self.resumes} resumes, turned away: {dict(self.refusals)}{problems}"
        )


class Play:
    """Sessions with players and spectators, all of whom come by one door."""

    def __init__(self, tables: Sequence[Table], read: ReadLog) -> None:
        self.tables, self._read = tables, read

    @property
    def clients(self) -> list[Client]:
        return [client for table in self.tables for client in table.clients]

    async def goes_on(self) -> float:
        """Returns when a command was acknowledged at every table, and in how many seconds; raises TimeoutError."""
        loop = asyncio.get_running_loop()
        begun, before = loop.time(), [_acked(table) for table in self.tables]
        async with asyncio.timeout(GOING_ON):
            for table, acked in zip(self.tables, before, strict=True):
                while _acked(table) <= acked:  # noqa: ASYNC110 - all its clients do it
                    await asyncio.sleep(0.02)
        return loop.time() - begun

    async def ended(self, may_lose: bool = False) -> Verdict:
        """Calls everybody off, waits until all know how it ended, and judges."""
        for client in self.clients:
            client.quiet = True
        logs, seconds = await settled(self.tables, self._read, STANDING if may_lose else 0)
        found = [
            check(parse_deal(table.deal), parse_rules(table.rules), log, table.witnesses, may_lose)
            for table, log in zip(self.tables, logs, strict=True)
        ]
        return Verdict(
            Findings(
                sum(each.acknowledged for each in found), [problem for each in found for problem in each.problems]
            ),
            sum(map(seq_of, logs)),
            seconds,
            sum((client.refusals for client in self.clients), Counter()),
            sum(self.resumes().values()),
        )

    def resumes(self) -> dict[str, int]:
        """How often each client was told that it had everything now."""
        return {
            client.witness.name: sum(told.kind == "subbed" for told in client.witness.told) for client in self.clients
        }

    def begun_anew(self) -> list[tuple[str, Told]]:
        """Who was given a whole session although it had named its place, but for what follows the rest of a session."""
        return [(client.witness.name, told) for client in self.clients for told in _begun_anew(client.witness)]


def _acked(table: Table) -> int:
    return sum(len(witness.acked) for witness in table.witnesses)


def _begun_anew(witness: Witness) -> list[Told]:
    """A snapshot that follows `subbed` tells of seats; the first of all is what everybody begins with."""
    return [
        told
        for before, told in zip(witness.told, witness.told[1:], strict=False)
        if told.kind == "reset" or (told.kind == "snapshot" and before.kind != "subbed")
    ]


@asynccontextmanager
async def playing(door: str, read: ReadLog, seed: int, tables: int = TABLES) -> AsyncIterator[Play]:
    """Play by way of the door, HOST:PORT, until the end of the context; the seed chooses who sits where."""
    async with httpx.AsyncClient(trust_env=False, verify=False) as http:
        play = Play([await seated([door], http, seed, number) for number in range(tables)], read)
        async with running(play.clients):
            await play.goes_on()
            yield play
