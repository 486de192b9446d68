"""What the service says while Redis is away or silent, and that it comes back by itself."""

import contextlib
import time
from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest

from service.app import create_app
from service.store.memory import MemoryStore
from tests.contract.documents import check_answer
from tests.servers import ON_DISK, PROGRAMS, Server, server
from tests.web.playing import Guest, refused
from tests.web.running import hung, running, served, until

DETAIL = "The store cannot be reached just now; try again, commands are recognised and not done twice."


@pytest.fixture
def redis(tmp_path: Path) -> Iterator[Server]:
    """A Redis that a test may do anything to."""
    with server(PROGRAMS["valkey"], *ON_DISK, data=tmp_path) as one:
        yield one


@pytest.fixture
def http(redis: Server) -> Iterator[httpx.Client]:
    with running(redis) as service, service.client() as client:
        yield client


def test_a_service_with_its_redis_lives_and_is_ready(http: httpx.Client) -> None:
    assert http.get("/livez").json() == {"status": "live"}
    assert http.get("/readyz").json() == {"status": "ready"}


def test_while_redis_is_away_every_route_that_needs_it_says_so_and_afterwards_all_is_there(
    redis: Server, guest: Guest, http: httpx.Client
) -> None:
    session = guest.play(guest.deal(), "b1G")
    path = f"/v1/sessions/{session['id']}"
    redis.kill()

    for answer in (
        http.get("/readyz"),
        http.post("/v1/players"),
        guest.post("/v1/tickets", {}),
        guest.get("/v1/sessions"),
        guest.post("/v1/sessions", {}),
        http.get(path),
        http.get(f"{path}/record"),
        http.get(f"{path}/events?after=1&wait=30"),
        *(guest.command(session, command) for command in ("undo", "redo", "restart", "resign")),
        guest.move(session, "a2b1"),
    ):
        assert refused(answer, 503, "unavailable")["detail"] == DETAIL
        assert answer.headers["retry-after"] == "1"
    assert http.get("/livez").status_code == 200

    redis.start()
    until(lambda: http.get("/readyz").status_code == 200)
    assert guest.see(session) == session
    assert guest.play(session, "a2b1")["seq"] == 2


def test_a_redis_that_says_nothing_makes_the_service_not_ready_within_two_seconds(
    redis: Server, http: httpx.Client
) -> None:
    assert http.get("/readyz").status_code == 200
    with hung(redis):
        asked = time.monotonic()
        answer = http.get("/readyz")
        assert time.monotonic() - asked < 2
        refused(answer, 503, "unavailable")
        assert http.get("/livez").status_code == 200

    until(lambda: http.get("/readyz").status_code == 200)


def test_a_move_whose_answer_was_lost_is_recognised_when_it_is_sent_again(redis: Server, guest: Guest) -> None:
    session = guest.deal()
    with hung(redis):
        refused(guest.move(session, "b1G"), 503, "unavailable")

    assert guest.play(session, "b1G")["seq"] == 1
    assert guest.see(session)["seq"] == 1


def test_an_unforeseen_error_is_told_without_its_cause_which_is_logged(caplog: pytest.LogCaptureFixture) -> None:
    class Faulty(MemoryStore):
        async def check(self) -> None:
            raise ZeroDivisionError("the cause")

    app = create_app(Faulty(lambda: 0, session_ttl=0), cached_sessions=1)
    with served(app) as url, contextlib.closing(httpx.Client(base_url=url)) as client:
        answer = client.get("/readyz")

    problem = refused(answer, 500, "internal")
    assert problem["detail"] == "Something is wrong with this service."
    with pytest.raises(AssertionError, match="get /readyz answers with 500, which is not documented"):
        check_answer(answer)
    assert "GET /readyz failed" in caplog.messages
    assert "the cause" in caplog.text
