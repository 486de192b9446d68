"""The load generator: players at a table, each with one move outstanding.

A player is a socket that speaks one contender's protocol. The drivers below tell it when to move: at once after every
answer (`flat_out`), or at a fixed rate (`paced`).
"""

import asyncio
import gc
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from time import perf_counter
from typing import Final, NamedTuple

from picows import WSCloseCode, WSFrame, WSListener, WSMsgType, WSTransport, ws_connect

from tests.bench.live.processes import Failed

AT_ONCE: Final = 100
"""Moves that are outstanding at one server, one a session."""
CONNECTING: Final = 10.0  # seconds for each socket to be open, and for all to be ready
GRACE: Final = 10.0  # seconds that a round may take beyond its time
LEAVING: Final = 10.0  # seconds for all sockets to close


class Table:
    """What the players of one round share."""

    def __init__(self) -> None:
        self.seconds: list[float] = []
        """How long each answer, or each delivery to a watcher, took."""
        self.delivered: int = 0
        """Bytes of the frame that a watcher had last."""
        self.turn: Callable[[Player], None] = lambda _: None
        """Is told of a player that has its answer."""
        self.ended: asyncio.Future[None] = asyncio.get_running_loop().create_future()

    def end(self) -> None:
        if not self.ended.done():
            self.ended.set_result(None)

    def fail(self, why: str) -> None:
        if not self.ended.done():
            self.ended.set_exception(Failed(why))


class Player(WSListener):
    """A socket that plays; a subclass says how, and calls `answered` when a move of its own is answered."""

    greeting: bytes = b""
    """What it says first."""
    frames: WSMsgType = WSMsgType.TEXT

    def __init__(self, table: Table) -> None:
        self.table = table
        self.sent: list[float] = []
        """When each move was sent, or should have been."""
        self.ready: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self.transport: WSTransport | None = None
        self.busy = False

    @property
    def is_over(self) -> bool:
        """Whether its game is at its end."""
        return False

    def move(self) -> bytes:
        """The frame of its next move."""
        raise NotImplementedError

    def receive(self, frame: bytes) -> None:
        """Takes a frame."""
        raise NotImplementedError

    def play(self, due: float | None = None) -> None:
        """Sends the next move, which may have been due before."""
        self.busy = True
        self.sent.append(perf_counter() if due is None else due)
        self.say(self.move())

    def answered(self) -> None:
        self.busy = False
        self.table.seconds.append(perf_counter() - self.sent[-1])
        self.table.turn(self)

    def say(self, frame: bytes) -> None:
        assert self.transport
        self.transport.send(self.frames, frame)

    def arrive(self) -> None:
        """It is ready to play."""
        if not self.ready.done():
            self.ready.set_result(None)

    def complain(self, frame: bytes) -> None:
        """A frame came that nobody expected."""
        self.table.fail(f"{type(self).__name__} was told {frame[:300]!r}")

    def on_ws_connected(self, transport: WSTransport) -> None:
        self.transport = transport
        if self.greeting:
            self.say(self.greeting)

    def on_ws_frame(self, transport: WSTransport, frame: WSFrame) -> None:
        if frame.msg_type in {WSMsgType.TEXT, WSMsgType.BINARY}:
            self.receive(frame.get_payload_as_bytes())
        elif frame.msg_type is WSMsgType.CLOSE:
            self.table.fail(f"{type(self).__name__}'s socket was closed: {frame.get_close_code()}")
            transport.disconnect()

    def on_ws_disconnected(self, transport: WSTransport) -> None:
        self.table.fail(f"{type(self).__name__}'s socket has broken")


class Seat(NamedTuple):
    """Where a player sits down, and who."""

    url: str
    headers: Mapping[str, str]
    player: Callable[[Table], Player]


@contextmanager
def _uncollected() -> Iterator[None]:
    """Without this process's garbage collector."""
    gc.collect()
    gc.disable()
    try:
        yield
    finally:
        gc.enable()


async def sit_down(table: Table, seats: Sequence[Seat]) -> list[Player]:
    """The players, once they are all ready."""
    players = []
    for url, headers, make in seats:
        player = make(table)
        await ws_connect(
            lambda player=player: player,
            url,
            extra_headers=headers,
            websocket_handshake_timeout=CONNECTING,
        )
        players.append(player)
    deadline = perf_counter() + CONNECTING
    while missing := sum(not player.ready.done() for player in players):
        if table.ended.done():
            table.ended.result()
        if perf_counter() > deadline:
            raise Failed(f"{missing} of {len(players)} players are not ready after {CONNECTING:.0f} s")
        await asyncio.sleep(0.01)
    return players


async def flat_out(table: Table, players: Sequence[Player], seconds: float, at_once: int = AT_ONCE) -> float:
    """Keeps so many moves outstanding, until the time or the games have run out; answers with the time it took.

    Who has finished a game hands on to one that has yet to begin.
    """
    waiting = iter(players)

    def turn(player: Player | None) -> None:
        if table.ended.done():
            return
        if player is None or player.is_over:
            player = next(waiting, None)
        if player is None:
            table.end()
        else:
            player.play()

    table.turn = turn
    with _uncollected():
        begun = perf_counter()
        for _ in range(at_once):
            turn(None)
        await _until_ended(table, seconds)
        return perf_counter() - begun


async def paced(table: Table, players: Sequence[Player], rate: float, seconds: float) -> float:
    """Has one player after another move, `rate` moves a second in all; answers with the time it took.

    A move that is due while its player still waits for an answer follows that at once, and counts from when it was due.
    """
    loop = asyncio.get_running_loop()
    late: dict[Player, float] = {}
    begun = loop.time()

    def turn(player: Player) -> None:
        if (due := late.pop(player, None)) is not None and not table.ended.done():
            player.play(due)

    def tick(number: int) -> None:
        if table.ended.done():
            return
        player = players[number % len(players)]
        if not player.busy:
            player.play()
        elif player not in late:
            late[player] = perf_counter()
        loop.call_at(begun + (number + 1) / rate, tick, number + 1)

    table.turn = turn
    with _uncollected():
        started = perf_counter()
        tick(0)
        await _until_ended(table, seconds)
        return perf_counter() - started


async def leave(players: Sequence[Player]) -> None:
    """Closes every socket."""
    for player in players:
        player.table.end()
        if player.transport:
            player.transport.send_close(WSCloseCode.OK)
            player.transport.disconnect()
    with suppress(TimeoutError):
        async with asyncio.timeout(LEAVING):
            for player in players:
                if player.transport:
                    await player.transport.wait_disconnected()


async def _until_ended(table: Table, seconds: float) -> None:
    asyncio.get_running_loop().call_later(seconds, table.end)
    async with asyncio.timeout(seconds + GRACE):
        await table.ended
