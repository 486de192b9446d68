"""Who is there, as several processes tell each other."""

import asyncio
from collections.abc import AsyncIterator

import pytest

from service.protocol import notes
from service.protocol.messages import Presence
from service.store.memory import MemoryDoorbells
from service.usecases import presence
from service.usecases.presence import FORGET_MS, REPEAT_MS, Presences
from tests.usecases.world import Clock

ID = "session"


class Town(MemoryDoorbells):
    """Processes that hear each other at once; `told` is what each told its viewers last, `sent` what was said."""

    def __init__(self) -> None:
        super().__init__()
        self.clock, self.told, self.sent = Clock(), dict[str, Presence](), list[notes.Here]()
        self.processes: dict[str, Presences] = {}
        self.tasks: dict[str, asyncio.Task[None]] = {}

    def process(self, name: str) -> Presences:
        one = Presences(name, self, self.clock, lambda told: self.told.__setitem__(name, told))
        self.processes[name], self.tasks[name] = one, asyncio.create_task(one.run())
        return one

    def send(self, session: str, note: bytes) -> None:
        here = notes.decode(note)
        assert isinstance(here, notes.Here)
        self.sent.append(here)
        for one in self.processes.values():
            one.hear(session, here)

    async def settle(self) -> None:
        """Lets everything be told that is to be told now."""
        for _ in range(20):
            await asyncio.sleep(0.001)

    async def go_round(self, later: int) -> None:
        self.clock.time += later
        for one in self.processes.values():
            one.go_round()
        await self.settle()

    def here(self, process: str) -> tuple[list[int], int]:
        return self.told[process].seats, self.told[process].spectators


@pytest.fixture
async def town(monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[Town]:
    monkeypatch.setattr(presence, "TELL_SECONDS", 0)
    one = Town()
    yield one
    for task in one.tasks.values():
        task.cancel()
    await asyncio.gather(*one.tasks.values(), return_exceptions=True)


async def test_a_process_that_comes_late_learns_who_is_there_and_the_others_of_it(town: Town) -> None:
    early, late = town.process("early"), town.process("late")
    early.enter(ID, 0)
    await town.settle()
    assert town.told == {}, "who is alone is not told so"

    late.enter(ID, None)
    late.enter(ID, None)
    await town.settle()
    assert (town.here("early"), town.here("late")) == (([0], 2), ([0], 2))


async def test_a_seat_on_two_devices_is_there_until_both_have_gone(town: Town) -> None:
    one, other = town.process("one"), town.process("other")
    one.enter(ID, 0)
    one.enter(ID, 1)
    other.enter(ID, 1)
    await town.settle()
    one.exit(ID, 1)
    await town.settle()
    assert town.here("one") == ([0, 1], 0)

    other.exit(ID, 1)
    await town.settle()
    assert town.here("one") == ([0], 0), "who was not alone is told so"


async def test_a_process_that_died_is_forgotten_and_one_that_lives_is_not(town: Town) -> None:
    one, alive, dead = town.process("one"), town.process("alive"), town.process("dead")
    for seat, process in enumerate((one, alive, dead)):
        process.enter(ID, seat)
    await town.settle()
    town.tasks["dead"].cancel()
    del town.processes["dead"]

    for _ in range(FORGET_MS // REPEAT_MS + 1):
        await town.go_round(REPEAT_MS)
    assert town.here("one") == town.here("alive") == ([0, 1], 0)


async def test_whoever_has_heard_of_nobody_does_not_repeat_itself(town: Town) -> None:
    town.process("one").enter(ID, 0)
    await town.settle()
    await town.go_round(2 * REPEAT_MS)

    assert town.sent == [notes.Here("one", [0], 0, asks=True)]


async def test_when_all_have_left_that_is_said_and_nothing_is_kept(town: Town) -> None:
    one = town.process("one")
    one.enter(ID, None)
    await town.settle()
    one.exit(ID, None)
    await town.settle()

    assert town.sent[-1] == notes.Here("one", [], 0)
    assert one._sessions == {}


def test_what_no_process_of_this_version_says_is_no_note() -> None:
    assert notes.decode(b'{"type":"later"}') is None
    assert notes.decode(b"\xff" * 11) is None
    assert notes.decode(b'{"type":"said","seat":1,"phrase":"hello","more":1}') == notes.Said(1, "hello")
