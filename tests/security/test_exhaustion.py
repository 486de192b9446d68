"""Small requests that would make the service work or remember much."""

import gzip
import json
import socket
import zlib
from contextlib import ExitStack
from pathlib import Path

import httpx
import pytest
from websockets.exceptions import ConnectionClosedError
from websockets.sync.client import connect

from service.app import create_app
from service.store.redis.store import RedisStore
from tests.conftest import HOUR_MS, Emptied
from tests.live.replica import replica
from tests.servers import Server
from tests.web.playing import Guest, done, refused
from tests.web.running import PATIENCE, Running, served

HALF = b"POST /v1/players HTTP/1.1\r\nHost: cards.example\r\nContent-Type: application/json\r\nContent-Length: 9\r\n"
MANY = 300
JSON = {"Content-Type": "application/json"}
HELLO = '{"type": "hello", "v": 1}'


@pytest.mark.parametrize("begun", [b"", b"P", HALF, HALF + b"\r\n{"], ids=["nothing", "a letter", "a head", "a body"])
def test_whoever_only_begins_to_ask_keeps_nobody_from_an_answer(begun: bytes, place: tuple[str, int]) -> None:
    with ExitStack() as stack:
        for _ in range(MANY):
            stack.enter_context(socket.create_connection(place, PATIENCE)).sendall(begun)

        assert httpx.get("http://{}:{}/livez".format(*place), timeout=PATIENCE).status_code == 200


@pytest.mark.parametrize("coding", ["gzip", "deflate", "br", "gzip, gzip"])
def test_a_body_that_is_packed_is_not_unpacked(coding: str, http: httpx.Client) -> None:
    bomb = gzip.compress(b" " * 8_000_000)
    answer = http.post("/v1/players", content=bomb, headers=JSON | {"Content-Encoding": coding})

    assert len(bomb) < 16_000
    refused(answer, 400, "bad_request")


def test_a_socket_agrees_to_no_packing_and_one_that_packs_all_the_same_is_closed(
    emptied: Emptied, tmp_path: Path
) -> None:
    with (
        replica(emptied("valkey").url, tmp_path / "log") as one,
        connect(one.url.replace("http", "ws") + "/v1/live", compression="deflate") as ws,
    ):
        assert ws.response is not None
        assert "Sec-WebSocket-Extensions" not in ws.response.headers
        packed = zlib.compress(HELLO.encode() * 100_000)
        ws.socket.sendall(b"\xc1\xfe" + len(packed).to_bytes(2, "big") + bytes(4) + packed)  # a text, packed, masked

        with pytest.raises(ConnectionClosedError) as closed:
            ws.recv(PATIENCE)
    assert closed.value.rcvd is not None
    assert closed.value.rcvd.code == 1002


@pytest.mark.parametrize("deep", ["[" * 8000 + "]" * 8000, '{"a":' * 2500 + "1" + "}" * 2500])
def test_what_is_nested_without_end_is_refused_in_a_frame_and_in_a_body(
    deep: str, service: Running, guest: Guest
) -> None:
    with connect(service.url.replace("http", "ws") + "/v1/live") as ws:
        ws.send(HELLO)
        assert json.loads(ws.recv(PATIENCE))["type"] == "welcome"
        ws.send(f'{{"type": "ping", "more": {deep}}}')
        ws.send('{"type": "ping"}')
        heard = [json.loads(ws.recv(PATIENCE))["type"] for _ in range(2)]
    body = f'{{"deal": {deep}}}'.encode()
    answer = guest._http.post("/v1/sessions", content=body, headers=JSON | {"Authorization": f"Bearer {guest.token}"})

    assert heard[1] == "pong"
    assert answer.status_code in {400, 422}


def test_a_store_that_is_full_refuses_what_is_new_and_keeps_what_it_has(private_server: Server) -> None:
    app = create_app(RedisStore(private_server.url, HOUR_MS), cached_sessions=10)
    with served(app) as url, httpx.Client(base_url=url, timeout=PATIENCE) as http:
        guest = Guest(http)
        session = guest.play(guest.deal(), "b1G")
        keys = private_server.control.dbsize()
        private_server.control.config_set("maxmemory", 1)

        refused(http.post("/v1/players"), 503, "unavailable")
        refused(guest.move(session, "a2b1"), 503, "unavailable")
        assert guest.see(session) == session
        assert private_server.control.dbsize() == keys

        private_server.control.config_set("maxmemory", 0)
        assert done(guest.move(session, "a2b1"))["seq"] == 2
