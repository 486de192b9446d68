"""A spectator whose process is stopped: nobody else is slower for it, and it misses nothing when it goes on."""

import asyncio
import contextlib
import json
import signal
import sys
import time
from collections.abc import AsyncIterator
from pathlib import Path
from statistics import median

from tests.live.client import PATIENCE, Message, Socket, guest, watching
from tests.live.replica import replica

OTHERS = 8
MEASURED = 400  # moves
FILLING = 500  # moves, some hundred kilobytes: more than all that is between the service and one that does not read
AFTER = 20  # moves
CUT_OFF = 1006


class Spectator:
    """A running one; what it prints is read as it comes."""

    def __init__(self, process: asyncio.subprocess.Process) -> None:
        self._process = process

    async def hear(self) -> Message | int:
        """Its next message, or the code it was closed with."""
        assert self._process.stdout
        async with asyncio.timeout(PATIENCE):
            heard: Message | int = json.loads(await self._process.stdout.readline())
        return heard

    def stop(self) -> None:
        """Takes the processor from it; its link stays open."""
        self._process.send_signal(signal.SIGSTOP)

    def go_on(self) -> None:
        self._process.send_signal(signal.SIGCONT)

    async def all_until(self, seq: int, at: int) -> None:
        """Hears on from `at` to `seq`, each entry in its turn and one snapshot at most; or until it is closed."""
        snapshots = 0
        while at < seq:
            match await self.hear():
                case {"type": "event", "seq": told}:
                    assert told == at + 1
                    at = told
                case {"type": "snapshot", "session": {"seq": told}}:
                    snapshots += 1
                    assert at < told
                    assert snapshots == 1
                    at = told
                case {"type": "subbed", "seq": told}:
                    assert told == at
                case {"type": "welcome" | "presence"}:
                    pass
                case int(code):
                    assert code == CUT_OFF
                    return
                case other:
                    raise AssertionError(other)


async def test_a_spectator_that_is_stopped_slows_nobody_and_is_brought_up_to_date_or_closed(
    redis_url: str, tmp_path: Path
) -> None:
    with replica(redis_url, tmp_path / "log") as one:
        async with contextlib.AsyncExitStack() as stack:
            player = await stack.enter_async_context(guest(one.url))
            session = await player.play(await player.deal(), "b1G")
            mine = await stack.enter_async_context(watching(one.url, session, player))
            others = [await stack.enter_async_context(watching(one.url, session)) for _ in range(OTHERS)]
            await played(session, mine, others, FILLING)
            without = await played(session, mine, others, MEASURED)

            stalled = await stack.enter_async_context(spectator(one.url, session["id"]))
            await stalled.all_until(mine.seq, 0)
            before = mine.seq
            stalled.stop()
            await played(session, mine, others, FILLING)
            beside = await played(session, mine, others, MEASURED)
            stalled.go_on()
            await played(session, mine, others, AFTER)
            await stalled.all_until(mine.seq, before)
        assert one.log == ""

    assert median(beside) < 2 * median(without)


async def played(session: Message, mover: Socket, spectators: list[Socket], moves: int) -> list[float]:
    """The seconds that each of so many moves took to reach everybody."""
    took = []
    for _ in range(moves):
        begin = time.monotonic()
        ack = await mover.ask("undo" if mover.seq % 2 else "redo", session=session["id"], at=mover.seq)
        for one in spectators:
            await one.reach(ack["seq"])
        took.append(time.monotonic() - begin)
    return took


@contextlib.asynccontextmanager
async def spectator(url: str, session: str) -> AsyncIterator[Spectator]:
    """A spectator in a process of its own."""
    process = await asyncio.create_subprocess_exec(
        *(sys.executable, "-m", "tests.live.spectator", url, session), stdout=asyncio.subprocess.PIPE, limit=2**20
    )
    try:
        yield Spectator(process)
    finally:
        with contextlib.suppress(ProcessLookupError):
            process.kill()
        await process.wait()
