"""Real servers for the tests: the wheel's Valkey, and the oldest Redis that the service runs on, where it is installed.

Each listens on a unix socket in a private folder, so that there is no port to race for.
"""

import contextlib
import os
import signal
import subprocess
import time
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import quote

from redis import Redis
from redis.backoff import NoBackoff
from redis.exceptions import RedisError
from redis.retry import Retry

from service.store import embedded

STARTING = 10.0  # seconds
STOPPING = 10.0

*_, WHEEL = embedded._candidates()  # after those of PATH
PROGRAMS = {"valkey": WHEEL}
if embedded.major_version("redis-server") >= embedded.OLDEST or "CI" in os.environ:  # in CI a missing one has to fail
    PROGRAMS["redis"] = "redis-server"

IN_MEMORY = ("--appendonly", "no")
ON_DISK = ("--appendonly", "yes", "--appendfsync", "always")


class Server:
    """A server that can be killed and started again at the same address; `control` is a client of the test's own."""

    def __init__(self, program: str, socket: Path, data: Path, *options: str) -> None:
        self.socket = socket
        self.url = f"unix://{quote(str(socket))}"
        self.control = Redis.from_url(self.url, decode_responses=True, retry=Retry(NoBackoff(), 0))
        self._command = [
            program,
            *("--port", "0", "--unixsocket", str(socket), "--dir", str(data), "--logfile", str(data / "server.log")),
            *("--save", "", "--maxmemory-policy", "noeviction", *options),
        ]
        self._process: subprocess.Popen[bytes] | None = None

    def start(self) -> None:
        self._process = subprocess.Popen(self._command, stdin=subprocess.DEVNULL)
        deadline = time.monotonic() + STARTING
        while not self._answers():
            assert self._process.poll() is None, f"{self._command} ended at once"
            assert time.monotonic() < deadline, f"{self._command} does not answer"
            time.sleep(0.01)

    def kill(self) -> None:
        """Ends it as kill -9 does."""
        if self._process:
            self._process.kill()
            self._process.wait(STOPPING)

    def freeze(self) -> None:
        """Takes the processor from it; its links stay open."""
        if self._process:
            self._process.send_signal(signal.SIGSTOP)

    def thaw(self) -> None:
        if self._process:
            self._process.send_signal(signal.SIGCONT)

    def _answers(self) -> bool:
        with contextlib.suppress(RedisError):
            return bool(self.control.ping())
        return False


@contextlib.contextmanager
def server(program: str, *options: str, data: Path | None = None) -> Iterator[Server]:
    """A server until the end of the context, which keeps its files in `data` where that is given."""
    with embedded._private_folder() as private:
        one = Server(program, Path(private, "redis.sock"), data or Path(private), *options)
        try:
            one.start()
            yield one
        finally:
            one.kill()
            one.control.close()
