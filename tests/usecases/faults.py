"""A store in memory whose calls fail when a test says so, before they are carried out or after."""

from collections.abc import Awaitable, Callable
from enum import Enum
from typing import Any

from service.ports import StoreUnavailable
from service.usecases.closing import Closing
from service.usecases.daily import Dailies
from service.usecases.history import Histories
from tests.usecases.daily_world import DailyWorld


class Fault(Enum):
    BEFORE = "nothing is done"
    AFTER = "all is done, and the answer is lost"


class Faults:
    """Which calls fail: the one with number `at`, counted from 0, and with `is_away` every one."""

    def __init__(self) -> None:
        self.at: int | None = None
        self.kind = Fault.BEFORE
        self.is_away = False
        self.calls = 0

    def fail(self, at: int, kind: Fault) -> None:
        """Counts anew, and has one call fail."""
        self.at, self.kind, self.calls = at, kind, 0

    def next(self) -> Fault | None:
        """What becomes of a call."""
        number, self.calls = self.calls, self.calls + 1
        return self.kind if self.is_away or number == self.at else None


class Failing:
    """A part of a store, whose calls may fail."""

    def __init__(self, part: Any, faults: Faults) -> None:
        self._part, self._faults = part, faults

    def __getattr__(self, name: str) -> Callable[..., Awaitable[Any]]:
        method = getattr(self._part, name)

        async def call(*arguments: Any) -> Any:
            fault = self._faults.next()
            if fault is Fault.BEFORE:
                raise StoreUnavailable(name)
            answer = await method(*arguments)
            if fault is Fault.AFTER:
                raise StoreUnavailable(name)
            return answer

        return call


def failing(part: Any, faults: Faults) -> Any:
    """The part, as whatever port it is."""
    return Failing(part, faults)


class FaultyWorld(DailyWorld):
    """A world in which runs are begun, settled and closed on a store that may fail; they are played on a good one."""

    def __init__(self) -> None:
        super().__init__()
        self.faults = Faults()
        parts = (self.store.sessions, self.store.days, self.store.records, self.store.boards)
        sessions, days, records, boards = [failing(part, self.faults) for part in parts]
        histories = Histories(sessions, 10)
        self.closing = Closing(sessions, days, records, boards, histories, self.clock)
        self.dailies = Dailies(sessions, days, records, histories, self.clock, self.chance)
