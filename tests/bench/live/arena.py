"""Where contenders are started, one beside another, with one Redis for those that want it."""

import contextlib
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

from tests.bench.live.contenders import Asker, Contender
from tests.bench.live.load import Seat
from tests.bench.live.processes import Cores, Program, Spent, running, spent
from tests.servers import Server


class Entrant(NamedTuple):
    """A contender that is running."""

    contender: Contender
    program: Program

    @property
    def asker(self) -> Asker:
        return Asker(self.program.url)

    def seats(self, count: int) -> list[Seat]:
        return self.contender.seats(self.asker, count)


class Arena:
    """The cores, the Redis and the folder for logs."""

    def __init__(self, cores: Cores, redis: Server, logs: Path) -> None:
        self.redis = redis
        self._cores, self._logs = cores, logs
        self._redis_pid = int(redis.control.info("server")["process_id"])
        self._started = 0

    @contextlib.contextmanager
    def running(self, contenders: Sequence[Contender]) -> Iterator[list[Entrant]]:
        """The contenders, all running until the end of the context."""
        with contextlib.ExitStack() as stack:
            yield [Entrant(one, stack.enter_context(self._start(one))) for one in contenders]

    def spent(self, entrant: Entrant) -> Spent:
        """What it, the Redis and the load generator have had of the processors so far."""
        return spent(entrant.program.pid, self._redis_pid, self._cores)

    def _start(self, contender: Contender) -> contextlib.AbstractContextManager[Program]:
        self._started += 1
        redis = {"REDIS_URL": self.redis.url} if contender.uses_redis else {}
        log = self._logs / f"{self._started}-{contender.name}.log"
        return running(contender.command, self._cores.server, log, {**contender.environment, **redis})
