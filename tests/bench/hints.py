"""What hints cost those who play: `python -m tests.bench.hints`.

A hundred players move over sockets, 500 moves a second in all. In every third round there are a hundred more, each of
whom always waits for a hint: on a board that nobody asked about before, and once answered, a move on, again. The
service, its solver, its store and all who use them share two cores; but whoever asks works only when nobody else
would, since players have machines of their own, and the time that a move takes must not tell of theirs. The ratio
`hints` is that of the movers' p99 with and without the others: of medians of rounds that take turns; lower is better.

The rounds between have a floor: nobody asks for anything, but two processes count for themselves, in the solver's class
of the scheduler. What they cost the movers, any work costs on this machine that fills its cores; `hints-over-counting`
is what hints cost beyond that. Where `others`, what everything else on the machine had of a core, is above a few per
cent, measure again.
"""

import asyncio
import multiprocessing
import os
import random
import re
import signal
import sys
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from statistics import median
from typing import Any, Final
from urllib.parse import urlsplit

import msgspec
import uvloop

from tests.bench.live.contenders import OURS, Asker
from tests.bench.live.load import AT_ONCE, Seat, Table, leave, paced, sit_down
from tests.bench.live.measures import PACED_RATE, PACED_SECONDS
from tests.bench.live.players import PLAY, OursWithRules
from tests.bench.live.processes import Cores, Program, running, spent
from tests.bench.live.stores import Store, redis

ASKERS = 100
CORES = 2
BESIDE: Final = {"alone": (0, 0), "counting": (CORES, 0), "hints": (0, ASKERS)}
"""The kinds of rounds: how many count, and how many ask."""
ROUNDS = 5
PATIENCE = 120.0  # seconds that a hint may take
ARRIVING = 1.0  # seconds, in which all have asked
_LENGTH: Final = re.compile(rb"content-length: (\d+)", re.IGNORECASE)


def main() -> None:
    match sys.argv[1:]:
        case []:
            with service() as (program, store):
                measure(program, store)
        case [url]:
            uvloop.run(ask(url))


@contextmanager
def service() -> Iterator[tuple[Program, Store]]:
    """The service on a Redis, both with this process on two cores."""
    cores = set(sorted(os.sched_getaffinity(0))[:CORES])
    os.sched_setaffinity(0, cores)
    with redis() as store, tempfile.TemporaryDirectory() as logs:
        environment = {**OURS.environment, **store.environment, "SOLVERS": "1", "HINTS_PER_MINUTE": "0"}
        with running(OURS.command, min(cores), Path(logs, "log"), environment) as program:
            os.sched_setaffinity(program.pid, cores)
            yield program, store


def measure(program: Program, store: Store) -> None:
    """Prints a line for each round, and the ratios."""
    p99s: dict[str, list[float]] = {beside: [] for beside in BESIDE}
    print(f"{'beside':12}{'moves/s':>9}{'p50 ms':>9}{'p99 ms':>9}{'hints/s':>9}{'others':>9}")
    for _ in range(ROUNDS):
        for beside, (counters, askers) in BESIDE.items():
            with counting(counters) as pids:
                seconds, elapsed, hints, others = uvloop.run(play(program, store, askers, pids))
            ordered = sorted(seconds)
            p99s[beside].append(ordered[int(len(ordered) * 0.99)])
            print(
                f"{beside:12}{len(ordered) / elapsed:>9.0f}{ordered[len(ordered) // 2] * 1e3:>9.2f}"
                f"{p99s[beside][-1] * 1e3:>9.2f}{hints / elapsed:>9.1f}{others:>9.2f}",
                flush=True,
            )
    alone, floor, asked = map(median, p99s.values())
    print(f"\nratio counting {floor / alone:.2f}")
    print(f"ratio hints-over-counting {asked / floor:.2f}")
    print(f"ratio hints {asked / alone:.2f}")


@contextmanager
def counting(processes: int) -> Iterator[list[int]]:
    """So many processes that count, when nobody else would work, until the end of the context; answers their ids."""
    counters = [multiprocessing.get_context("spawn").Process(target=count, daemon=True) for _ in range(processes)]
    for one in counters:
        one.start()
    try:
        yield [one.pid for one in counters if one.pid]
    finally:
        for one in counters:
            one.kill()
            one.join()


def count() -> None:
    """Counts until it is killed."""
    only_when_idle()
    while True:
        sum(range(1000))


def only_when_idle() -> None:
    """Has this process work when nobody else would."""
    os.sched_setscheduler(0, os.SCHED_IDLE, os.sched_param(0))


async def play(
    program: Program, store: Store, askers: int, beside: Sequence[int]
) -> tuple[list[float], float, int, float]:
    """How long each move took, and all of them, how many hints were given meanwhile, and what others had of a core.

    `beside`: the processes that are to be there too.
    """
    table = Table()
    players = await sit_down(table, OURS.seats(Asker(program.url), AT_ONCE))
    asking = await Askers.begin(program.url) if askers else None
    ours, cores = [program.pid, *beside, *([asking.pid] if asking else [])], Cores(*sorted(os.sched_getaffinity(0)))
    before = spent(ours, store.pids, cores)
    elapsed = await paced(table, players, PACED_RATE, PACED_SECONDS)
    others = spent(ours, store.pids, cores).shares_since(before).others
    hints = await asking.end() if asking else 0
    await leave(players)
    return table.seconds, elapsed, hints, others


class Askers:
    """All who ask, in a process of their own, so that what they are told does not hold up the movers."""

    def __init__(self, process: asyncio.subprocess.Process) -> None:
        self._process, self.pid = process, process.pid

    @classmethod
    async def begin(cls, url: str) -> "Askers":
        """Those who ask, once they all wait."""
        command = (sys.executable, "-m", "tests.bench.hints", url)
        process = await asyncio.create_subprocess_exec(*command, stdout=asyncio.subprocess.PIPE)
        assert process.stdout
        assert await process.stdout.readline() == b"ready\n"
        return cls(process)

    async def end(self) -> int:
        """How many hints they were given."""
        self._process.send_signal(signal.SIGTERM)
        said, _ = await self._process.communicate()
        return int(said)


async def ask(url: str) -> None:
    """Asks until it is told to end, and prints how many were answered after all had asked."""
    only_when_idle()
    told = asyncio.Event()
    asyncio.get_running_loop().add_signal_handler(signal.SIGTERM, told.set)
    players = await Hinted.begin(Asker(url), ASKERS)
    asking = [asyncio.create_task(player.ask_on()) for player in players]
    await asyncio.sleep(ARRIVING)
    before = sum(player.hints for player in players)
    print("ready", flush=True)
    await told.wait()
    print(sum(player.hints for player in players) - before, flush=True)
    for one in asking:
        one.cancel()
    for ended in await asyncio.gather(*asking, return_exceptions=True):
        assert isinstance(ended, asyncio.CancelledError), ended
    await leave(players)


class Connection:
    """Asks over HTTP on a connection of its own, with little work: the cores are for the service."""

    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter, head: str) -> None:
        self._reader, self._writer, self._head = reader, writer, head

    @classmethod
    async def open(cls, url: str, token: str) -> "Connection":
        host = urlsplit(url).netloc
        head = f"Host: {host}\r\nAuthorization: Bearer {token}\r\nContent-Type: application/json\r\n"
        return cls(*await asyncio.open_connection(*host.split(":")), head)

    async def post(self, path: str, body: object) -> Any:
        """The answer, which has to be a good one and to say how long it is."""
        content = msgspec.json.encode(body)
        head = f"POST {path} HTTP/1.1\r\n{self._head}Content-Length: {len(content)}\r\n\r\n"
        self._writer.write(head.encode() + content)
        async with asyncio.timeout(PATIENCE):
            told = await self._reader.readuntil(b"\r\n\r\n")
            length = _LENGTH.search(told)
            assert told.startswith(b"HTTP/1.1 200 "), told
            assert length, told
            return msgspec.json.decode(await self._reader.readexactly(int(length[1])))


class Hinted(OursWithRules):
    """A player who asks for a hint, and then plays anything, over a socket as others do."""

    def __init__(self, table: Table, session: str, http: Connection, chance: random.Random) -> None:
        super().__init__(table, session, ())
        self._path, self._http, self._chance = f"/v1/sessions/{session}/hint", http, chance
        self._chosen = b""
        self._acked = asyncio.Event()
        self.hints = 0
        """How many were given."""

    @classmethod
    async def begin(cls, asker: Asker, count: int) -> "list[Hinted]":
        """So many, each at a game of its own."""
        table, players = Table(), list[Hinted]()
        for number in range(count):
            token = asker.post("/v1/players", {})["token"]
            session = asker.post("/v1/sessions", {}, token)["id"]
            http = await Connection.open(asker.url, token)
            url, headers = f"{asker.socket_url}/v1/sessions/{session}/live", {"Authorization": f"Bearer {token}"}
            make = partial(cls, session=session, http=http, chance=random.Random(number))
            [player] = await sit_down(table, [Seat(url, headers, make)])
            assert isinstance(player, cls)
            players.append(player)
        return players

    async def ask_on(self) -> None:
        """Asks for a hint, plays any legal move, so that a win that is known leads on by chance alone, and so on."""
        while True:
            session = await self._http.post(self._path, {"at": self.at, "crc": self.crc.decode()})
            self.at, self.crc = session["seq"], session["crc"].encode()
            self.hints += 1
            if legal := session["legal"]:
                self._chosen = self._chance.choice(legal)["move"].encode()
                self._acked.clear()
                self.play()
                await self._acked.wait()

    def move(self) -> bytes:
        return PLAY % (self.session, self._chosen, self.at, self.crc)

    def answered(self) -> None:
        self._acked.set()


if __name__ == "__main__":
    main()
