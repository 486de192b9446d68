"""The server: where it listens, what it takes, and how it starts and stops."""

import asyncio
import gc
import socket
import sys
import time
from typing import Final

import uvicorn
from fastapi import FastAPI

from service import __version__
from service.protocol.connection import PING_SECONDS
from service.web.dependencies import UseCases
from service.web.pages import BUILT
from service.web.socket import LiveSocket

MAX_FRAME: Final = 16 * 1024
"""The largest frame of a socket, in bytes."""
BACKLOG: Final = 2048
"""Connections that may wait to be accepted."""
SEND_BUFFER: Final = 64 * 1024
"""Bytes that the system holds for a peer that does not read."""
DEAD_PEER_MS: Final = 20_000
"""Milliseconds without a sign of a peer after which the system gives it up."""
DRAIN_SECONDS: Final = 5.0
"""How long sockets may take to have their last answers and go, once the service is told to stop."""
DRAIN_STEP: Final = 0.02
"""How often it is looked whether they have gone, in seconds."""
SHUTDOWN_SECONDS: Final = 5
"""How long open requests may take to end after that."""
COLLECTING: Final = (2_000, 2, 4_000)
"""Thresholds of the garbage collector: it looks at what is new in pauses of half a millisecond, and seldom at all."""


def config(app: FastAPI, proxies: str = "") -> uvicorn.Config:
    """How uvicorn runs; `proxies` are the addresses of those whose X-Forwarded headers it believes."""
    return uvicorn.Config(
        app,
        http="auto" if sys.platform == "win32" else "service.web.intake:Intake",
        ws=LiveSocket,
        ws_max_size=MAX_FRAME,
        ws_per_message_deflate=False,
        ws_ping_interval=PING_SECONDS,
        ws_ping_timeout=PING_SECONDS,
        access_log=False,
        forwarded_allow_ips=proxies,
        log_config=None,
        timeout_graceful_shutdown=SHUTDOWN_SECONDS,
    )


def listening(host: str, port: int) -> socket.socket:
    """A socket whose connections have a small send buffer, and end when the peer has stopped."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    opened = socket.create_server((host, port), family=family, backlog=BACKLOG)
    opened.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, SEND_BUFFER)
    if sys.platform == "linux":
        opened.setsockopt(socket.IPPROTO_TCP, socket.TCP_USER_TIMEOUT, DEAD_PEER_MS)
    return opened


class Server(uvicorn.Server):
    """A server that says where to play once it listens, and sends its sockets away before it stops.

    For `notice` seconds before that it only says that it is not ready: proxies find others for those who come.
    """

    def __init__(self, config: uvicorn.Config, notice: float = 0.0) -> None:
        super().__init__(config)
        self._notice = notice

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        await super().startup(sockets)
        gc.collect()
        gc.freeze()  # what is there by now stays: no collection has to look at it again
        gc.set_threshold(*COLLECTING)
        if self.started:
            host, port = self.servers[0].sockets[0].getsockname()[:2]
            here = {"0.0.0.0": "127.0.0.1", "::": "::1"}.get(host, host)  # noqa: S104 - a link to click on
            url = f"http://{f'[{here}]' if ':' in here else here}:{port}"
            command = sys.argv[0] if sys.argv[0].endswith("constitution") else "constitution"
            print(f"British Constitution {__version__} is open at {url}")
            if not BUILT.is_dir():
                print("  the web client     is not built; `make client` builds it")
            print(f"  the API's pages    {url}/docs")
            print(f"  see it play        {command} demo --url {url}", flush=True)

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        await self._give_notice()
        try:
            async with asyncio.timeout(DRAIN_SECONDS):
                await self._drain()
        except TimeoutError:  # some do not read what they were sent
            for one in tuple(self.server_state.connections):
                if isinstance(one, LiveSocket) or one.transport.get_write_buffer_size():
                    one.transport.abort()
        await super().shutdown(sockets)

    @property
    def _cases(self) -> UseCases:
        cases: UseCases = self.config.app.state.use_cases  # type: ignore[union-attr]
        return cases

    async def _give_notice(self) -> None:
        """Not ready, while all goes on; a second signal ends it."""
        self._cases.sockets.will_leave = True
        until = time.monotonic() + self._notice
        while time.monotonic() < until and not self.force_exit:  # noqa: ASYNC110 - uvicorn tells not
            await asyncio.sleep(DRAIN_STEP)

    async def _drain(self) -> None:
        """A bye to every socket and an answer to every poll, and then they have time to go."""
        cases = self._cases
        await cases.sockets.send_away()
        cases.live.stop()
        while (self._has_sockets() or cases.sockets.total) and not self.force_exit:  # noqa: ASYNC110 - uvicorn tells not
            await asyncio.sleep(DRAIN_STEP)

    def _has_sockets(self) -> bool:
        return any(isinstance(one, LiveSocket) for one in self.server_state.connections)
