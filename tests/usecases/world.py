"""A world for the use cases: a store in memory, a clock that is set by hand, and chance that repeats itself."""

import random
from itertools import count
from typing import NamedTuple

from service.engine.notation import parse_move
from service.ports import Problem, Report, SolverBusy, StoredPlayer
from service.protocol import messages, shapes
from service.solving.job import run
from service.store.memory import MemoryStore
from service.telemetry.meters import Meters, SearchMeter
from service.usecases.analysis import Analyses
from service.usecases.commands import Command, Commands, Play
from service.usecases.dealing import Dealing, Wish
from service.usecases.deals import Deals
from service.usecases.feed import events
from service.usecases.hints import Hints
from service.usecases.history import Histories, History, Place
from service.usecases.live import Live
from service.usecases.players import Players
from service.usecases.sessions import Sessions
from service.usecases.solutions import Solutions

NOON = 1_793_534_400_000
"""2026-11-01 12:00:00 UTC, in milliseconds since the epoch."""


class Clock:
    """A clock that stands still until it is set."""

    def __init__(self) -> None:
        self.time = NOON

    def now(self) -> int:
        return self.time


class Chance:
    """The same bytes in every world."""

    def __init__(self) -> None:
        self._random = random.Random(1)

    def bytes(self, count: int) -> bytes:
        return self._random.randbytes(count)


class Solving:
    """Solves at once, but for the milliseconds that it `takes`, unless it is busy; remembers what it was asked."""

    def __init__(self, clock: Clock) -> None:
        self._clock = clock
        self.meter = SearchMeter()
        self.asked: list[Problem] = []
        self.takes = 0
        self.is_busy = False
        self._known: dict[Problem, Report] = {}

    async def report(self, problem: Problem) -> Report:
        self.asked.append(problem)
        if self.is_busy:
            raise SolverBusy
        if problem not in self._known:
            self._known[problem] = run(problem)
            self._clock.time += self.takes
        return self._known[problem]

    async def close(self) -> None:
        """There is nothing to close."""


class Process(NamedTuple):
    """What one process can do with sessions."""

    dealing: Dealing
    sessions: Sessions
    commands: Commands
    hints: Hints
    analyses: Analyses
    live: Live


class World:
    """One store, with as many processes on it as a test asks for. A session that is idle for `ttl` ms is gone."""

    def __init__(self, ttl: int = 0) -> None:
        self.clock, self.chance = Clock(), Chance()
        self.store = MemoryStore(self.clock.now, session_ttl=ttl)
        self.solving = Solving(self.clock)
        self.deals = Deals(self.solving, self.chance)
        self.players = Players(self.store.players, self.store.sessions, self.clock, self.chance)
        self.ended: list[History] = []
        """The sessions that ended, in any process."""
        self._names = count()
        self.here = self.process()

    @property
    def sessions(self) -> Sessions:
        return self.here.sessions

    @property
    def dealing(self) -> Dealing:
        return self.here.dealing

    def process(self, cached: int = 10) -> Process:
        """The use cases of a further process, which has read nothing yet."""
        histories = Histories(self.store.sessions, cached)
        live = Live(histories, self.store.doorbells, self.clock, str(next(self._names)), Meters())
        commands = Commands(self.store.sessions, histories, live, self.clock, self.ended.append)
        solutions = Solutions(self.store.sessions, self.solving)
        return Process(
            Dealing(self.store.sessions, histories, self.deals, self.clock, self.chance),
            Sessions(self.store.sessions, histories, live),
            commands,
            Hints(live, commands, solutions),
            Analyses(live, solutions, self.clock),
            live,
        )

    async def player(self, bot: bool = False) -> StoredPlayer:
        return await self.players.by_token((await self.players.create_guest(bot=bot)).token)

    async def create(
        self, player: StoredPlayer, deal: str = "pysol:1", rules: str = "modern", key: str | None = None
    ) -> shapes.Session:
        return await self.dealing.create(player, Wish(rules=rules, deal=deal), key)

    async def dealt(self, player: StoredPlayer, deal: str = "pysol:1", rules: str = "modern") -> "Board":
        """A new session of the player's."""
        session = await self.create(player, deal, rules)
        return Board(self.here, player, session)


class Board:
    """A session as one process shows it to its player: each command is on the place that was seen last."""

    def __init__(self, process: Process, player: StoredPlayer, session: shapes.Session) -> None:
        self.process, self.player, self.seen = process, player, session

    @property
    def id(self) -> str:
        return self.seen.id

    @property
    def place(self) -> Place:
        return Place(self.seen.seq, messages.parse_crc(self.seen.crc))

    async def do(self, command: Command, at: Place | None = None) -> shapes.Session:
        accepted = await self.process.commands.submit(self.id, self.player.id, command, at or self.place)
        self.seen = accepted.view
        return self.seen

    async def play(self, *moves: str) -> shapes.Session:
        for move in moves:
            await self.do(Play(parse_move(move)))
        return self.seen

    async def events(self, after: int, crc: int | None = None, wait: float = 0) -> shapes.Events:
        return await events(self.process.live, self.id, self.player.id, Place(after, crc), wait)

    def elsewhere(self, process: Process) -> "Board":
        """The same board in another process."""
        return Board(process, self.player, self.seen)
