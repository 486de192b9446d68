"""From nothing to a board that is played on, through the proxy, by clients of every kind, on three replicas."""

import socket
import time
from collections.abc import Iterator
from contextlib import closing
from typing import NamedTuple

import httpx
import pytest
import websockets

from service.settings import Settings
from service.usecases.feed import KEEP_ALIVE_SECONDS
from tests.deploy.journeys import play_across_replicas, play_by_every_way
from tests.deploy.stack import ROOT, Stack
from tests.live.client import PATIENCE, Message, place

CONFIG = ROOT / "deploy/proxy/haproxy.cfg"
SILENT = KEEP_ALIVE_SECONDS + 2  # seconds in which a stream says nothing but that it is there
LIMIT = Settings.model_fields["players_per_hour"].default
ASKED = 12
FORGED = {"X-Forwarded-For": "203.0.113.7", "Forwarded": "for=203.0.113.7", "X-Real-IP": "203.0.113.7"}
ASK_FROM_INSIDE = f"""
import urllib.request
asked = urllib.request.Request("http://proxy:8080/v1/players", b"{{}}", {{"Content-Type": "application/json"}})
print(*(urllib.request.urlopen(asked).headers["RateLimit-Remaining"] for _ in range({ASKED})))
"""


class Idle(NamedTuple):
    """What was opened through the proxy long ago, and has said nothing since."""

    since: float
    session: Message
    token: str
    stream: socket.socket
    half: socket.socket
    """On which half a request was sent."""


@pytest.fixture(scope="module")
def idle(standing: Stack) -> Iterator[Idle]:
    """Opened before all else in this file, to be looked at after all else."""
    with httpx.Client(base_url=standing.url, trust_env=False) as http:
        token = http.post("/v1/players", json={}).json()["token"]
        http.headers["Authorization"] = f"Bearer {token}"
        session = http.post("/v1/sessions", json={"deal": "pysol:1"}).json()
    host, _, port = standing.door.partition(":")
    with (
        closing(socket.create_connection((host, int(port)), PATIENCE)) as stream,
        closing(socket.create_connection((host, int(port)), PATIENCE)) as half,
    ):
        stream.sendall(f"GET /v1/sessions/{session['id']}/stream HTTP/1.1\r\nHost: {standing.door}\r\n\r\n".encode())
        half.sendall(f"GET / HTTP/1.1\r\nHost: {standing.door}\r\n".encode())
        yield Idle(time.monotonic(), session, token, stream, half)


async def test_what_starts_from_nothing_is_a_board_that_is_played_on_by_every_way(idle: Idle, standing: Stack) -> None:
    await play_by_every_way(standing.url)


async def test_players_on_different_replicas_are_told_every_move_of_one_session(idle: Idle, standing: Stack) -> None:
    homes = await play_across_replicas(standing)

    assert set(homes) == set(standing.containers("service")), "all replicas have some"
    assert len(set(homes)) == 3


def test_metrics_are_not_to_be_had_through_the_proxy(idle: Idle, standing: Stack) -> None:
    token = {"Authorization": f"Bearer {standing.secret('metrics_token')}"}
    replica = standing.containers("service")[0]
    assert httpx.get(f"http://{standing.address(replica)}:8000/metrics", headers=token).status_code == 200

    for path in ("/metrics", "/metrics/", "/%6detrics", "/metrics?x", "//metrics"):
        assert httpx.get(standing.url + path, headers=token).status_code == 404, path


def test_limits_count_clients_and_believe_no_address_that_a_client_forges(idle: Idle, standing: Stack) -> None:
    with httpx.Client(base_url=standing.url, trust_env=False) as http:
        mine = [_left(http) for _ in range(ASKED)]
        forging = [_left(http, FORGED) for _ in range(ASKED)]
    inside = standing.exec(standing.containers("service")[0], "python", "-c", ASK_FROM_INSIDE).split()

    assert min(mine) < LIMIT - 1, "what one client asks is counted"
    assert LIMIT - 1 in map(int, inside), "and another from another address is not charged for it"
    assert sum(left == LIMIT - 1 for left in forging) < ASKED, "but one that names another address is"
    assert min(forging) < min(mine)


async def test_a_page_of_the_proxy_opens_sockets_and_a_foreign_one_does_not_whatever_it_says(
    idle: Idle, standing: Stack
) -> None:
    own, foreign = f"http://{standing.door}", f"https://{standing.door}"
    url = f"ws://{standing.door}/v1/sessions/{idle.session['id']}/live"
    async with websockets.connect(url, origin=websockets.Origin(own)):
        """It is open."""
    for forged in ({}, {"X-Forwarded-Proto": "https"}, {"X-Forwarded-Proto": "wss", "Forwarded": "proto=https"}):
        with pytest.raises(websockets.InvalidStatus, match="403"):
            await websockets.connect(url, origin=websockets.Origin(foreign), additional_headers=forged)


def test_the_proxy_waits_longer_than_a_stream_or_a_socket_is_ever_silent() -> None:
    lines = [line.split() for line in CONFIG.read_text().splitlines()]
    waits = {line[1]: int(line[2].removesuffix("s")) for line in lines if line[:1] == ["timeout"] and len(line) == 3}

    for name in ("client", "server", "tunnel"):
        assert waits[name] > 2 * KEEP_ALIVE_SECONDS, name


def test_a_stream_that_had_nothing_to_say_for_long_is_still_there(idle: Idle, standing: Stack) -> None:
    time.sleep(max(0.0, idle.since + SILENT - time.monotonic()))
    with httpx.Client(base_url=standing.url, headers={"Authorization": f"Bearer {idle.token}"}) as http:
        move = {"move": idle.session["legal"][0]["move"], **place(idle.session)}
        http.post(f"/v1/sessions/{idle.session['id']}/moves", json=move).raise_for_status()
    said = b""
    while b"event: event" not in said:
        more = idle.stream.recv(65536)
        assert more, f"it was closed after {said[-200:]!r}"
        said += more

    assert said.count(b"\n:\n") + said.count(b"\r\n:") >= 1, "the service said that it is there, and that came through"


def test_whoever_sends_half_a_request_is_hung_up_on(idle: Idle) -> None:
    said = b""
    while more := idle.half.recv(4096):
        said += more

    assert said.startswith(b"HTTP/1.1 408 ")


def _left(http: httpx.Client, headers: dict[str, str] | None = None) -> int:
    """How many players more the service would make for whoever it takes this for."""
    return int(http.post("/v1/players", json={}, headers=headers).headers["RateLimit-Remaining"])
