"""The open sockets of this process, and how they are sent elsewhere when it stops."""

import asyncio
from collections import Counter
from collections.abc import Callable
from itertools import count
from typing import Final, TypeAlias

BATCH: Final = 100
"""Sockets that are sent away at once; what is in flight has its turn between two batches."""
FIRST_RETRY_MS: Final = 100
RETRY_STEP_MS: Final = 2
"""How much later each socket should come back than the one before it, so that they do not all come at once."""

Leave: TypeAlias = Callable[[int], None]
"""Ends a socket when all that was asked on it is answered, and has its client come back after so many milliseconds."""


class Sockets:
    """Which sockets are open, from where, and whether more are wanted."""

    def __init__(self) -> None:
        self._open: dict[Leave, str] = {}
        self._addresses: Counter[str] = Counter()
        self._streams: set[Leave] = set()
        self._retries = count(FIRST_RETRY_MS, RETRY_STEP_MS)
        self.will_leave = False
        """Whether the service is told to stop: others should be asked to open sockets."""
        self.are_leaving = False

    @property
    def total(self) -> int:
        """How many are open, streams of events among them."""
        return len(self._open)

    @property
    def streams(self) -> int:
        """How many of them are streams of events."""
        return len(self._streams)

    def of(self, address: str) -> int:
        """How many are open from an address."""
        return self._addresses[address]

    def enter(self, leave: Leave, address: str, *, is_stream: bool = False) -> None:
        """Counts a socket as open; it has to leave at once where the others are leaving."""
        self._open[leave] = address
        if is_stream:
            self._streams.add(leave)
        self._addresses[address] += 1
        if self.are_leaving:
            leave(next(self._retries))

    def exit(self, leave: Leave) -> None:
        """Counts a socket as gone."""
        address = self._open.pop(leave)
        self._streams.discard(leave)
        self._addresses[address] -= 1
        if not self._addresses[address]:
            del self._addresses[address]

    async def send_away(self) -> None:
        """Has every socket leave, also those that are yet to come."""
        self.will_leave = self.are_leaving = True
        for number, leave in enumerate(tuple(self._open), 1):
            leave(next(self._retries))
            if number % BATCH == 0:
                await asyncio.sleep(0)
