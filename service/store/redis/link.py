"""One connection to a node, over hiredis: commands and their answers in order, and what the server says unasked.

A link costs no task, no future and no timer of its own a command. It is not made again when it ends: whoever needs
another opens one. A command is written once, and what becomes of one whose answer is lost nobody knows.
"""

import asyncio
import logging
import socket
import ssl
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Final, NamedTuple, TypeAlias, cast

from hiredis import HiredisError, ProtocolError, PushNotification, Reader, pack_command

from service.ports import StoreUnavailable

TIMEOUT_SECONDS = 5.0
"""How long a node may take to let us in, and for each answer."""

Part: TypeAlias = str | int | bytes
Then: TypeAlias = Callable[[Any], None]
"""Is told an answer, which may be a ReplyError, or StoreUnavailable where it is lost."""

_NOTHING: Final = object()

_log = logging.getLogger(__name__)


class Address(NamedTuple):
    """Where a node listens: at a host and port, or on a unix socket."""

    host: str
    port: int
    path: str = ""

    def __str__(self) -> str:
        return self.path or f"{self.host}:{self.port}"


@dataclass(frozen=True, slots=True)
class Access:
    """How the nodes let us in."""

    username: str = ""
    password: str = ""
    database: int = 0
    tls: ssl.SSLContext | None = None

    def greeting(self) -> list[tuple[Part, ...]]:
        """The first commands on a link."""
        credentials = ("AUTH", self.username or "default", self.password) if self.password else ()
        return [("HELLO", 3, *credentials), *([("SELECT", self.database)] if self.database else [])]


def packed(*parts: Part) -> bytes:
    """A command as it is written."""
    written: bytes = pack_command(parts)  # type: ignore[arg-type]  # hiredis declares a tuple of one
    return written


def arguments(*parts: Part) -> bytes:
    """Some parts of a command, as `command` writes them."""
    return packed(*parts).partition(b"\r\n")[2]


def command(count: int, *written: bytes) -> bytes:
    """A command of so many parts in all, each in what `arguments` has made."""
    return b"*%d\r\n%b" % (count, b"".join(written))


class Link(asyncio.Protocol):
    """A connection. `told` hears what answers no command."""

    def __init__(self, told: Then) -> None:
        self._told = told
        self._ended: Callable[[str], None] | None = None
        self._loop = asyncio.get_running_loop()
        self._patience = TIMEOUT_SECONDS
        self._reader = Reader(notEnoughData=_NOTHING)
        self._transport: asyncio.Transport | None = None
        self._gathered: list[bytes] = []
        self._waiting: deque[tuple[float, Then]] = deque()
        self._timer: asyncio.TimerHandle | None = None

    @classmethod
    async def open(cls, address: Address, access: Access, told: Then, ended: Callable[[str], None]) -> "Link":
        """A link to a node that has let us in; raises StoreUnavailable. `ended` hears why it is over."""
        loop = asyncio.get_running_loop()
        link = cls(told)
        try:
            async with asyncio.timeout(TIMEOUT_SECONDS):
                if address.path:
                    await loop.create_unix_connection(lambda: link, address.path)
                else:
                    await loop.create_connection(lambda: link, address.host, address.port, ssl=access.tls)
                for command in access.greeting():
                    await link.ask(*command)
        except (OSError, HiredisError, StoreUnavailable) as error:  # a TimeoutError is an OSError
            link.end("it was not let in")
            raise StoreUnavailable(f"{address}: {str(error) or type(error).__name__}") from error
        except BaseException:
            link.end("nobody waits for it any more")
            raise
        if not link.is_up:
            raise StoreUnavailable(f"{address}: the server closed the connection")
        link._ended = ended
        return link

    @property
    def is_up(self) -> bool:
        return self._transport is not None

    def send(self, command: bytes, then: Then | None = None) -> None:
        """Adds a packed command to what `flush` writes; without `then`, its answer is told as unasked."""
        self._gathered.append(command)
        if then:
            self._waiting.append((self._loop.time(), then))

    def flush(self) -> None:
        """Writes what is gathered at once."""
        if self._transport and self._gathered:
            self._transport.write(b"".join(self._gathered))
            self._gathered.clear()
            if self._waiting and not self._timer:
                self._timer = self._loop.call_later(self._patience, self._check)

    async def ask(self, *parts: Part) -> Any:
        """The answer to one command; raises ReplyError or StoreUnavailable."""
        if not self.is_up:
            raise StoreUnavailable("the link has ended")
        answer: asyncio.Future[Any] = self._loop.create_future()
        self.send(packed(*parts), lambda said: None if answer.done() else answer.set_result(said))
        self.flush()
        said = await answer
        if isinstance(said, Exception):
            raise said
        return said

    def end(self, why: str) -> None:
        """Ends the link, if it has not ended; whatever waits is told that its answer is lost."""
        if self._transport is None:
            return
        transport, self._transport = self._transport, None
        transport.abort()
        if self._timer:
            self._timer.cancel()
        while self._waiting:
            self._tell(self._waiting.popleft()[1], StoreUnavailable(why))
        if self._ended:
            self._ended(why)

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        transport = cast(asyncio.Transport, transport)  # uvloop's is none by inheritance
        self._transport = transport
        if (wire := transport.get_extra_info("socket")) and wire.family != socket.AF_UNIX:
            wire.setsockopt(socket.SOL_SOCKET, socket.SO_KEEPALIVE, 1)

    def connection_lost(self, error: Exception | None) -> None:
        self.end(str(error or "the server closed the connection"))

    def data_received(self, data: bytes) -> None:
        try:
            self._reader.feed(data)
            while self._transport and (said := self._reader.gets()) is not _NOTHING:
                if self._waiting and type(said) is not PushNotification:
                    self._tell(self._waiting.popleft()[1], said)
                else:
                    self._tell(self._told, said)
        except ProtocolError as error:
            self.end(f"the server sent no RESP: {error}")

    def _tell(self, then: Then, said: Any) -> None:
        try:
            then(said)
        except Exception:  # of one listener, which the others must not suffer for
            _log.exception("an answer of the server's could not be taken")

    def _check(self) -> None:
        """Ends the link if its oldest answer is late, and otherwise looks again when that one would be."""
        self._timer = None
        if not self._waiting:
            return
        left = self._waiting[0][0] + self._patience - self._loop.time()
        if left <= 0:
            self.end(f"no answer in {self._patience} seconds")
        else:
            self._timer = self._loop.call_later(left, self._check)
