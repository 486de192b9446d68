"""Real processes behind proxies: two services and their store, each of which can be harmed."""

import asyncio
import signal
from collections.abc import AsyncIterator, Awaitable
from contextlib import AsyncExitStack, asynccontextmanager
from pathlib import Path

from tests.chaos.proxy import Proxy
from tests.live.replica import Replica
from tests.servers import WHEEL, Server, server

SERVICES = 2


class Service:
    """A service that can be killed and started again behind the same door; `store_proxy` is its way to the store."""

    def __init__(self, redis_url: str, log: Path, store_proxy: Proxy) -> None:
        self.proxy, self.store_proxy = Proxy(self._connect), store_proxy
        self.door = ""
        self._redis_url, self._log = redis_url, log
        self._running: Replica | None = None

    async def start(self) -> None:
        """Returns when it listens, whether the store is there or not."""
        self._running = await asyncio.to_thread(Replica, self._redis_url, self._log)

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

    @property
    def mistakes(self) -> list[str]:
        """What it logged of errors that no fault excuses."""
        if not self._log.exists():
            return []
        text = self._log.read_text()
        return [f"it logged:\n{text[-3000:]}"] if "Traceback" in text else []

    async def _connect(self) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
        if self._running is None:
            raise ConnectionRefusedError
        host, port = self._running.url.removeprefix("http://").split(":")
        return await asyncio.open_connection(host, int(port))


class World:
    """The store, and the services on it."""

    def __init__(self, store: Server, services: list[Service]) -> None:
        self.store, self.services = store, services

    @property
    def doors(self) -> list[str]:
        """The addresses at which clients find the services."""
        return [service.door for service in self.services]


@asynccontextmanager
async def world(folder: Path, fsync: str) -> AsyncIterator[World]:
    """Everything started, its files in the folder; ends every process at the end of the context."""
    async with AsyncExitStack() as stack:
        store = stack.enter_context(server(WHEEL, "--appendonly", "yes", "--appendfsync", fsync, data=folder))
        services = [await _service(stack, store, folder, number) for number in range(SERVICES)]
        await asyncio.gather(*(service.start() for service in services))
        yield World(store, services)


async def _service(stack: AsyncExitStack, store: Server, folder: Path, number: int) -> Service:
    def connect() -> Awaitable[tuple[asyncio.StreamReader, asyncio.StreamWriter]]:
        return asyncio.open_unix_connection(store.socket)

    inner = store.socket.with_name(f"store{number}.sock")
    store_proxy = Proxy(connect)
    listening = await asyncio.start_unix_server(store_proxy.serve, inner)
    stack.push_async_callback(store_proxy.close)
    stack.callback(listening.close)
    service = Service(f"unix://{inner}", folder / f"service{number}.log", store_proxy)
    open_door = await asyncio.start_server(service.proxy.serve, "127.0.0.1", 0)
    stack.push_async_callback(service.proxy.close)
    stack.callback(open_door.close)
    stack.callback(service.kill)
    host, port = open_door.sockets[0].getsockname()
    service.door = f"{host}:{port}"
    return service
