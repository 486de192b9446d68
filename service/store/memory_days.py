"""Days and records in memory."""

from bisect import bisect_right
from collections.abc import Callable, Sequence
from dataclasses import replace

from service.ports.daily import Day, Entrant, PlayedDay, StoredDay


class MemoryDays:
    """Days, their runs, and the lease of whoever keeps them, which ends by the milliseconds that `now` gives."""

    def __init__(self, now: Callable[[], int]) -> None:
        self._now = now
        self._days: dict[Day, StoredDay] = {}
        self._void: set[Day] = set()
        self._runs: dict[Day, dict[str, Entrant]] = {}
        self._unsettled: dict[Day, set[str]] = {}
        self._lease = "", 0

    async def add(self, day: StoredDay) -> StoredDay:
        return self._days.setdefault(day.day, day)

    async def find(self, days: Sequence[Day]) -> list[StoredDay | None]:
        return [self._days.get(day) for day in days]

    async def void(self, day: Day) -> None:
        self._void.add(day)
        if stored := self._days.get(day):
            self._days[day] = replace(stored, is_void=True)

    async def voided(self, rules: str) -> set[str]:
        return {day.date for day in self._void if day.rules == rules}

    async def finish(self, day: Day, time: int, summary: str) -> None:
        if stored := self._days.get(day):
            final = time if stored.final is None else stored.final
            self._days[day] = replace(stored, final=final, summary=summary)

    async def enter(self, day: Day, entrant: Entrant) -> None:
        runs = self._runs.setdefault(day, {})
        if entrant.session not in runs:
            runs[entrant.session] = entrant
            self._unsettled.setdefault(day, set()).add(entrant.session)

    async def entrant(self, day: Day, session: str) -> Entrant | None:
        return self._runs.get(day, {}).get(session)

    async def entrants(self, day: Day, cursor: int, limit: int) -> tuple[list[Entrant], int]:
        page = list(self._runs.get(day, {}).values())[cursor : cursor + limit]
        return page, cursor + limit if len(page) == limit else 0

    async def unsettled(self, day: Day, after: str, limit: int) -> list[Entrant]:
        sessions = sorted(self._unsettled.get(day, ()))
        start = bisect_right(sessions, after)
        return [self._runs[day][session] for session in sessions[start : start + limit]]

    async def settle(self, day: Day, session: str) -> None:
        self._unsettled.get(day, set()).discard(session)

    async def lease(self, holder: str, milliseconds: int) -> bool:
        held_by, ends = self._lease
        if held_by != holder and self._now() < ends:
            return False
        self._lease = holder, self._now() + milliseconds
        return True


class MemoryRecords:
    """What the records of players, of whom `is_there` tells, say of their days."""

    def __init__(self, is_there: Callable[[str], bool]) -> None:
        self._is_there = is_there
        self._days: dict[str, dict[Day, PlayedDay]] = {}

    async def begin(self, player: str, day: Day, run: PlayedDay) -> PlayedDay:
        return self._of(player).setdefault(day, run)

    async def conclude(self, player: str, day: Day, run: PlayedDay) -> None:
        days = self._of(player)
        if day not in days or days[day].session == run.session:
            days[day] = run

    async def days(self, player: str, rules: str) -> dict[str, PlayedDay]:
        return {day.date: run for day, run in self._of(player).items() if day.rules == rules}

    async def dates(self, player: str) -> set[str]:
        return {day.date for day in self._of(player)}

    def _of(self, player: str) -> dict[Day, PlayedDay]:
        """The days of a player; of one who is gone there are none, nor will be."""
        if self._is_there(player):
            return self._days.setdefault(player, {})
        self._days.pop(player, None)
        return {}
