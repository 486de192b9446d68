"""A node of a store, as a process that is harmed and behind proxies at which services and other nodes find it."""

import asyncio
import re
from collections.abc import Collection
from contextlib import AsyncExitStack, suppress
from functools import partial
from typing import Any

from redis.asyncio import Redis
from redis.asyncio.retry import Retry
from redis.backoff import NoBackoff
from redis.exceptions import RedisError

from tests.chaos.proxy import Proxy
from tests.servers import Server

PATIENCE = 1.0  # seconds for an answer
INSISTING = 20.0
BUS = 10_000  # how far the port on which nodes of a cluster speak is from the other
PROMOTED = re.compile(r"Failover election won|Taking over the primary|PRIMARY MODE enabled")


class Node:
    """A node; `port` is where the others find it, `address` where its own links to others come from."""

    def __init__(self, server: Server, number: int) -> None:
        self.server, self.port = server, server.port
        self.address = f"127.0.1.{number + 1}"
        self.doors: list[Proxy] = []
        """The proxies before it: of its port, and of its bus where it has one."""
        self.config = server.socket.parent / "sentinel.conf"
        """Of a sentinel."""
        self._log = server.socket.parent / "server.log"
        path, retry = str(server.socket), Retry(NoBackoff(), 0)
        self._control = Redis(unix_socket_path=path, socket_timeout=PATIENCE, retry=retry, decode_responses=True)
        self._raw = Redis(unix_socket_path=path, socket_timeout=PATIENCE, retry=retry)

    async def move_behind(self, stack: AsyncExitStack, *, has_bus: bool) -> None:
        """Has the others find it at proxies from now on, also after it was killed."""
        ports = [await self._door(stack, self.server.port + offset) for offset in ([0, BUS] if has_bus else [0])]
        self.port = ports[0]
        kind = "cluster" if has_bus else "replica"
        config = {"bind-source-addr": self.address, f"{kind}-announce-ip": "127.0.0.1"}
        config |= {
            f"{kind}-announce-{name}": str(port) for name, port in zip(["port", "bus-port"], ports, strict=False)
        }
        for name, value in config.items():
            await self.configure(name, value)

    async def configure(self, name: str, value: str | int) -> None:
        """Sets an option, also for when it is started again, which takes the last that it is given."""
        await self.ask("CONFIG", "SET", name, value)
        self.server._command += [f"--{name}", str(value)]

    async def _door(self, stack: AsyncExitStack, port: int) -> int:
        proxy = Proxy(partial(asyncio.open_connection, "127.0.0.1", port))
        self.doors.append(proxy)
        return await proxy.open(stack)

    async def ask(self, *command: str | int) -> Any:
        """Its answer; raises RedisError."""
        return await self._control.execute_command(*command)  # type: ignore[no-untyped-call]

    async def insist(self, *command: str | int) -> Any:
        """Its answer, once it has one; raises TimeoutError."""
        async with asyncio.timeout(INSISTING):
            while True:
                with suppress(RedisError):
                    return await self.ask(*command)
                await asyncio.sleep(0.1)

    async def read(self, key: str) -> bytes:
        """The bytes of a string that it holds, and of none nothing; raises RedisError."""
        held: bytes | None = await self._raw.get(key)  # type: ignore[assignment]  # declared for all kinds of client
        return held or b""

    async def role(self) -> list[Any]:
        """What it takes itself for, and its master where it has one; nothing where it does not answer."""
        with suppress(RedisError):
            role: list[Any] = await self.ask("ROLE")
            return role
        return [""]

    @property
    def promotions(self) -> int:
        """How often it says that it became a master."""
        return len(PROMOTED.findall(self._log.read_text()))

    async def kill(self) -> None:
        await asyncio.to_thread(self.server.kill)

    async def start(self) -> None:
        """Starts it where it does not run, and lets it go on where it is stopped."""
        self.server.thaw()
        if not self.server.is_alive:
            await asyncio.to_thread(self.server.start)

    def shun(self, addresses: Collection[str]) -> None:
        for door in self.doors:
            door.shun(addresses)

    def forgive(self) -> None:
        for door in self.doors:
            door.forgive()

    async def close(self) -> None:
        await self._control.aclose()
        await self._raw.aclose()
