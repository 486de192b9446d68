"""Days ahead: each with a random deal that is certified, and bound to it by a commitment before anybody may see it."""

from typing import Final

from service.engine.deal import Seeded, start
from service.engine.notation import format_deal
from service.engine.rules import PRESETS
from service.ports import Clock
from service.ports.daily import Day, DayStore, StoredDay
from service.solver.verify import wins
from service.usecases.days import DAILY_RULES, commitment, date_of, difficulty_on, number_of, today
from service.usecases.deals import Deals
from service.usecases.errors import NoSuchDeal
from service.usecases.solutions import plan_of

ROUNDS: Final = 10
"""How often deals are drawn for a day before it is given up for now."""


class BadCertificate(Exception):
    """The line of a certificate does not win."""


class Preparing:
    """Prepares days. Every method may raise StoreUnavailable, and SolverBusy while nobody can certify."""

    def __init__(self, days: DayStore, deals: Deals, clock: Clock) -> None:
        self._days, self._deals, self._clock = days, deals, clock

    async def missing(self, ahead: int) -> list[Day]:
        """The days from today to so many ahead that are not prepared, the next first."""
        first = number_of(today(self._clock.now()))
        wanted = [Day(date_of(first + more), rules) for more in range(ahead + 1) for rules in DAILY_RULES]
        found = await self._days.find(wanted)
        return [day for day, stored in zip(wanted, found, strict=True) if stored is None]

    async def prepared(self, ahead: int) -> dict[str, int]:
        """For each preset how many days are prepared without a gap, today the first, of so many ahead."""
        first = number_of(today(self._clock.now()))
        missing = await self.missing(ahead)
        gaps = {rules: [number_of(day.date) for day in missing if day.rules == rules] for rules in DAILY_RULES}
        return {rules: min(numbers, default=first + ahead + 1) - first for rules, numbers in gaps.items()}

    async def prepare(self, day: Day) -> StoredDay:
        """The day as it is kept from now on: by whoever was first. Raises NoSuchDeal where none was found in time."""
        difficulty = difficulty_on(day.date)
        for attempt in range(ROUNDS):
            try:
                certificate = await self._deals.draw(day.rules, difficulty, is_secret=True, at_once=1)
                break
            except NoSuchDeal:
                if attempt == ROUNDS - 1:
                    raise
        deal, report, line = certificate
        if not isinstance(deal, Seeded) or not wins(start(deal, PRESETS[day.rules]), PRESETS[day.rules], line):
            raise BadCertificate(f"the certificate of {day} does not hold")
        return await self._days.add(
            StoredDay(
                day=day,
                deal=format_deal(deal),
                difficulty=difficulty,
                plan=plan_of(line),
                par=report.par or 0,
                commitment=commitment(day, deal.seed),
                committed=self._clock.now(),
            )
        )
