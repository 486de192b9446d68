"""Where contenders are started, one beside another, with the stores that they want."""

import contextlib
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

from tests.bench.live.contenders import Asker, Contender
from tests.bench.live.load import Seat
from tests.bench.live.processes import Cores, Program, Spent, running, spent
from tests.bench.live.stores import Store


class Entrant(NamedTuple):
    """A contender that is running, and its store, where it has one."""

    contender: Contender
    program: Program
    store: Store | None

    @property
    def asker(self) -> Asker:
        return Asker(self.program.url)

    def seats(self, count: int) -> list[Seat]:
        return self.contender.seats(self.asker, count)


class Arena:
    """The cores and the folder for logs."""

    def __init__(self, cores: Cores, logs: Path) -> None:
        self._cores, self._logs = cores, logs
        self._started = 0

    @contextlib.contextmanager
    def running(self, contenders: Sequence[Contender]) -> Iterator[list[Entrant]]:
        """The contenders, all running until the end of the context; those that want the same store share it."""
        with contextlib.ExitStack() as stack:
            wanted = {one.store for one in contenders if one.store}
            stores = {make: stack.enter_context(make()) for make in wanted}
            entrants = []
            for contender in contenders:
                store = stores[contender.store] if contender.store else None
                program = stack.enter_context(self._start(contender, store))
                entrants.append(Entrant(contender, program, store))
            yield entrants

    def spent(self, entrants: Sequence[Entrant]) -> Spent:
        """What they, their stores and the load generator have had of the processors so far."""
        stores = {pid for entrant in entrants if entrant.store for pid in entrant.store.pids}
        return spent([entrant.program.pid for entrant in entrants], stores, self._cores)

    def _start(self, contender: Contender, store: Store | None) -> contextlib.AbstractContextManager[Program]:
        self._started += 1
        log = self._logs / f"{self._started}-{contender.name}.log"
        environment = {**contender.environment, **(store.environment if store else {})}
        return running(contender.command, self._cores.server, log, environment)
