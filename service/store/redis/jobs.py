"""The workers' list in Redis: a stream with a group, in one slot, and beside it who wants what and what is done."""

import logging
from typing import Any, Final

import msgspec

from service.ports import Job, Problem, SolverBusy
from service.store.redis import keys
from service.store.redis.client import Client, text
from service.store.redis.scripts import Script

WANTED_MS: Final = 10_000
"""How long a problem is wanted without being asked again."""
HELD_MS: Final = 6_000
"""How long a worker may say nothing before its job is another's."""
WAIT_MS: Final = 2_000
"""How long an answer may wait for something to tell: less than a node may take to answer."""
MOST: Final = 1_000
"""Problems on the list."""
TOLD: Final = 1_000
"""Names of problems that are done, which are kept; whoever waits reads them at once."""

_GROUP: Final = "workers"
_WORKER: Final = "worker"
"""The one name of them all: a job is another's by the time alone that nobody held it, and no name is left behind."""
_TAKEN: Final = 2
_log = logging.getLogger(__name__)
_encode: Final = msgspec.json.Encoder().encode
_decode: Final = msgspec.json.Decoder(Problem).decode


class RedisJobs:
    """The list."""

    def __init__(self, client: Client) -> None:
        self._client = client
        self._ask, self._finish = Script(client, "ask"), Script(client, "finish")

    async def ask(self, problem: Problem) -> bool:
        said: int = await self._ask(_wanted(problem.name), [WANTED_MS, MOST, HELD_MS, _encode(problem)])
        if not said:
            raise SolverBusy
        return said == _TAKEN

    async def take(self) -> Job | None:
        await self._ask(_wanted(""), [WANTED_MS, MOST, HELD_MS])
        left = ("XAUTOCLAIM", keys.SOLVER_JOBS, _GROUP, _WORKER, HELD_MS, "0", "COUNT", 1)
        [claimed] = await self._client.ask(keys.SOLVER_JOBS, left)
        if not (entries := claimed[1]):
            group = ("GROUP", _GROUP, _WORKER)
            new = ("XREADGROUP", *group, "COUNT", 1, "BLOCK", WAIT_MS, "STREAMS", keys.SOLVER_JOBS, ">")
            [answer] = await self._client.ask(keys.SOLVER_JOBS, new)
            entries = _entries(answer)
        return await self._read(*entries[0]) if entries else None

    async def hold(self, job: Job) -> bool:
        claim = ("XCLAIM", keys.SOLVER_JOBS, _GROUP, _WORKER, 0, job.place)
        wanted = ("GET", keys.solver_wanted(job.problem.name))
        [_, place] = await self._client.ask(keys.SOLVER_JOBS, claim, wanted)
        return bool(place) and text(place) == job.place

    async def finish(self, job: Job) -> None:
        name = job.problem.name
        await self._finish((*_wanted(name), keys.DONE), [job.place, TOLD, name])

    async def finished(self, since: str) -> tuple[str, list[str]]:
        read = ("XREAD", "BLOCK", WAIT_MS, "STREAMS", keys.DONE, since)
        [answer] = await self._client.ask(keys.DONE, read)
        entries = _entries(answer)
        return (text(entries[-1][0]) if entries else since), [text(fields[b"name"]) for _, fields in entries]

    async def _read(self, place: bytes, fields: dict[bytes, bytes]) -> Job | None:
        """The job at a place; one that is damaged is taken off the list."""
        try:
            return Job(text(place), _decode(fields[b"problem"]))
        except (KeyError, msgspec.DecodeError) as error:
            _log.error("a problem on the workers' list is damaged: %r", error)
            off = [("XACK", keys.SOLVER_JOBS, _GROUP, place), ("XDEL", keys.SOLVER_JOBS, place)]
            await self._client.ask(keys.SOLVER_JOBS, *off)
            return None


def _wanted(name: str) -> tuple[str, str]:
    return keys.solver_wanted(name), keys.SOLVER_JOBS


def _entries(answer: Any) -> list[tuple[bytes, dict[bytes, bytes]]]:
    """The entries of the one stream that was read; none where nothing came in time."""
    return answer[0][1] if answer else []
