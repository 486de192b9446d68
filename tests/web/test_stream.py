"""Events by server-sent events: the same as on the socket, over a real connection."""

import asyncio
import contextlib
import json
import socket
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest
from websockets.sync.client import ClientConnection, connect

from service.engine.log import ENTRY_BYTES
from service.protocol.connection import RETRY_MS
from service.serving import DRAIN_SECONDS
from service.store.redis import keys
from service.usecases.views import MISSED_LIMIT
from service.web.sockets import FIRST_RETRY_MS
from tests.conftest import Emptied
from tests.live.replica import replica
from tests.web.playing import GROUP, Guest, Json, done, refused, wrong_fields
from tests.web.running import PATIENCE, Running, running, until


class Stream:
    """A stream of server-sent events, read field by field."""

    def __init__(self, answer: httpx.Response) -> None:
        self.answer = answer
        self._lines = answer.iter_lines()

    def block(self) -> dict[str, str]:
        """The fields of the next block that has any; nothing at the end."""
        fields: dict[str, str] = {}
        for line in self._lines:
            if not line and fields:
                break
            name, _, value = line.partition(": ")
            if name.strip(":"):
                fields[name] = value
        return fields

    def blocks(self, count: int) -> list[dict[str, str]]:
        return [self.block() for _ in range(count)]

    def message(self, kind: str) -> Json:
        """The data of the next event, which has to be of a kind, presence apart."""
        while (block := self.block()).get("event") == "presence":
            pass
        assert block["event"] == kind, block
        message: Json = json.loads(block["data"])
        assert message["type"] == kind
        named = message.get("session") if kind != "event" else message
        assert isinstance(named, dict)
        assert block["id"] == f"{named['seq']}-{named['crc']}"
        return message

    def rest(self) -> list[dict[str, str]]:
        """The blocks up to the end."""
        return list(iter(self.block, {}))


@contextlib.contextmanager
def opened(url: str, session: Json, guest: Guest | None = None, **asked: Any) -> Iterator[httpx.Response]:
    """The answer to the request for a stream: `Last_Event_ID` as a header, anything else in the URL."""
    headers = {"Last-Event-ID": asked.pop("Last_Event_ID")} if "Last_Event_ID" in asked else {}
    if guest:
        headers["Authorization"] = f"Bearer {guest.token}"
    path = f"{url}/v1/sessions/{session['id']}/stream"
    with httpx.Client(timeout=PATIENCE) as http, http.stream("GET", path, params=asked, headers=headers) as answer:
        yield answer


@contextlib.contextmanager
def streaming(url: str, session: Json, guest: Guest | None = None, **asked: Any) -> Iterator[Stream]:
    """A stream that has begun."""
    with opened(url, session, guest, **asked) as answer:
        assert answer.status_code == 200, answer.read()
        stream = Stream(answer)
        assert stream.block() == {"retry": str(RETRY_MS)}
        yield stream


@contextlib.contextmanager
def socket_to(url: str, session: Json, guest: Guest | None, **hello: Any) -> Iterator[ClientConnection]:
    """A socket after its welcome."""
    headers = {"Authorization": f"Bearer {guest.token}"} if guest else {}
    path = f"{url.replace('http', 'ws', 1)}/v1/sessions/{session['id']}/live"
    with connect(path, additional_headers=headers) as link:
        link.send(json.dumps({"type": "hello", "v": 1, **hello}))
        assert json.loads(link.recv())["type"] == "welcome"
        yield link


def refusal(response: httpx.Response) -> httpx.Response:
    """The answer to a request for a stream that is no stream, read."""
    response.read()
    return response


def entries(link: ClientConnection, count: int) -> list[str]:
    """The texts of the next events of a socket."""
    found: list[str] = []
    while len(found) < count:
        text = link.recv(PATIENCE)
        assert isinstance(text, str)
        if json.loads(text)["type"] == "event":
            found.append(text)
    return found


def data(stream: Stream, count: int) -> list[str]:
    """The data of the next events of a stream."""
    found: list[str] = []
    while len(found) < count:
        block = stream.block()
        if block["event"] == "event":
            found.append(block["data"])
    return found


@pytest.fixture
def replicas(emptied: Emptied) -> Iterator[tuple[Running, Running]]:
    """Two services on one store without data."""
    server = emptied("valkey")
    with running(server) as one, running(server) as other:
        yield one, other


@pytest.fixture
def public(service: Running) -> str:
    """The URL of the service."""
    return service.url


def test_a_stream_says_what_it_is_and_that_nobody_keeps_it(guest: Guest, public: str) -> None:
    with streaming(public, guest.deal(), guest) as stream:
        headers = stream.answer.headers
        assert headers["content-type"].partition(";")[0] == "text/event-stream"
        assert headers["cache-control"] == "no-store"
        assert "Authorization" in headers["vary"]
        assert "content-length" not in headers


def test_it_brings_the_session_and_then_each_entry_as_it_is_made(guest: Guest, public: str) -> None:
    session = guest.deal()
    with streaming(public, session, guest) as stream:
        assert stream.message("snapshot")["session"] == session
        for move in GROUP:
            session = guest.play(session, move)
            event = stream.message("event")
            assert (event["move"], event["seq"], event["crc"]) == (move, session["seq"], session["crc"])
            assert event["legal"] == session["legal"]


@pytest.mark.parametrize("as_player", [True, False])
def test_streams_of_two_replicas_tell_letter_for_letter_what_a_socket_tells(
    as_player: bool, replicas: tuple[Running, Running]
) -> None:
    here, there = replicas
    with there.client() as http:
        player = Guest(http)
        session = player.play(player.deal(), "b1G")
        viewer, after = player if as_player else None, {"after": 1, "crc": session["crc"]}
        with (
            streaming(here.url, session, viewer, **after) as stream,
            streaming(there.url, session, viewer, **after) as other,
            socket_to(here.url, session, viewer, seq=1, crc=session["crc"]) as link,
        ):
            session = player.play(session, *GROUP[1:])
            for command in ("undo", "redo", "restart", "redo", "resign"):
                session = done(player.command(session, command))
            told = entries(link, 8)
            assert [json.loads(text)["seq"] for text in told] == list(range(2, 10))
            assert data(stream, 8) == data(other, 8) == told


@pytest.mark.parametrize(
    "asked", [{"Last_Event_ID": "1-{crc}", "after": 3}, {"after": 1, "crc": "{crc}"}, {"after": 1}]
)
def test_it_goes_on_from_a_place_without_a_gap(asked: Json, guest: Guest, public: str) -> None:
    first = guest.play(guest.deal(), "b1G")
    session = guest.play(first, "a2b1", "a3a2")
    asked = {name: value.format(**first) if isinstance(value, str) else value for name, value in asked.items()}

    with streaming(public, session, guest, **asked) as stream:
        assert [stream.message("event")["seq"] for _ in range(2)] == [2, 3]
        guest.play(session, "a4a3")
        assert stream.message("event")["seq"] == 4


def test_from_a_place_that_is_not_in_the_history_it_is_a_reset(guest: Guest, public: str) -> None:
    session = guest.play(guest.deal(), "b1G")

    with streaming(public, session, guest, Last_Event_ID="1-00000000") as stream:
        assert stream.message("reset")["session"] == session


def test_a_history_that_lost_its_end_is_a_reset(guest: Guest, service: Running) -> None:
    before = guest.play(guest.deal(), "b1G")
    after = guest.play(before, "g2b1")
    with streaming(service.url, after, guest, after=2, crc=after["crc"]) as stream:
        service.set_log(after["id"], service.log(after["id"])[:-ENTRY_BYTES])
        service.redis.spublish(keys.session_channel(after["id"]), "")

        assert stream.message("reset")["session"] == before
        guest.play(before, "a2b1")
        assert stream.message("event")["seq"] == 2


def test_a_spectator_is_told_no_secret_and_nothing_to_play(guest: Guest, public: str) -> None:
    session = guest.deal("secret", mode="turns")
    with streaming(public, session) as stream:
        seen = stream.message("snapshot")["session"]
        assert seen == session | {"legal": [], "you": None, "invite": None}
        assert seen["deal"] is None
        guest.play(session, session["legal"][0]["move"])
        assert stream.message("event")["legal"] == []


def test_whoever_takes_a_seat_or_leaves_it_is_a_snapshot_for_all_on_any_replica(
    replicas: tuple[Running, Running],
) -> None:
    here, there = replicas
    with here.client() as http:
        guest, rival = Guest(http), Guest(http)
        session = guest.deal(mode="turns")
        with streaming(there.url, session, guest) as mine, streaming(there.url, session, rival) as theirs:
            assert [stream.message("snapshot")["session"]["you"] for stream in (mine, theirs)] == [0, None]
            rival.post(f"/v1/sessions/{session['id']}/join", {"invite": session["invite"]})
            mine_now, theirs_now = (stream.message("snapshot")["session"] for stream in (mine, theirs))
            assert (mine_now["you"], theirs_now["you"]) == (0, 1)
            assert mine_now["seats"] == theirs_now["seats"] == rival.see(session)["seats"]
            rival.post(f"/v1/sessions/{session['id']}/leave", {})
            assert mine.message("snapshot")["session"]["seats"] == session["seats"]


def test_a_private_session_ends_its_stream_for_whoever_leaves(guest: Guest, rival: Guest, public: str) -> None:
    session = guest.deal(mode="turns", spectators=False)
    rival.post(f"/v1/sessions/{session['id']}/join", {"invite": session["invite"]})
    with streaming(public, session, rival) as stream:
        stream.message("snapshot")
        rival.post(f"/v1/sessions/{session['id']}/leave", {})
        assert stream.rest()[-1] == {"retry": str(RETRY_MS)}
    with opened(public, session, rival) as answer:
        refused(refusal(answer), 403, "not_for_spectators")


def test_a_ticket_says_once_who_it_is(guest: Guest, rival: Guest, public: str) -> None:
    session = guest.deal()
    ticket = guest.post("/v1/tickets", {}).json()["ticket"]

    with streaming(public, session, ticket=ticket) as stream:
        assert stream.message("snapshot")["session"]["you"] == 0
    with opened(public, session, ticket=ticket) as answer:
        refused(refusal(answer), 401, "unauthorised")


@pytest.mark.parametrize(
    ("asked", "wrong"),
    [
        ({"Last_Event_ID": "1"}, "header.last-event-id"),
        ({"after": -1}, "query.after"),
        ({"after": 0, "crc": "x"}, "query.crc"),
        ({"ticket": "x" * 101}, "query.ticket"),
    ],
)
def test_a_stream_that_cannot_be_is_a_bad_request(asked: Json, wrong: str, guest: Guest, public: str) -> None:
    with opened(public, guest.deal(), **asked) as answer:
        assert list(wrong_fields(refusal(answer), 400)) == [wrong]


def test_a_stream_of_no_session_or_of_a_private_one_or_of_a_bad_log_is_refused(guest: Guest, service: Running) -> None:
    with opened(service.url, {"id": "nowhere"}) as answer:
        refused(refusal(answer), 404, "no_such_session")
    with opened(service.url, guest.deal(spectators=False)) as answer:
        refused(refusal(answer), 403, "not_for_spectators")
    session = guest.deal()
    service.set_log(session["id"], b"x")
    with opened(service.url, session) as answer:
        refused(refusal(answer), 409, "corrupt_session")


def test_a_client_that_goes_leaves_nothing_behind(guest: Guest, service: Running) -> None:
    cases = service.app.state.use_cases
    session = guest.deal()
    until(lambda: cases.sockets.total == 0)
    with streaming(service.url, session) as stream:
        stream.message("snapshot")
        assert cases.sockets.total == cases.sockets.of("127.0.0.1") == 1
        (inbox,) = service.watchers(session["id"])
        loop = inbox._has_more._loop  # type: ignore[attr-defined]
        assert tasks(loop) >= STREAMING

    until(lambda: cases.sockets.total == 0)
    until(lambda: not tasks(loop) & STREAMING)
    assert service.watchers(session["id"]) == set()
    until(lambda: session["id"] not in cases.live.presences._sessions)


STREAMING = {"EventStream._tell", "EventStream._leave", "until_gone"}


def tasks(loop: asyncio.AbstractEventLoop) -> set[str]:
    """What runs in a loop."""
    return {getattr(task.get_coro(), "__qualname__", "") for task in asyncio.all_tasks(loop)}


def test_a_client_that_does_not_read_for_long_misses_nothing(redis_url: str, tmp_path: Path) -> None:
    with replica(redis_url, tmp_path / "log") as one, httpx.Client(base_url=one.url) as http:
        guest = Guest(http)
        session = guest.play(guest.deal(), "b1G")
        with unread(one.url, session) as link:
            for number in range(MISSED_LIMIT):  # far more than the buffers on the way and the inbox hold
                session = done(guest.command(session, "redo" if number % 2 else "undo"))
            told = [json.loads(line[6:]) for line in lines(link, f'"seq":{session["seq"]},') if "data: " in line]

    first, *events = (message for message in told if message["type"] != "presence")
    assert first["type"] == "snapshot"
    assert [event["seq"] for event in events] == list(range(first["session"]["seq"] + 1, session["seq"] + 1))


@contextlib.contextmanager
def unread(url: str, session: Json) -> Iterator[socket.socket]:
    """A connection that has room for little, asks for a stream, and does not read it."""
    host, _, port = url.removeprefix("http://").partition(":")
    with socket.socket() as link:
        link.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        link.settimeout(PATIENCE)
        link.connect((host, int(port)))
        link.sendall(f"GET /v1/sessions/{session['id']}/stream HTTP/1.1\r\nHost: x\r\n\r\n".encode())
        yield link


def lines(link: socket.socket, last: str) -> Iterator[str]:
    """The lines that come, in whatever chunks, up to one that has this text."""
    chunks = link.makefile("rb")
    for line in chunks:
        text = line.decode().rstrip()
        yield text
        if last in text:
            return


def test_a_stream_ends_when_the_service_stops_and_says_when_to_come_back(redis_url: str, tmp_path: Path) -> None:
    with replica(redis_url, tmp_path / "log") as stopped, httpx.Client(base_url=stopped.url) as http:
        guest = Guest(http)
        session = guest.play(guest.deal(), "b1G")
        with streaming(stopped.url, session, guest) as one, streaming(stopped.url, session) as other:
            for stream in (one, other):
                stream.message("snapshot")
            begin = time.monotonic()
            stopped.process.terminate()
            ends = sorted(int(stream.rest()[-1]["retry"]) for stream in (one, other))
            assert stopped.process.wait(DRAIN_SECONDS) == 0
            assert time.monotonic() - begin < DRAIN_SECONDS
        log = stopped.log

    assert ends[0] >= FIRST_RETRY_MS
    assert ends[0] < ends[1] < RETRY_MS
    assert log == ""
