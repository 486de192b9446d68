"""Real processes behind proxies: two services and their store, each of which can be harmed."""

import asyncio
import signal
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from pathlib import Path

from tests.chaos.proxy import Proxy
from tests.chaos.stores import STORES, Store, Topology
from tests.live.replica import Replica

SERVICES = 2
UNLIMITED = ["PLAYERS_PER_HOUR", "SESSIONS_PER_HOUR", "TICKETS_PER_MINUTE", "COMMANDS_PER_MINUTE"]
UNLIMITED += ["READS_PER_MINUTE", "POLLS_PER_MINUTE", "REQUESTS_PER_MINUTE", "SOCKETS", "SOCKETS_PER_ADDRESS"]


class Service:
    """A service that can be killed and started again behind the same door."""

    def __init__(self, redis_url: str, log: Path) -> None:
        self.proxy = Proxy(self._connect)
        self.door = ""
        self._redis_url, self._log, self._read = redis_url, log, 0
        self._running: Replica | None = None

    async def start(self) -> None:
        """Returns when it listens, whether the store is there or not; also where it runs already."""
        if self._running is None:
            settings = dict.fromkeys(UNLIMITED, "0")
            self._running = await asyncio.to_thread(Replica, self._redis_url, self._log, **settings)

    def kill(self) -> None:
        """Ends it as kill -9 does."""
        if self._running:
            self._running.kill()
            self._ended()

    async def drain(self) -> None:
        """Ends it as operators do."""
        if self._running:
            await asyncio.to_thread(self._running.stop)
            self._ended()

    async def freeze(self, seconds: float) -> None:
        """Takes the processor from it for a while; its links stay open."""
        if self._running:
            process = self._running.process
            process.send_signal(signal.SIGSTOP)
            await asyncio.sleep(seconds)
            process.send_signal(signal.SIGCONT)

    def _ended(self) -> None:
        assert self._running
        assert self._running.process.stdout
        self._running.process.stdout.close()
        self._running = None

    def mistakes(self) -> list[str]:
        """What it logged, since it was last asked, of errors that no fault excuses."""
        text = self._log.read_text()[self._read :]
        self._read += len(text)
        return [f"it logged:\n{text[-3000:]}"] if "Traceback" in text else []

    async def _connect(self) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
        if self._running is None:
            raise ConnectionRefusedError
        host, port = self._running.url.removeprefix("http://").split(":")
        return await asyncio.open_connection(host, int(port))


class World:
    """The store, and the services on it."""

    def __init__(self, store: Store, services: list[Service]) -> None:
        self.store, self.services = store, services

    @property
    def doors(self) -> list[str]:
        """The addresses at which clients find the services."""
        return [service.door for service in self.services]

    async def mend(self) -> None:
        """Returns when all is whole; raises TimeoutError."""
        await self.store.mend()
        for service in self.services:
            await service.start()


@asynccontextmanager
async def world(topology: Topology, folder: Path) -> AsyncIterator[World]:
    """Everything started, its files in the folder; ends every process at the end of the context."""
    async with AsyncExitStack() as stack:
        store = await stack.enter_async_context(STORES[topology](SERVICES))
        services = [Service(store.url(number), folder / f"service{number}.log") for number in range(SERVICES)]
        for service in services:
            service.door = f"127.0.0.1:{await service.proxy.open(stack)}"
            stack.callback(service.kill)
        await asyncio.gather(*(service.start() for service in services))
        yield World(store, services)
