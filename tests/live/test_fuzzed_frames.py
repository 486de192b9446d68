"""Whatever comes over a socket is answered, or closes it with a code; nobody else notices, and the service lives."""

import asyncio
import contextlib
import itertools
from collections import Counter
from pathlib import Path
from random import Random
from typing import Final

from service.protocol import messages
from service.protocol.close import Close
from tests.live.account import Account, parsed
from tests.live.client import Guest, bearer, guest, watching
from tests.live.fuzz import Board, Fuzz, Said
from tests.live.raw import Op, Raw, frame, raw
from tests.live.replica import replica
from tests.live.test_slow_reader import PAUSE, to_and_fro

SEED: Final = 3
FRAMES: Final = 100_000
AT_ONCE: Final = 8
BLOCK: Final = 200
"""Messages that may be sent without waiting for answers, more than the service lets wait."""
BLOCKS: Final = 4
PIECES: Final = 200
HELLO: Final = frame(Op.TEXT, b'{"type":"hello","v":1}')


class Tally:
    """Which conversations were had, and what came of them."""

    def __init__(self) -> None:
        self.numbers = itertools.count()
        self.frames = 0
        self.paid = Counter[str]()
        self.codes = Counter[int | None]()

    @property
    def is_over(self) -> bool:
        return self.frames >= FRAMES


async def test_a_hundred_thousand_frames_are_answered_and_disturb_nobody(redis_url: str, tmp_path: Path) -> None:
    tally = Tally()
    with replica(redis_url, tmp_path / "log") as one:
        async with contextlib.AsyncExitStack() as stack:
            player = await stack.enter_async_context(guest(one.url))
            session = await player.play(await player.deal(), "b1G")
            mine = await stack.enter_async_context(watching(one.url, session, player))
            theirs = await stack.enter_async_context(watching(one.url, session))
            async with asyncio.TaskGroup() as everybody:
                for _ in range(AT_ONCE):
                    everybody.create_task(fuzz(one.url, tally))
                everybody.create_task(to_and_fro(session, mine, theirs, lambda: tally.is_over, PAUSE))
        assert one.process.poll() is None
    assert one.process.returncode == 0
    assert one.log == ""

    assert mine.seq == theirs.seq > 50
    assert tally.paid.keys() == {"welcome", "pong", "unsubbed", "objection", "answer to a command"}
    assert tally.codes.keys() >= {None, 1002, 1007, 1009, Close.NO_HELLO}


async def fuzz(url: str, tally: Tally) -> None:
    """Has one conversation after the other until there were frames enough."""
    async with guest(url) as player:
        board = Board((await player.deal())["id"])
        while not tally.is_over:
            number = next(tally.numbers)
            try:
                await Conversation(url, player, board, tally, number).run()
            except BaseException as error:
                error.add_note(f"in conversation {number}")
                raise


class Conversation:
    """One socket, to its end; what is said follows from the number, and from what the session has come to."""

    def __init__(self, url: str, player: Guest, board: Board, tally: Tally, number: int) -> None:
        self._url, self._player, self._board, self._tally = url, player, board, tally
        self._chance = Random(f"{SEED} {number}")
        self._fuzz = Fuzz(self._chance, board)
        self._own = board.id if self._chance.random() < 0.5 else None
        self._account = Account(board, self._own)

    async def run(self) -> None:
        path = "/v1/live" if self._own is None else f"/v1/sessions/{self._own}/live"
        async with raw(self._url, path, bearer(self._player)) as link:
            assert link.status == 101
            if self._chance.random() < 0.2:
                await self._begin_badly(link)
            else:
                await self._talk(link)
        self._tally.paid += self._account.paid

    async def _begin_badly(self, link: Raw) -> None:
        """Says something in the place of a hello, which may be a hello."""
        said = self._fuzz.said()
        for ping in said.pings:
            self._account.ping(ping)
        self._tally.frames += len(said.frames)
        code = end_after(said)
        if code is None:
            self._account.greet()
            await self._send(link, b"".join(said.frames))
            await self._settle(link)
        else:
            await self._send(link, b"".join(said.frames))
            await self._is_closed(link, code)
            assert self._account.bye is not None
            assert self._account.bye.code == Close(code).name.lower()

    async def _talk(self, link: Raw) -> None:
        chance = self._chance
        self._account.greet()
        data = HELLO
        for _ in range(chance.randrange(BLOCKS)):
            await self._send(link, data + self._block())
            await self._settle(link)
            data = b""
        match chance.choices(["properly", "at once", "amid a frame", "unheard"], [12, 4, 1, 1])[0]:
            case "properly":
                await self._send(link, data)
                await self._settle(link)
                await self._end(link, b"")
            case "at once":
                await self._end(link, data + self._block())
            case "amid a frame":
                self._tally.frames += 1
                await self._send(link, data + self._block() + self._fuzz.cut_off())
            case "unheard":
                await self._send(link, data + self._block())

    def _block(self) -> bytes:
        frames = list[bytes]()
        for _ in range(self._chance.randrange(1, BLOCK)):
            what = self._chance.random()
            if what < 0.05:
                ping = self._fuzz.ping()
                self._account.ping(ping)
                frames.append(self._fuzz.framed_ping(ping))
            elif what < 0.08:
                frames.append(self._fuzz.pong())
            else:
                said = self._fuzz.said()
                self._account.say(said)
                frames += said.frames
        self._tally.frames += len(frames)
        return b"".join(frames)

    async def _end(self, link: Raw, before: bytes) -> None:
        ending = self._fuzz.ending()
        self._tally.frames += len(ending.frames)
        await link.send(before + b"".join(ending.frames))
        await self._is_closed(link, ending.code)
        assert self._account.bye is None

    async def _send(self, link: Raw, data: bytes) -> None:
        """Sends: mostly in one piece, now and then in many, down to single bytes."""
        size = self._chance.choices([max(1, len(data)), len(data) // PIECES + 1], [6, 1])[0]
        for begin in range(0, len(data), size):
            await link.send(data[begin : begin + size])
            await asyncio.sleep(0)

    async def _settle(self, link: Raw) -> None:
        """Hears all that is owed."""
        while not self._account.is_settled:
            assert await self._hear(link), f"hung up on, with {self._account.owed - self._account.paid} to pay"
            assert self._account.closed is None, self._account.closed

    async def _is_closed(self, link: Raw, code: int | None) -> None:
        while self._account.closed is None:
            assert await self._hear(link), "hung up on, without a close"
        assert self._account.closed.code == code
        self._tally.codes[code] += 1

    async def _hear(self, link: Raw) -> bool:
        frames = await link.frames()
        for one in frames:
            self._account.hear(one)
        return bool(frames)


def end_after(said: Said) -> Close | None:
    """The code that a socket is closed with where this was said first, if it is."""
    match parsed(said):
        case messages.Hello(v=messages.VERSION, ticket=None):
            return None
        case messages.Hello(v=messages.VERSION):
            return Close.UNAUTHORISED
        case messages.Hello():
            return Close.WRONG_VERSION
        case _:
            return Close.NO_HELLO
