"""What a player is told of the days behind: the rows they make, the calendar, and what the runs came to."""

from collections.abc import Mapping
from dataclasses import dataclass

from service.ports import Clock
from service.ports.daily import DayStore, PlayedDay, RecordStore
from service.protocol.days import Calendar, DailyStatistics
from service.usecases.days import DAILY_RULES, number_of, today
from service.usecases.streaks import calendar, outcomes, streaks


@dataclass(frozen=True, slots=True)
class Records:
    """Players' days. Every method may raise StoreUnavailable."""

    days: DayStore
    records: RecordStore
    clock: Clock

    async def statistics(self, player: str) -> dict[str, DailyStatistics]:
        """What the player's days came to, under each of the challenge's rules."""
        return {rules: await self._statistics(player, rules) for rules in DAILY_RULES}

    async def calendar(self, player: str, rules: str, month: str) -> Calendar:
        """A month of the player's days."""
        runs, void, date = await self._read(player, rules)
        found, number = outcomes(runs), number_of(date)
        days = calendar(found, void, number, month)
        return Calendar(rules=rules, month=month, today=date, days=days, streaks=streaks(found, void, number))

    async def _statistics(self, player: str, rules: str) -> DailyStatistics:
        runs, void, date = await self._read(player, rules)
        ended = [run for run in runs.values() if run.moves]
        points = [run.points for run in ended if run.points is not None]
        return DailyStatistics(
            played=len(ended),
            won=sum(run.won for run in ended),
            best=max(points, default=None),
            average=sum(points) // len(points) if points else None,
            streaks=streaks(outcomes(runs), void, number_of(date)),
        )

    async def _read(self, player: str, rules: str) -> tuple[Mapping[str, PlayedDay], set[int], str]:
        """The player's days, the numbers of those that are void, and today's date."""
        void = {number_of(date) for date in await self.days.voided(rules)}
        return await self.records.days(player, rules), void, today(self.clock.now())
