"""A proxy before a server, which does to its links what networks do."""

import asyncio
from asyncio import StreamReader, StreamWriter
from collections.abc import Awaitable, Callable
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
        self._links: set[asyncio.Task[None]] = set()

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

    def serve(self, reader: StreamReader, writer: StreamWriter) -> None:
        link = asyncio.create_task(self._serve(reader, writer))
        self._links.add(link)
        link.add_done_callback(self._links.discard)
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
