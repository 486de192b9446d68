"""The service as whoever attacks it meets it: over a bare connection, and with a client built."""

import socket
from collections.abc import Callable, Iterator
from pathlib import Path

import httpx
import pytest

from service.app import create_app
from service.store.memory import MemoryStore
from tests.conftest import now
from tests.web.conftest import guest, http, service  # noqa: F401 - the same service, and a guest of it
from tests.web.running import PATIENCE, served

Say = Callable[[bytes], bytes]
PAGE = "<!doctype html><title>British Constitution</title>"


@pytest.fixture(scope="session")
def place(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[str, int]]:
    """Where a service listens that has a web client, and beside that a file that is nobody's to read."""
    folder = tmp_path_factory.mktemp("built")
    (folder / "secret.txt").write_text("nobody reads this")
    client = folder / "client"
    (client / "assets").mkdir(parents=True)
    (client / "index.html").write_text(PAGE)
    (client / "assets/main-5f2a.js").write_text("export {};")
    with served(create_app(MemoryStore(now, session_ttl=0), cached_sessions=10, client=client)) as url:
        address = httpx.URL(url)
        assert address.port
        yield address.host, address.port


@pytest.fixture
def say(place: tuple[str, int]) -> Say:
    """Sends bytes, and answers with all that comes back until the service hangs up."""

    def said(request: bytes) -> bytes:
        with socket.create_connection(place, PATIENCE) as link:
            link.sendall(request)
            return b"".join(iter(lambda: link.recv(1 << 16), b""))

    return said


@pytest.fixture
def sources() -> dict[Path, str]:
    """The text of every module of the service."""
    return {path: path.read_text() for path in sorted(Path(__file__).parents[2].joinpath("service").rglob("*.py"))}
