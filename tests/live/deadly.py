"""A proxy before a server that carries command by command, and has a service killed when its time has come."""

import asyncio
from asyncio import StreamReader, StreamWriter
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from enum import Enum
from pathlib import Path
from typing import NamedTuple

from service.store.redis import keys

ANY_KEY = b"bc:{"
READS = {b"GET", b"GETRANGE", b"HGET", b"HGETALL", b"HKEYS", b"MGET", b"SMEMBERS", b"ZRANGE"}
"""Commands after which all is as it was before."""
CHUNK = 65536


class Moment(Enum):
    ASKED = "before the server has the command"
    ANSWERED = "before the service has the answer"


class Death(NamedTuple):
    """At which command that may write a service is killed; number 0 is the commit of its session's next entry."""

    at: int
    moment: Moment = Moment.ASKED


class Deadly:
    """Carries all that is said, until a service that was doomed is killed; `passed` is how many commands it got to."""

    def __init__(self, target: Path) -> None:
        self._target = target
        self._links: set[asyncio.Task[None]] = set()
        self._doom: tuple[Death, bytes, Callable[[], None]] | None = None
        self.passed = 0
        self.is_dead = False

    def doom(self, death: Death, session: str, kill: Callable[[], None]) -> None:
        self._doom = death, keys.session_log(session).encode(), kill

    def serve(self, reader: StreamReader, writer: StreamWriter) -> None:
        link = asyncio.create_task(self._serve(reader, writer))
        self._links.add(link)
        link.add_done_callback(self._links.discard)
        link.add_done_callback(lambda _: writer.transport.abort())

    async def close(self) -> None:
        for link in self._links:
            link.cancel()
        await asyncio.gather(*self._links, return_exceptions=True)

    async def _serve(self, reader: StreamReader, writer: StreamWriter) -> None:
        answers, commands = await asyncio.open_unix_connection(self._target)
        answering = asyncio.create_task(_carry(answers, writer))
        try:
            while command := await _command(reader):
                moment = self._moment_of(command)
                if moment is Moment.ANSWERED:
                    answering.cancel()
                    await asyncio.gather(answering, return_exceptions=True)
                if moment is not Moment.ASKED:
                    commands.write(command)
                    await commands.drain()
                if moment is Moment.ANSWERED:
                    await answers.read(CHUNK)
                if moment:
                    self._kill()
                if self.is_dead:
                    return
        finally:
            commands.transport.abort()  # before anything that waits, since a second cut may come meanwhile
            answering.cancel()
            await asyncio.gather(answering, return_exceptions=True)

    def _moment_of(self, command: bytes) -> Moment | None:
        """When at this command the service is killed, if it is."""
        if self._doom is None or ANY_KEY not in command or command.split(b"\r\n", 3)[2] in READS:
            return None
        death, log, _ = self._doom
        if self.passed == 0 and not (b"EVALSHA" in command and log in command):
            return None
        self.passed += 1
        return death.moment if self.passed - 1 == death.at else None

    def _kill(self) -> None:
        self.is_dead = True
        if self._doom:
            self._doom[2]()


async def _command(reader: StreamReader) -> bytes:
    """One command as it was written, empty at the end."""
    try:
        first = await reader.readuntil(b"\r\n")
        parts = [first]
        for _ in range(int(first[1:])):
            length = await reader.readuntil(b"\r\n")
            parts += [length, await reader.readexactly(int(length[1:]) + 2)]
    except (asyncio.IncompleteReadError, ConnectionError):
        return b""
    return b"".join(parts)


async def _carry(reader: StreamReader, writer: StreamWriter) -> None:
    while said := await reader.read(CHUNK):
        writer.write(said)
        await writer.drain()


@asynccontextmanager
async def deadly(target: Path, name: str) -> AsyncIterator[tuple[Deadly, str]]:
    """A proxy before a server's socket, and the URL at which it listens beside it."""
    address = target.with_name(f"{name}.sock")
    between = Deadly(target)
    listening = await asyncio.start_unix_server(between.serve, address)
    try:
        yield between, f"unix://{address}"
    finally:
        listening.close()
        await between.close()
