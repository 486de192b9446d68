"""A world with a daily challenge: days on one deal, which is certified once in a run of the tests."""

from functools import cache
from typing import Final

from service.engine.deal import Seeded, start
from service.engine.notation import format_deal
from service.engine.rules import PRESETS
from service.ports import StoredPlayer
from service.ports.boards import Board, BoardPage, Scope
from service.ports.daily import Day, Field, StoredDay
from service.solver.certify import Certificate, certify
from service.usecases.closing import Closing
from service.usecases.commands import Resign
from service.usecases.daily import Dailies
from service.usecases.days import commitment, opens
from service.usecases.history import Histories
from tests.usecases.world import Board as Table
from tests.usecases.world import World

SEED: Final = bytes(31) + b"\x03"
"""A deal that can be won under both of the challenge's rules."""
DAY: Final = Day("2026-11-30", "modern")
NOON_MS: Final = 12 * 3_600_000
ALL: Final = 1_000


@cache
def certificate(rules: str) -> Certificate:
    """What the solver finds of the deal of SEED."""
    return certify(start(Seeded(SEED), PRESETS[rules]), PRESETS[rules], 20_000)


def prepared(day: Day = DAY) -> StoredDay:
    """A day on the deal of SEED, as it is kept."""
    found = certificate(day.rules)
    return StoredDay(
        day=day,
        deal=format_deal(Seeded(SEED)),
        difficulty="steady",
        plan=" ".join(map(str, found.best)),
        par=found.par or 0,
        commitment=commitment(day, SEED),
        committed=opens(day.date) - NOON_MS,
    )


class DailyWorld(World):
    """It is noon on DAY, which is kept; players are people, not newcomers, unless a test says else."""

    def __init__(self) -> None:
        super().__init__()
        self.clock.time = opens(DAY.date) + NOON_MS
        self.histories = Histories(self.store.sessions, 10)
        store = self.store
        self.closing = Closing(store.sessions, store.days, store.records, store.boards, self.histories, self.clock)
        self.dailies = Dailies(store.sessions, store.days, store.records, self.histories, self.clock, self.chance)

    async def keep(self, day: Day = DAY) -> StoredDay:
        """Has a day kept, as it stands then."""
        await self.store.days.add(prepared(day))
        return await self.stored(day)

    async def stored(self, day: Day = DAY) -> StoredDay:
        [stored] = await self.store.days.find([day])
        assert stored
        return stored

    async def begun(self, player: StoredPlayer, day: Day = DAY, is_timed: bool = False) -> Table:
        """The player's run that counts for a day."""
        session, _ = await self.dailies.begin(day, player, is_timed)
        return Table(self.here, player, session)

    async def practised(self, player: StoredPlayer, day: Day = DAY) -> Table:
        return Table(self.here, player, await self.dailies.practise(day, player))

    async def resigned(self, player: StoredPlayer, moves: int, day: Day = DAY) -> Table:
        """The player's run that counts, given up after so many moves of the plan."""
        table = await self.begun(player, day)
        await table.play(*plan(day)[:moves])
        await table.do(Resign())
        return table

    async def sweep(self, day: Day = DAY) -> None:
        await self.closing.sweep(await self.stored(day))

    async def board(
        self, scope: Scope = Scope.FIRST, field: Field = Field.NEWCOMERS, home: str = str(DAY)
    ) -> BoardPage:
        return await self.store.boards.page(Board(home, scope, field), None, ALL)


def plan(day: Day = DAY) -> list[str]:
    """The moves of a win."""
    return prepared(day).plan.split()
