"""A proxy before a server, which does to its links what networks do."""

import asyncio
from asyncio import StreamReader, StreamWriter
from collections.abc import Awaitable, Callable, Collection
from contextlib import AsyncExitStack
from enum import Enum
from random import Random
from typing import TypeAlias

Target: TypeAlias = Callable[[], Awaitable[tuple[StreamReader, StreamWriter]]]
CHUNK = 65536


class Way(Enum):
    UP = "to the server"
    DOWN = "to the client"


class Proxy:
    """Carries what is said both ways as long as no fault is on."""

    def __init__(self, target: Target) -> None:
        self._target = target
        self._delay = 0.0
        self._deaf: set[Way] = set()
        self._flowing = asyncio.Event()
        self._flowing.set()
        self._shunned: set[str] = set()
        self._links: dict[asyncio.Task[None], str] = {}

    async def open(self, stack: AsyncExitStack) -> int:
        """Listens on a free port until the end of the stack, and tells which."""
        listening = await asyncio.start_server(self.serve, "127.0.0.1", 0)
        stack.push_async_callback(self.close)
        stack.callback(listening.close)
        port: int = listening.sockets[0].getsockname()[1]
        return port

    async def delay(self, each: float, seconds: float) -> None:
        """Holds each chunk back for a while."""
        self._delay = each
        await asyncio.sleep(seconds)
        self._delay = 0.0

    async def stall(self, seconds: float) -> None:
        """Carries nothing for a while, and then all of it."""
        self._flowing.clear()
        await asyncio.sleep(seconds)
        self._flowing.set()

    async def mute(self, way: Way, seconds: float) -> None:
        """Loses all that goes one way for a while, and then every link, since none may go on with a hole in it."""
        self._deaf.add(way)
        await asyncio.sleep(seconds)
        self._deaf.discard(way)
        self.cut()

    def cut(self, share: float = 1.0, chance: Random | None = None) -> None:
        """Breaks every link, or a share of them."""
        for link in list(self._links):
            if chance is None or chance.random() < share:
                link.cancel()

    def shun(self, peers: Collection[str]) -> None:
        """Breaks the links that come from these addresses, and carries no new ones until they are forgiven."""
        self._shunned |= set(peers)
        for link, peer in list(self._links.items()):
            if peer in self._shunned:
                link.cancel()

    def forgive(self) -> None:
        self._shunned.clear()

    def serve(self, reader: StreamReader, writer: StreamWriter) -> None:
        peer = writer.get_extra_info("peername")
        if peer and peer[0] in self._shunned:
            writer.transport.abort()
            return
        link = asyncio.create_task(self._serve(reader, writer))
        self._links[link] = peer[0] if peer else ""
        link.add_done_callback(self._links.pop)
        link.add_done_callback(lambda _: writer.transport.abort())

    async def close(self) -> None:
        links = list(self._links)
        self.cut()
        await asyncio.gather(*links, return_exceptions=True)

    async def _serve(self, reader: StreamReader, writer: StreamWriter) -> None:
        try:
            answers, commands = await self._target()
        except OSError:
            return
        ways = [
            asyncio.create_task(self._carry(reader, commands, Way.UP)),
            asyncio.create_task(self._carry(answers, writer, Way.DOWN)),
        ]
        try:
            await asyncio.wait(ways, return_when=asyncio.FIRST_COMPLETED)
        finally:
            commands.transport.abort()  # before anything that waits, since a second cut may come meanwhile
            for way in ways:
                way.cancel()
            await asyncio.gather(*ways, return_exceptions=True)

    async def _carry(self, reader: StreamReader, writer: StreamWriter, way: Way) -> None:
        while said := await reader.read(CHUNK):
            if self._delay:
                await asyncio.sleep(self._delay)
            await self._flowing.wait()
            if way not in self._deaf:
                writer.write(said)
                await writer.drain()
