"""The programs that are measured: started on a core of their own, watched for what they cost, and stopped."""

import contextlib
import os
import re
import subprocess
import time
from collections.abc import Collection, Iterator, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

STARTING = 30.0  # seconds
STOPPING = 15.0  # seconds
LOG_TAIL = 800  # characters of a log that are shown when its program fails
TICKS = os.sysconf("SC_CLK_TCK")
PAGE = os.sysconf("SC_PAGE_SIZE")


class Failed(RuntimeError):
    """A program under test did not do its part."""


class Cores(NamedTuple):
    """Where everything runs: what is measured on one core, the load generator and Redis on the other."""

    server: int
    load: int


def take_cores() -> Cores:
    """Chooses the cores and moves this process to the load's; raises Failed where there are not two."""
    if not hasattr(os, "sched_getaffinity"):
        raise Failed("this bench pins programs to cores, which only Linux does")
    usable = sorted(os.sched_getaffinity(0))
    if len(usable) < 2:
        raise Failed("this bench needs two cores")
    cores = Cores(server=usable[-1], load=usable[0])
    os.sched_setaffinity(0, {cores.load})
    return cores


class Program:
    """A server in a process of its own; `url` is what it printed when it listened."""

    def __init__(self, command: Sequence[str], core: int, log: Path, environment: Mapping[str, str]) -> None:
        self._log = log
        with log.open("wb") as output, _on(core):
            self._process = subprocess.Popen(
                command,
                env=os.environ | environment,
                stdin=subprocess.DEVNULL,
                stdout=output,
                stderr=subprocess.STDOUT,
            )
        self.pid = self._process.pid
        try:
            self.url = self._await_url()
        except BaseException:
            self.stop()
            raise

    @property
    def resident(self) -> int:
        """The bytes that it has in memory."""
        return int(Path(f"/proc/{self.pid}/statm").read_text().split()[1]) * PAGE

    def failed(self, why: str) -> Failed:
        """The error that says why, with the end of the log."""
        return Failed(f"{why}\n{self._log.read_text(errors='replace')[-LOG_TAIL:]}")

    def stop(self) -> None:
        self._process.terminate()
        try:
            self._process.wait(STOPPING)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait(STOPPING)

    def _await_url(self) -> str:
        deadline = time.monotonic() + STARTING
        while time.monotonic() < deadline:
            if said := re.search(r"http://\S+(?=\n)", self._log.read_text(errors="replace")):
                return said[0]
            if self._process.poll() is not None:
                raise self.failed("it ended at once")
            time.sleep(0.02)
        raise self.failed(f"it does not listen after {STARTING:.0f} s")


@contextlib.contextmanager
def running(command: Sequence[str], core: int, log: Path, environment: Mapping[str, str]) -> Iterator[Program]:
    """A program until the end of the context."""
    program = Program(command, core, log, environment)
    try:
        yield program
    finally:
        program.stop()


class Spent(NamedTuple):
    """Processor seconds, and the time at which they were read; `all` is what both cores did for anybody."""

    server: float
    store: float
    load: float
    all: float
    at: float

    def shares_since(self, before: "Spent") -> "Shares":
        elapsed = self.at - before.at
        server, store, load, everybody = (
            (now - then) / elapsed for now, then in zip(self[:-1], before[:-1], strict=True)
        )
        return Shares(server, store, load, max(0.0, everybody - server - store - load))


class Shares(NamedTuple):
    """How much of a core each had; what `others` had spoils the figures."""

    server: float
    store: float
    load: float
    others: float


class Stat(NamedTuple):
    """A process: its parent, and the ticks that it has had, and its children that have ended."""

    parent: int
    own: int
    ended: int


def spent(servers: Collection[int], stores: Collection[int], cores: Cores) -> Spent:
    """What the processes, with their children, and this one have had of the processors so far."""
    stats = dict(_stats())
    server, store = (sum(_seconds(pid, stats) for pid in pids) for pids in (servers, stores))
    return Spent(server, store, time.process_time(), _busy_seconds(cores), time.perf_counter())


def _busy_seconds(cores: Cores) -> float:
    fields = [line.split() for line in Path("/proc/stat").read_text().splitlines()]
    ticks = [list(map(int, counted)) for name, *counted in fields if name in {f"cpu{core}" for core in cores}]
    return sum(sum(counted[:8]) - sum(counted[3:5]) for counted in ticks) / TICKS  # all but idle and waiting


def _seconds(pid: int, stats: Mapping[int, Stat]) -> float:
    """What a process has had, and its children, those that have ended too."""
    children = [stat for stat in stats.values() if stat.parent == pid]
    return (stats[pid].own + stats[pid].ended + sum(child.own for child in children)) / TICKS


def _stats() -> Iterator[tuple[int, Stat]]:
    for path in Path("/proc").glob("[0-9]*/stat"):
        with contextlib.suppress(OSError):  # of one that has ended
            fields = path.read_text().rpartition(")")[2].split()
            user, system, ended_user, ended_system = map(int, fields[11:15])
            yield int(path.parent.name), Stat(int(fields[1]), user + system, ended_user + ended_system)


@contextlib.contextmanager
def _on(core: int) -> Iterator[None]:
    """Has whatever is started meanwhile run on the core, with all its threads."""
    before = os.sched_getaffinity(0)
    os.sched_setaffinity(0, {core})
    try:
        yield
    finally:
        os.sched_setaffinity(0, before)
