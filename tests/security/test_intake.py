"""Requests that do not come to their end, and heads that do not."""

import json
import re
import socket
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import httpx
import pytest
from websockets.sync.client import connect

from service.app import create_app
from service.store.memory import MemoryStore
from service.web.intake import MAX_HEAD, Intake
from tests.conftest import Emptied, now
from tests.live.replica import replica
from tests.web.running import PATIENCE, served

GET = b"GET /livez HTTP/1.1\r\nHost: cards.example\r\n"
POST = b"POST /v1/players HTTP/1.1\r\nHost: cards.example\r\nContent-Type: application/json\r\nContent-Length: 2\r\n"


class Hasty(Intake):
    """One that waits for a moment only."""

    seconds = 0.2


@pytest.fixture(scope="module")
def hasty() -> Iterator[tuple[str, int]]:
    """Where a service listens that waits for a moment only."""
    app = create_app(MemoryStore(now, session_ttl=0), cached_sessions=10)
    with served(app, Hasty) as url:
        yield httpx.URL(url).host, httpx.URL(url).port or 0


@pytest.fixture
def session(hasty: tuple[str, int]) -> tuple[str, str]:
    """A session's id, and what its player's requests are known by."""
    with httpx.Client(base_url="http://{}:{}".format(*hasty), timeout=PATIENCE) as http:
        token = f"Bearer {http.post('/v1/players').json()['token']}"
        dealt: str = http.post("/v1/sessions", json={}, headers={"Authorization": token}).json()["id"]
    return dealt, token


@contextmanager
def linked(place: tuple[str, int]) -> Iterator[socket.socket]:
    with socket.create_connection(place, PATIENCE) as link:
        yield link


def rest(link: socket.socket) -> bytes:
    """All that comes until the service hangs up."""
    return b"".join(iter(lambda: link.recv(1 << 16), b""))


def pour(link: socket.socket, piece: bytes) -> None:
    """Sends a piece again and again, until the service hangs up or has taken a thousand."""
    for _ in range(1000):
        link.sendall(piece)


@pytest.mark.parametrize(
    "begun", [b"", b"G", GET, POST + b"\r\n", POST + b"\r\n{"], ids=["nothing", "a letter", "a head", "no body", "half"]
)
def test_a_request_that_does_not_come_to_its_end_is_given_up(begun: bytes, hasty: tuple[str, int]) -> None:
    with linked(hasty) as link:
        link.sendall(begun)

        assert rest(link) == b""


def test_so_is_one_that_follows_an_answer_and_each_is_given_its_own_time(hasty: tuple[str, int]) -> None:
    with linked(hasty) as link:
        for _ in range(3):
            link.sendall(POST + b"\r\n{}")
            assert link.recv(1 << 16).startswith(b"HTTP/1.1 201 ")
        link.sendall(POST)

        assert rest(link) == b""


def test_an_answer_may_take_longer_also_while_the_next_request_waits_for_it(
    hasty: tuple[str, int], session: tuple[str, str]
) -> None:
    name, token = session
    head = (f"GET /v1/sessions/{name}/events?after=0&wait=1 HTTP/1.1", "Host: cards.example", f"Authorization: {token}")
    poll = "\r\n".join([*head, "", ""])
    with linked(hasty) as link:
        link.sendall(poll.encode() + POST + b"Connection: close\r\n\r\n")
        time.sleep(Hasty.seconds / 2)
        link.sendall(b"{}")
        answers = rest(link)

    assert re.findall(rb"HTTP/1\.1 (\d+) ", answers) == [b"200", b"201"]


def test_a_socket_stays(hasty: tuple[str, int]) -> None:
    with connect("ws://{}:{}/v1/live".format(*hasty)) as ws:
        time.sleep(2 * Hasty.seconds)
        ws.send('{"type": "hello", "v": 1}')

        assert json.loads(ws.recv(PATIENCE))["type"] == "welcome"


def test_a_head_has_an_end(emptied: Emptied, tmp_path: Path) -> None:
    with replica(emptied("valkey").url, tmp_path / "log") as one:
        place = (httpx.URL(one.url).host, httpx.URL(one.url).port or 0)
        for endless in (b"X-Long: " + b"x" * 4 * MAX_HEAD, b"X-Many: x\r\n" * MAX_HEAD):
            with linked(place) as link:
                link.sendall(GET)
                with pytest.raises(ConnectionError):
                    pour(link, endless[: MAX_HEAD // 2])
        with linked(place) as link:
            link.sendall(GET + b"X-Long: " + b"x" * (MAX_HEAD // 2) + b"\r\nConnection: close\r\n\r\n")

            assert rest(link).startswith(b"HTTP/1.1 200 ")
