"""The log of a service in a process of its own."""

import json
import logging
import re
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import httpx
import pytest
from websockets.exceptions import InvalidStatus
from websockets.sync.client import ClientConnection, connect

from service.app import create_app
from service.protocol.close import Close
from service.store.memory import MemoryStore
from service.telemetry import logs
from tests.cli.commands import ROOT, run, started
from tests.cli.test_serve import ended, opened
from tests.live.replica import Replica, replica
from tests.web.playing import GROUP, Guest, Json, refused
from tests.web.running import served

TIME = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z")


def lines(text: str) -> list[dict[str, Any]]:
    """The lines of a log in JSON."""
    return [json.loads(line) for line in text.splitlines()]


def ends(one: Replica) -> list[dict[str, Any]]:
    """What the log says of requests and sockets that have ended."""
    return [line for line in lines(one.log) if line["logger"] == "service.web.access"]


def say_in_process(script: str) -> str:
    """What Python code writes to standard error."""
    done = subprocess.run([sys.executable, "-c", script], check=True, capture_output=True, text=True, cwd=ROOT)
    return done.stderr


@contextmanager
def greeted(one: Replica, path: str, headers: dict[str, str] | None = None) -> Iterator[ClientConnection]:
    """A socket that has been welcomed."""
    with connect(one.url.replace("http", "ws") + path, additional_headers=headers) as socket:
        socket.send('{"type": "hello", "v": 1}')
        assert "welcome" in str(socket.recv())
        yield socket


def play(url: str) -> tuple[Guest, Json]:
    """Somebody who has played a little, and the session."""
    with httpx.Client(base_url=url) as http:
        guest = Guest(http)
        return guest, guest.play(guest.deal(), *GROUP)


def test_as_it_is_nothing_is_logged_of_what_goes_well(redis_url: str, tmp_path: Path) -> None:
    with replica(redis_url, tmp_path / "service.log") as one:
        play(one.url)
        httpx.get(f"{one.url}/v1/nowhere")

    assert one.log == ""


def test_from_info_on_each_request_has_a_line_at_its_end(redis_url: str, tmp_path: Path) -> None:
    with replica(redis_url, tmp_path / "service.log", LOG_LEVEL="info", LOG_FORMAT="json") as one:
        guest, session = play(one.url)
        httpx.get(f"{one.url}/v1/sessions/{session['id']}/history?limit=1")
        httpx.get(f"{one.url}/v1/sessions/{session['id']}")
        httpx.get(f"{one.url}/v1/sessions/no-session")
        httpx.get(f"{one.url}/v1/nowhere")
        httpx.get(f"{one.url}/readyz")

    told = [(end["method"], end.get("route"), end["status"], end.get("code")) for end in ends(one)]
    move = ("POST", "/v1/sessions/{session}/moves", 200, None)
    assert told == [
        ("POST", "/v1/players", 201, None),
        ("POST", "/v1/sessions", 201, None),
        *[move] * len(GROUP),
        ("GET", "/v1/sessions/{session}/history", 200, None),
        ("GET", "/v1/sessions/{session}", 200, None),
        ("GET", "/v1/sessions/{session}", 404, "no_such_session"),
        ("GET", None, 404, "not_found"),
    ]
    for end in ends(one):
        is_hers = end.get("route") in {"/v1/sessions", "/v1/sessions/{session}/moves"}
        assert TIME.fullmatch(end["time"])
        assert (end["level"], end["message"]) == ("info", "answered")
        assert 0 < end["ms"] < 60_000
        assert end.get("player") == (guest.id if is_hers else None)
        assert end.get("session") in {None, session["id"]}
        assert "address" not in end
    assert len({end["request"] for end in ends(one)}) == len(told)


def test_a_socket_has_a_line_at_its_end(redis_url: str, tmp_path: Path) -> None:
    with replica(redis_url, tmp_path / "service.log", LOG_LEVEL="info", LOG_FORMAT="json") as one:
        guest, session = play(one.url)
        own = {"Authorization": f"Bearer {guest.token}", "X-Request-Id": "proxy-0123"}
        with greeted(one, f"/v1/sessions/{session['id']}/live", own) as socket:
            assert socket.response
            assert socket.response.headers["X-Request-Id"] == "proxy-0123"
        with greeted(one, "/v1/live"):
            one.stop()

    known = {"message": "a socket has ended", "method": "WEBSOCKET"}
    left, sent_away = [end for end in ends(one) if end.items() >= known.items()]
    assert left.items() >= {"request": "proxy-0123", "player": guest.id, "session": session["id"]}.items()
    assert (left["route"], left["status"]) == ("/v1/sessions/{session}/live", 1000)
    assert (sent_away["route"], sent_away["status"]) == ("/v1/live", Close.GOING_AWAY)
    assert not sent_away.keys() & {"player", "session"}


def test_a_socket_that_is_not_let_in_has_a_line_like_a_request(redis_url: str, tmp_path: Path) -> None:
    with replica(redis_url, tmp_path / "service.log", LOG_LEVEL="info", LOG_FORMAT="json", SOCKETS="1") as one:
        with pytest.raises(InvalidStatus, match="403"), greeted(one, "/v1/nowhere"):
            """It is not let in."""
        with greeted(one, "/v1/live"), pytest.raises(InvalidStatus, match="503"), greeted(one, "/v1/live"):
            """Nor is this."""

    told = [(end["method"], end["status"], end.get("code")) for end in ends(one) if end["message"] == "answered"]
    assert told == [("WEBSOCKET", 403, None), ("WEBSOCKET", 503, "too_many_sockets")]


def test_addresses_and_probes_are_told_at_debug_alone(redis_url: str, tmp_path: Path) -> None:
    with replica(redis_url, tmp_path / "service.log", LOG_LEVEL="debug", LOG_FORMAT="json") as one:
        httpx.get(f"{one.url}/livez")

    [end] = ends(one)
    assert (end["level"], end["route"], end["address"]) == ("debug", "/livez", "127.0.0.1")


def test_the_id_that_a_proxy_gives_a_request_is_answered(redis_url: str, tmp_path: Path) -> None:
    with replica(redis_url, tmp_path / "service.log") as one:
        for given in ("abcDEF-9", "x" * 64, "01234567-89ab-cdef-0123-456789abcdef"):
            for path in ("/livez", "/v1/nowhere", "/v1/players"):
                assert httpx.get(f"{one.url}{path}", headers={"X-Request-Id": given}).headers["X-Request-Id"] == given


def test_a_request_without_a_good_id_is_given_one(redis_url: str, tmp_path: Path) -> None:
    bad = ["", "short", "x" * 65, "with space", "semi;colon", "new%0Aline"]
    with replica(redis_url, tmp_path / "service.log") as one:
        answers = [httpx.get(f"{one.url}/livez", headers={"X-Request-Id": given}) for given in bad]

    made = {answer.headers["X-Request-Id"] for answer in answers}
    assert len(made) == len(bad)
    for request in made:
        assert re.fullmatch(r"[0-9a-f]{16}-\d+", request)


def test_pages_may_read_the_id(redis_url: str, tmp_path: Path) -> None:
    with replica(redis_url, tmp_path / "service.log") as one:
        answer = httpx.get(f"{one.url}/livez", headers={"Origin": "https://elsewhere.example"})

    assert "X-Request-Id" in answer.headers["Access-Control-Expose-Headers"]


def test_a_line_for_people_says_when_how_bad_where_and_what(redis_url: str, tmp_path: Path) -> None:
    with replica(redis_url, tmp_path / "service.log", LOG_LEVEL="info") as one:
        httpx.get(f"{one.url}/v1/players/me", headers={"X-Request-Id": "proxy-0123"})

    told = r"answered method=GET route=/v1/players/me status=401 ms=[\d.]+ request=proxy-0123 code=unauthorised"
    assert re.fullmatch(rf"{TIME.pattern} info service.web.access: {told}\n", one.log)


def test_nobody_adds_lines_to_the_log_by_what_they_ask_for() -> None:
    said = say_in_process(
        "import logging; from service.telemetry import logs; logs.configure('info', 'text')\n"
        "logging.getLogger('service').info('%s', 'one\\ntwo\\r\\u2028\\x1b[2J\\udcff é', extra={'path': 'a\\nb'})"
    )

    assert said.count("\n") == 1
    assert said.endswith(r"service: one\ntwo\r\u2028\x1b[2J\udcff é path=a\nb" + "\n")


@pytest.mark.parametrize("level", ["debug", "info", "warning", "error"])
def test_of_others_nothing_is_heard_below_warning(level: str) -> None:
    said = say_in_process(
        "import logging; from service.telemetry import logs; logs.configure(" + repr(level) + ", 'json')\n"
        "for name in ('service.web', 'uvicorn.error', 'websockets', 'redis'):\n"
        "    for level in ('debug', 'info', 'warning', 'error'):\n"
        "        logging.getLogger(name).log(logging.getLevelName(level.upper()), level)"
    )

    levels = ["debug", "info", "warning", "error"]
    heard = levels[levels.index(level) :]
    for name in ("service.web", "uvicorn.error", "websockets", "redis"):
        told = [line["level"] for line in lines(said) if line["logger"] == name]
        assert told == (heard if name == "service.web" else [one for one in heard if one in {"warning", "error"}])


def test_an_error_is_one_field_with_its_traceback() -> None:
    [line] = lines(
        say_in_process(
            "import logging; from service.telemetry import logs; logs.configure('info', 'json'); logs.begin('r')\n"
            "logs.note(player='p', code=None)\n"
            "try:\n    1 / 0\nexcept ZeroDivisionError:\n    logging.getLogger('service').exception('it is wrong')"
        )
    )

    assert line.keys() == {"time", "level", "logger", "message", "error", "request", "player"}
    assert line["message"] == "it is wrong"
    assert line["error"].startswith("Traceback (most recent call last):\n")
    assert line["error"].endswith("\nZeroDivisionError: division by zero")


def test_what_is_noted_outside_of_requests_is_nowhere() -> None:
    said = say_in_process(
        "import logging; from service.telemetry import logs; logs.configure('info', 'text')\n"
        "logs.note(player='p'); logging.getLogger('service').info('nothing more, %s', logs.request())"
    )

    assert said.endswith("service: nothing more, None\n")


def test_a_request_that_fails_is_logged_with_the_id_that_its_problem_has(tmp_path: Path) -> None:
    with replica("unix:///nowhere/redis.sock", tmp_path / "service.log", LOG_FORMAT="json") as one:
        answer = httpx.post(f"{one.url}/v1/players", headers={"X-Request-Id": "proxy-0123"})
        refused(answer, 503, "unavailable")

    failed = [line for line in lines(one.log) if line.get("request") == "proxy-0123"]
    assert failed
    assert failed[0]["message"].startswith("a node does not answer: ")
    assert failed[0]["node"] == "/nowhere/redis.sock"


def test_an_unforeseen_error_has_the_id_and_a_line_too(caplog: pytest.LogCaptureFixture) -> None:
    class Faulty(MemoryStore):
        async def check(self) -> None:
            raise ZeroDivisionError

    caplog.set_level(logging.DEBUG, "service")
    with served(create_app(Faulty(lambda: 0, session_ttl=0), cached_sessions=1)) as url:
        answer = httpx.get(f"{url}/readyz", headers={"X-Request-Id": "proxy-0123"})

    assert (answer.status_code, answer.headers["X-Request-Id"]) == (500, "proxy-0123")
    [end] = [record for record in caplog.records if record.message == "answered"]
    assert (end.status, end.route, end.levelname) == (500, "/readyz", "DEBUG")  # type: ignore[attr-defined]


def test_a_worker_logs_likewise(tmp_path: Path) -> None:
    with started("worker", "--processes", "1", REDIS_URL="unix:///nowhere/redis.sock", LOG_FORMAT="json") as worker:
        assert worker.stdout
        assert worker.stderr
        assert "takes problems" in worker.stdout.readline()
        said = json.loads(worker.stderr.readline())

    assert (said["level"], said["message"].partition(":")[0]) == ("warning", "a node does not answer")


def test_a_process_of_the_solver_logs_likewise(tmp_path: Path) -> None:
    with started(
        "serve", "--port", "0", DATA=str(tmp_path / "data"), SOLVERS="1", LOG_FORMAT="json", LOG_LEVEL="error"
    ) as service:
        url = opened(service)
        assert httpx.get(f"{url}/v1/deals/167", timeout=30).json()["done"]
        children = Path(f"/proc/{service.pid}/task/{service.pid}/children").read_text().split()
        commands = [Path(f"/proc/{child}/cmdline").read_bytes().split(b"\0") for child in children]
        ended(service, signal.SIGTERM)

    assert [b"-m", b"service.solving.process", b"error", b"json", b""] in [command[1:] for command in commands]


@pytest.mark.parametrize(("name", "value"), [("LOG_LEVEL", "loud"), ("LOG_LEVEL", "INFO"), ("LOG_FORMAT", "xml")])
def test_a_level_or_a_form_that_there_is_not_is_told_in_one_line(name: str, value: str) -> None:
    said = run("serve", **{name: value})

    assert (said.status, said.out) == (2, "")
    assert said.err.startswith(f"constitution: {name.lower()}: Input should be '")


async def test_a_record_has_what_is_known_of_the_request_but_what_it_says_itself() -> None:
    record = logging.LogRecord("service", logging.INFO, "", 0, "said", None, None)
    record.player = "the record's own"
    logs.begin("r1")
    logs.note(player="asking", code="stale")

    assert logs._Facts(lambda: "t1").filter(record)
    assert (record.request, record.player, record.code, record.trace_id) == ("r1", "the record's own", "stale", "t1")  # type: ignore[attr-defined]
    assert logs.request() == "r1"
