"""Reports of the solver in Redis: a string each, which expires."""

import logging
from typing import Final

import msgspec

from service.ports import Problem, Report, Task
from service.store.kept import Kept
from service.store.redis import keys
from service.store.redis.client import Client

DAY: Final = 24 * 60 * 60
SECONDS: Final = {Task.SOLVE: DAY, Task.CERTIFY: 30 * DAY}
"""How long each kind of report is kept."""

_log = logging.getLogger(__name__)
_encode: Final = msgspec.json.Encoder().encode
_decode: Final = msgspec.json.Decoder(Kept).decode


class RedisReports:
    """Reports, under the digest of what was asked."""

    def __init__(self, client: Client) -> None:
        self._client = client

    async def find(self, problem: Problem) -> Report | None:
        name = keys.report(problem.digest)
        [stored] = await self._client.ask(name, ("GET", name))
        try:
            return None if stored is None else _decode(stored).report_for(problem)
        except msgspec.DecodeError as error:
            _log.error("a report is damaged, and is found anew: %s", error)
            return None

    async def keep(self, problem: Problem, report: Report) -> None:
        name = keys.report(problem.digest)
        kept = _encode(Kept(problem.budget, report))
        await self._client.ask(name, ("SET", name, kept, "EX", SECONDS[problem.task]))
