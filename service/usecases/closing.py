"""What becomes of runs: their results go to the boards, and in the end the boards are made from the logs alone.

A result belongs in three slots: the log's, the player's and the day's. Each step of noting it can be repeated without
effect, a run stays among the unsettled until all of them are done, and a sweep goes over those.
"""

import logging
from collections import defaultdict
from collections.abc import AsyncIterator, Sequence
from dataclasses import dataclass
from typing import Final

import msgspec

from service.ports import Clock, SessionStore
from service.ports.boards import Board, BoardStore, Result, Scope, Standing
from service.ports.daily import Day, DayStore, Entrant, Field, PlayedDay, RecordStore, RunKind, StoredDay
from service.protocol.days import DaySummary
from service.usecases.days import ends, homes_of, late_until
from service.usecases.errors import NoSuchDay, NoSuchSession, UseCaseError
from service.usecases.history import Histories, History
from service.usecases.results import best_of, ended, percentiles, result_of, standings_of, summary_of, was_played

MARGIN_MS: Final = 30_000
"""How long after its last moment a run is let alone: no commit that was judged before that is under way any more."""
PAGE: Final = 200
"""Runs that are read at a time."""

_log = logging.getLogger(__name__)


def _of(day: Day, entrant: Entrant) -> dict[str, str]:
    """What the log says of a run."""
    return {"day": str(day), "session": entrant.session, "player": entrant.player}


def run_ends(day: Day, kind: RunKind) -> int:
    """From when on a run of a day takes no entry, in milliseconds since the epoch."""
    return late_until(day.date) if kind is RunKind.LATE else ends(day.date)


@dataclass(frozen=True, slots=True)
class Closing:
    """Settles runs and closes days. Every method may raise StoreUnavailable."""

    sessions: SessionStore
    days: DayStore
    records: RecordStore
    boards: BoardStore
    histories: Histories
    clock: Clock

    def is_due(self, stored: StoredDay) -> bool:
        """Whether all runs of a day that rank have ended, and its boards are not final."""
        return stored.final is None and self._is_past(stored.day, RunKind.FIRST)

    async def settle(self, stored: StoredDay, entrant: Entrant) -> None:
        """Notes a run's result wherever it belongs, if it is over by now. Raises CorruptSession."""
        day = stored.day
        try:
            history = await self.histories.fresh(entrant.session)
            if entrant.kind is RunKind.LATE and stored.final and self._is_past(day, entrant.kind):
                history = await self._unsealed(entrant.session)
        except NoSuchSession:  # nobody was ever shown it
            await self.days.settle(day, entrant.session)
            return
        if not history.game.is_over and history.meta.is_open:
            return
        if entrant.kind is RunKind.LATE:
            if not stored.final:
                return  # its deal is a secret still
            await self._unsealed(entrant.session)
        elif not stored.final and not stored.is_void and was_played(history):
            for board, standing in standings_of(day, entrant, result_of(history)).items():
                await self.boards.submit(board, standing)
        await self._conclude(day, entrant, history)
        await self.days.settle(day, entrant.session)

    async def sweep(self, stored: StoredDay) -> None:
        """Settles all runs of a day that are over and were not settled, as after a crash."""
        after = ""
        while unsettled := await self.days.unsettled(stored.day, after, PAGE):
            await self._settle_all(stored, unsettled)
            after = unsettled[-1].session

    async def _settle_all(self, stored: StoredDay, entrants: Sequence[Entrant]) -> None:
        for entrant in entrants:
            try:
                await self.settle(stored, entrant)
            except UseCaseError as error:  # of one run, which the others must not suffer for
                _log.error("a run is not settled: %s", error, extra=_of(stored.day, entrant))

    async def recompute(self, day: Day) -> DaySummary:
        """Makes a day's boards from the logs alone, and answers what it came to by now.

        Once its runs have ended they are ended for good, open to everybody, and the boards are final and count in their
        periods. Raises NoSuchDay.
        """
        [stored] = await self.days.find([day])
        if stored is None:
            raise NoSuchDay(day)
        is_past = self._is_past(day, RunKind.FIRST)
        removed = await self.boards.removed(str(day))
        ranked: list[tuple[tuple[bool, int], Entrant, Result]] = []
        unranked: list[Entrant] = []
        async for entrant in self._ranking(day):
            history = await self._history(day, entrant, is_past)
            can_rank = not stored.is_void and entrant.player not in removed
            if can_rank and history and was_played(history) and (is_past or history.game.is_over):
                ranked.append((ended(history), entrant, result_of(history)))
            else:
                unranked.append(entrant)
        standings: dict[Board, list[Standing]] = defaultdict(list)
        for _, entrant, result in sorted(ranked):
            for board, standing in standings_of(day, entrant, result).items():
                standings[board].append(standing)
        boards = {board: best_of(rows) for board, rows in standings.items()}
        await self.boards.rebuild(str(day), boards)
        summary = summary_of(boards)
        if is_past:
            await self._count_in_periods(day, boards, unranked)
            await self.days.finish(day, self.clock.now(), msgspec.json.encode(summary).decode())
        else:  # what has ended since it was read is on the old boards
            counted = {entrant.session for _, entrant, _ in ranked}
            others = [entrant async for entrant in self._ranking(day) if entrant.session not in counted]
            await self._settle_all(stored, others)
        return summary

    async def remove(self, day: Day, player: str) -> bool:
        """Takes a player off a day's boards, and the day out of the player's periods, for good; if it was there."""
        was_there = await self.boards.remove(str(day), player)
        for field in Field:
            await self._take_out(day, player, field)
        return was_there

    async def _ranking(self, day: Day) -> AsyncIterator[Entrant]:
        """Every run of a day that ranks, once."""
        seen: set[str] = set()
        cursor = None
        while cursor != 0:
            page, cursor = await self.days.entrants(day, cursor or 0, PAGE)
            for entrant in page:
                if entrant.session not in seen and entrant.kind is not RunKind.LATE:
                    yield entrant
                seen.add(entrant.session)

    async def _history(self, day: Day, entrant: Entrant, is_past: bool) -> History | None:
        """What a run's log says, which is its last word once the day is past; None where it cannot be read."""
        try:
            if not is_past:
                return await self.histories.fresh(entrant.session)
            history = await self._unsealed(entrant.session)
            await self._conclude(day, entrant, history)
            await self.days.settle(day, entrant.session)
        except UseCaseError as error:  # of one run, which the others must not suffer for
            _log.error("a run does not count: %s", error, extra=_of(day, entrant))
            return None
        return history

    async def _unsealed(self, session: str) -> History:
        await self.sessions.unseal(session)
        return await self.histories.fresh(session)

    async def _conclude(self, day: Day, entrant: Entrant, history: History) -> None:
        """Has the player's record show what came of the run that counts there."""
        if entrant.kind is RunKind.OPEN:
            return
        result = result_of(history)
        run = PlayedDay(
            entrant.session, entrant.kind, history.meta.created, was_played(history), result.won, result.points
        )
        await self.records.conclude(entrant.player, day, run)

    async def _count_in_periods(
        self, day: Day, boards: dict[Board, list[Standing]], unranked: Sequence[Entrant]
    ) -> None:
        for entrant in unranked:
            if entrant.kind is RunKind.FIRST:
                await self._take_out(day, entrant.player, entrant.field)
        for board, rows in boards.items():
            if board.scope is not Scope.FIRST:
                continue
            for row, share in zip(rows, percentiles(rows), strict=True):
                for home, best in homes_of(day):
                    value = row.result.points if best and row.result else share
                    await self.boards.add_up(board._replace(home=home), row.player, day.date, value, best)

    async def _take_out(self, day: Day, player: str, field: Field) -> None:
        """Has a day count no more in a player's periods."""
        for home, best in homes_of(day):
            await self.boards.add_up(Board(home, Scope.FIRST, field), player, day.date, None, best)

    def _is_past(self, day: Day, kind: RunKind) -> bool:
        return self.clock.now() >= run_ends(day, kind) + MARGIN_MS
