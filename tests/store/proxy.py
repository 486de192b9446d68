"""A proxy before a server's unix socket, which can lose what the server answers."""

import asyncio
from asyncio import StreamReader, StreamWriter
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from enum import Enum
from pathlib import Path


class Loss(Enum):
    """What becomes of an answer."""

    NONE = "none"
    CUT = "cut"
    """It is lost with the link."""
    SILENCE = "silence"
    """It is lost, and the link stays open."""


class Proxy:
    """Carries all that is said both ways, while `loss` is NONE; `lost` is what the server answered in vain."""

    def __init__(self, target: Path) -> None:
        self.loss = Loss.NONE
        self.lost = b""
        self._target = target
        self._serving: set[asyncio.Task[None]] = set()

    def serve(self, reader: StreamReader, writer: StreamWriter) -> None:
        task = asyncio.create_task(self._serve(reader, writer))
        self._serving.add(task)
        task.add_done_callback(self._serving.discard)
        task.add_done_callback(lambda _: writer.transport.abort())

    async def close(self) -> None:
        for task in self._serving:
            task.cancel()
        await asyncio.gather(*self._serving, return_exceptions=True)

    async def _serve(self, reader: StreamReader, writer: StreamWriter) -> None:
        answers, commands = await asyncio.open_unix_connection(self._target)
        ways = [asyncio.create_task(self._carry(reader, commands)), asyncio.create_task(self._answer(answers, writer))]
        try:
            await asyncio.wait(ways, return_when=asyncio.FIRST_COMPLETED)
        finally:
            for way in ways:
                way.cancel()
            await asyncio.gather(*ways, return_exceptions=True)
            commands.transport.abort()

    async def _carry(self, reader: StreamReader, writer: StreamWriter) -> None:
        while said := await reader.read(65536):
            writer.write(said)
            await writer.drain()

    async def _answer(self, reader: StreamReader, writer: StreamWriter) -> None:
        while said := await reader.read(65536):
            if self.loss is Loss.NONE:
                writer.write(said)
                await writer.drain()
                continue
            self.lost += said
            if self.loss is Loss.CUT:
                return


@asynccontextmanager
async def proxy(target: Path) -> AsyncIterator[tuple[Proxy, str]]:
    """A proxy before a socket, and the URL at which it listens beside it."""
    address = target.with_name("proxy.sock")
    between = Proxy(target)
    server = await asyncio.start_unix_server(between.serve, address)
    try:
        yield between, f"unix://{address}"
    finally:
        server.close()
        await between.close()
