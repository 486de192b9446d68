"""The application, served by uvicorn on a free port of this process."""

import asyncio
import contextlib
import os
import signal
import threading
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

import httpx
import uvicorn
from fastapi import FastAPI
from redis import Redis

from service.app import create_app
from service.store.redis import keys
from service.store.redis.store import RedisStore
from service.usecases.live import Watcher
from service.web.socket import LiveSocket
from tests.contract.documents import check_answer
from tests.servers import Server

PATIENCE = 10.0  # seconds


@dataclass(frozen=True)
class Running:
    """The service at `url`, on the Redis that `redis`, a client of the test's own, speaks to in bytes."""

    url: str
    app: FastAPI
    redis: Any

    def log(self, session: str) -> bytes:
        """The bytes of a session's log, as Redis has them."""
        return bytes(self.redis.get(keys.session_log(session)) or b"")

    def set_log(self, session: str, log: bytes) -> None:
        self.redis.set(keys.session_log(session), log)

    def watchers(self, session: str) -> set[Watcher]:
        """Who is told of the session in this process."""
        room = self.app.state.use_cases.live._rooms.get(session)
        return set(room.watchers) if room else set()

    def client(self) -> httpx.Client:
        """A client whose every answer is checked against the contract."""
        return httpx.Client(base_url=self.url, timeout=PATIENCE, event_hooks={"response": [check_answer]})


@contextlib.contextmanager
def running(on: Server) -> Iterator[Running]:
    """The service on a Redis, with sessions that never expire."""
    app = create_app(RedisStore(on.url, session_ttl=0), cached_sessions=1000)
    redis = Redis.from_url(on.url)
    with served(app) as url, contextlib.closing(redis):
        yield Running(url, app, redis)


@contextlib.contextmanager
def served(app: FastAPI, http: type[asyncio.Protocol] | str = "auto") -> Iterator[str]:
    """The URL of an application, until the end of the context; `http` is how uvicorn takes requests in."""
    options: dict[str, Any] = {"ws": LiveSocket, "http": http, "log_config": None, "timeout_graceful_shutdown": 1}
    server = uvicorn.Server(uvicorn.Config(app, port=0, **options))
    thread = threading.Thread(target=server.run)
    thread.start()
    try:
        until(lambda: server.started)
        port = server.servers[0].sockets[0].getsockname()[1]
        yield f"http://127.0.0.1:{port}"
    finally:
        server.should_exit = True
        thread.join(PATIENCE)
        assert not thread.is_alive(), "the service does not stop"


@contextlib.contextmanager
def hung(server: Server) -> Iterator[None]:
    """A Redis that is there and says nothing, until the end of the context."""
    process = int(server.control.info("server")["process_id"])
    os.kill(process, signal.SIGSTOP)
    try:
        yield
    finally:
        os.kill(process, signal.SIGCONT)


def until(condition: Callable[[], bool]) -> None:
    """Returns when the condition holds."""
    deadline = time.monotonic() + PATIENCE
    while not condition():
        assert time.monotonic() < deadline, "it does not come true"
        time.sleep(0.005)
