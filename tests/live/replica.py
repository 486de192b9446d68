"""A service in a process of its own, as operators start it."""

import contextlib
import os
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

STOPPING = 20.0  # seconds


class Replica:
    """A running service; `url` is what it said when it was ready, `log` what it had to say since."""

    def __init__(self, redis_url: str, log: Path, **settings: str) -> None:
        self._log = log
        with log.open("ab") as stderr:
            self.process = subprocess.Popen(
                [sys.executable, "-m", "service", "serve", "--port", "0"],
                env=os.environ | {"REDIS_URL": redis_url, "DAYS_AHEAD": "0"} | settings,
                stdout=subprocess.PIPE,
                stderr=stderr,
                text=True,
            )
        assert self.process.stdout
        opened = re.search(r"http://\S+", self.process.stdout.readline())
        assert opened, f"it did not start: {self.log}"
        self.url = opened[0]

    @property
    def log(self) -> str:
        return self._log.read_text()

    @property
    def resident(self) -> int:
        """The bytes that it has in memory."""
        pages = Path(f"/proc/{self.process.pid}/statm").read_text().split()[1]
        return int(pages) * os.sysconf("SC_PAGE_SIZE")

    def kill(self) -> None:
        """Ends it as kill -9 does."""
        self.process.kill()
        self.process.wait(STOPPING)

    def stop(self) -> int:
        """Asks it to stop, and answers with its exit status."""
        self.process.terminate()
        return self.process.wait(STOPPING)


@contextlib.contextmanager
def replica(redis_url: str, log: Path, **settings: str) -> Iterator[Replica]:
    """A service, with settings by their variables' names, until the end of the context; it prepares no days."""
    one = Replica(redis_url, log, **settings)
    try:
        yield one
    finally:
        if one.process.poll() is None:
            one.stop()
        assert one.process.stdout
        one.process.stdout.close()
