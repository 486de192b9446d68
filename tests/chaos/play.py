"""Clients at play, until they are called off and each has been told how it ended."""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from contextlib import asynccontextmanager
from typing import TypeAlias

from service.engine.log import crc_of, seq_of
from tests.chaos.client import Client
from tests.chaos.tables import Table

SETTLING = 25.0  # seconds in which all clients have to be up to date when nothing is wrong any more

PARTING = 2.0  # seconds in which a client that is called off has closed its link

ReadLog: TypeAlias = Callable[[str], Awaitable[bytes | None]]
"""The log of a session, or None where the store cannot tell it just now."""


@asynccontextmanager
async def running(clients: Sequence[Client]) -> AsyncIterator[None]:
    """The clients at it; raises what ended one of them."""
    tasks = [asyncio.create_task(client.run()) for client in clients]
    try:
        yield
    finally:
        while going := [task for task in tasks if not task.done()]:
            for task in going:  # again, since before Python 3.12 `asyncio.wait_for` can lose a cancellation
                task.cancel()
            await asyncio.wait(going, timeout=PARTING)
        ended = await asyncio.gather(*tasks, return_exceptions=True)
    for error in ended:
        if isinstance(error, Exception):
            raise error


async def settled(tables: Sequence[Table], read: ReadLog, standing: float = 0) -> tuple[list[bytes], float]:
    """The logs, once every client has been at the end of its own for some seconds, and how long that took; or as they
    are in the end, if that does not come about. Raises TimeoutError where they cannot be read."""
    clock = asyncio.get_running_loop().time
    begun = since = clock()
    logs = await _logs(tables, read)
    while clock() < begun + SETTLING:
        before, logs = logs, await _logs(tables, read)
        if logs != before or not all(map(_has_ended, tables, logs)):
            since = clock()
        elif clock() >= since + standing:
            break
        await asyncio.sleep(0.05)
    return logs, clock() - begun


def _has_ended(table: Table, log: bytes) -> bool:
    """Whether all clients wait for nothing, where the log ends."""
    end = seq_of(log), f"{crc_of(log):08x}"
    return all(client.place == end and not client.pending for client in table.clients)


async def _logs(tables: Sequence[Table], read: ReadLog) -> list[bytes]:
    """The logs, once all can be read at once; raises TimeoutError."""
    async with asyncio.timeout(SETTLING):
        while True:
            logs = [await read(table.id) for table in tables]
            if None not in logs:
                return [log for log in logs if log is not None]
            await asyncio.sleep(0.05)
