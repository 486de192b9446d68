"""The open sockets of this process, and how they are sent elsewhere when it stops."""

import asyncio
from collections.abc import Callable, Iterator
from contextlib import contextmanager
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
    """Which sockets are open, and whether more are wanted."""

    def __init__(self) -> None:
        self._open: set[Leave] = set()
        self._retries = count(FIRST_RETRY_MS, RETRY_STEP_MS)
        self.are_leaving = False

    @contextmanager
    def one(self, leave: Leave) -> Iterator[None]:
        """A socket that is open in this context; it has to leave at once where the others are leaving."""
        self._open.add(leave)
        if self.are_leaving:
            leave(next(self._retries))
        try:
            yield
        finally:
            self._open.remove(leave)

    async def send_away(self) -> None:
        """Has every socket leave, also those that are yet to come."""
        self.are_leaving = True
        for number, leave in enumerate(tuple(self._open), 1):
            leave(next(self._retries))
            if number % BATCH == 0:
                await asyncio.sleep(0)
