"""Group commit: what is to be committed while one script call is under way travels together in the next."""

import asyncio
from collections import deque
from dataclasses import dataclass
from typing import Final, TypeAlias

from redis.commands.core import AsyncScript

from service.ports import StoreUnavailable, Verdict
from service.store.redis.client import failures_named, text

BATCH: Final = 128
"""The most commits of one call, so that none keeps the server from others for long."""
FAILED: Final = "failed: "

Argument: TypeAlias = str | int | bytes


@dataclass(frozen=True, slots=True)
class _Waiting:
    """A commit's keys and arguments, and who waits for what becomes of it."""

    names: list[str]
    arguments: list[Argument]
    verdict: asyncio.Future[Verdict]


class Commits:
    """Calls of the commit script, one at a time, each with all that waits; one that fails spares the others."""

    def __init__(self, script: AsyncScript) -> None:
        self._script = script
        self._queue: deque[_Waiting] = deque()
        self._sending: asyncio.Task[None] | None = None

    async def commit(self, names: list[str], arguments: list[Argument]) -> Verdict:
        """What the script says of one commit; raises StoreUnavailable."""
        one = _Waiting(names, arguments, asyncio.get_running_loop().create_future())
        self._queue.append(one)
        if self._sending is None or self._sending.done():
            self._sending = asyncio.create_task(self._send())
        return await one.verdict

    async def _send(self) -> None:
        while self._queue:
            batch = [self._queue.popleft() for _ in range(min(BATCH, len(self._queue)))]
            try:
                with failures_named():
                    said = await self._script(
                        [name for one in batch for name in one.names],
                        [argument for one in batch for argument in one.arguments],
                    )
                words = [text(word) for word in said]
            except BaseException as error:
                words = [FAILED + str(error)] * len(batch)
                if not isinstance(error, StoreUnavailable):
                    raise
            finally:
                for one, word in zip(batch, words, strict=True):
                    _settle(one.verdict, word)


def _settle(verdict: asyncio.Future[Verdict], word: str) -> None:
    if verdict.done():
        return  # whoever waited has gone
    if word.startswith(FAILED):
        verdict.set_exception(StoreUnavailable(word.removeprefix(FAILED)))
    else:
        verdict.set_result(Verdict(word))
