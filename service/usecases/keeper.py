"""The keeper of the daily challenge: prepares the days ahead, notes what became of runs, and makes boards final.

Every process of the service has one, and of all of them the one with the lease goes the rounds. Each step can be
repeated, so that a lease which is lost in between costs nothing.
"""

import asyncio
import logging
from collections.abc import Awaitable, Callable
from typing import Final

from service.ports import SolverBusy, StoreUnavailable
from service.ports.daily import Day, StoredDay
from service.telemetry import traces
from service.telemetry.meters import Meters
from service.usecases.closing import Closing
from service.usecases.days import DAILY_RULES, date_of, number_of, today
from service.usecases.errors import UseCaseError
from service.usecases.history import History
from service.usecases.preparing import Preparing
from service.usecases.tasks import until_one_ends

ROUND_SECONDS: Final = 5.0
"""How often it is looked whether there is something to do."""
SWEEP_SECONDS: Final = 30.0
"""How often runs are looked after whose results are not noted, which are those that go on too."""
LEASE_MS: Final = 60_000
LOOKED_BACK: Final = 40
"""Days behind today that are looked after; older ones that are not final an operator has recomputed."""
SWEPT: Final = 3
"""Days behind today in which runs can have gone on."""
LOOKED_AHEAD: Final = 7
"""Days ahead of today that are looked at also where others prepare them."""
QUEUE: Final = 10_000
"""Runs that ended here and whose results are to be noted; what does not fit is for the sweep."""

_log = logging.getLogger(__name__)


class Keeper:
    """Keeps so many days `ahead` prepared; with 0 it only notes what ended in this process. `holder` names that."""

    def __init__(self, closing: Closing, preparing: Preparing, holder: str, ahead: int, meters: Meters) -> None:
        self._closing, self._preparing, self._holder, self._ahead = closing, preparing, holder, ahead
        self._meters = meters
        self._days, self._clock = closing.days, closing.clock
        self._ended: asyncio.Queue[tuple[Day, str]] = asyncio.Queue(QUEUE)

    def hear(self, history: History) -> None:
        """Is told of a game that has ended in this process; the result of a run is noted soon."""
        run = history.meta.run
        if run is not None and not self._ended.full():
            self._ended.put_nowait((run.day, history.meta.id))

    async def prepared(self) -> dict[str, int]:
        """For each preset how many days are prepared without a gap, today the first; raises StoreUnavailable."""
        return await self._preparing.prepared(max(self._ahead, LOOKED_AHEAD))

    async def run(self) -> None:
        """Works until it is cancelled."""
        steps = {self._close: ROUND_SECONDS, self._prepare: ROUND_SECONDS, self._sweep: SWEEP_SECONDS}
        rounds = [self._again(step, seconds) for step, seconds in steps.items()] if self._ahead else ()
        await until_one_ends(self._note_results(), *rounds)

    async def _again(self, step: Callable[[], Awaitable[None]], seconds: float) -> None:
        """Takes a step every so many seconds while the lease is this process's."""

        async def turn() -> None:
            if await self._is_mine():
                await step()
                self._meters.daily_runs["done"] += 1
                self._meters.daily_done = self._clock.now()

        while True:
            if not await _attempted(turn):
                self._meters.daily_runs["failed"] += 1
            await asyncio.sleep(seconds)

    async def _note_results(self) -> None:
        while True:
            day, session = await self._ended.get()
            await _attempted(lambda: self._note(day, session))  # noqa: B023 - it is awaited before they change

    async def _note(self, day: Day, session: str) -> None:
        [stored] = await self._days.find([day])
        entrant = await self._days.entrant(day, session)
        if stored and entrant:
            with traces.span("settle a run", day=str(day)):
                await self._closing.settle(stored, entrant)

    async def _close(self) -> None:
        """Makes the boards of days whose runs have ended final."""
        for stored in await self._kept(LOOKED_BACK):
            if self._closing.is_due(stored):
                with traces.span("close a day", day=str(stored.day)):
                    await self._closing.recompute(stored.day)
                _log.info("the boards of a day are final", extra={"day": str(stored.day)})

    async def _sweep(self) -> None:
        """Settles the runs that have ended and were not."""
        for stored in await self._kept(SWEPT):
            await self._closing.sweep(stored)

    async def _prepare(self) -> None:
        """Prepares the days that are missing, the next one first."""
        for day in await self._preparing.missing(self._ahead):
            with traces.span("prepare a day", day=str(day)):
                await self._preparing.prepare(day)
            if not await self._is_mine():
                return

    async def _kept(self, back: int) -> list[StoredDay]:
        """The days that are kept, from so many back to today."""
        number = number_of(today(self._clock.now()))
        dates = [date_of(one) for one in range(max(1, number - back), number + 1)]
        found = await self._days.find([Day(date, rules) for date in dates for rules in DAILY_RULES])
        return [stored for stored in found if stored]

    async def _is_mine(self) -> bool:
        return await self._days.lease(self._holder, LEASE_MS)


async def _attempted(step: Callable[[], Awaitable[None]]) -> bool:
    """Takes a step, which comes again if it fails; whether it did not."""
    try:
        await step()
    except (SolverBusy, StoreUnavailable, UseCaseError) as error:
        _log.warning("the daily challenge has to wait: %r", error)
    except Exception:  # a mistake in one step, which must not end the keeper
        _log.exception("the daily challenge has to wait")
    else:
        return True
    return False
