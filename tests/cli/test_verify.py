"""`constitution verify` and `constitution openapi`."""

import json
from pathlib import Path

import pytest

from service.app import contract
from service.store import embedded
from tests.cli.commands import run, say
from tests.web.playing import GROUP, Guest, Json
from tests.web.running import Running

RECORD = (
    '[Game "British Constitution"]\n'
    '[Rules "modern"]\n'
    '[Deal "pysol:1"]\n'
    '[Engine "1"]\n'
    '[Status "playing"]\n'
    '[Points "148"]\n'
    "\n"
    "1. b1G 2. a2b1 3. a3a2 4. a4a3\n"
)


@pytest.fixture
def session(service: Running) -> Json:
    """A session of pysol:1 with four entries."""
    with service.client() as http:
        guest = Guest(http)
        return guest.play(guest.deal(), *GROUP)


@pytest.fixture
def redis_at(service: Running) -> str:
    """Where the service's Redis is."""
    return f"unix://{service.redis.connection_pool.connection_kwargs['path']}"


def test_a_sound_session_is_printed_as_its_record(session: Json, redis_at: str) -> None:
    assert run("verify", session["id"], REDIS_URL=redis_at) == (0, RECORD, "")


@pytest.mark.parametrize(
    ("at", "seq", "why"),
    [
        (slice(None, 35), 4, "the log ends after 5 of its 10 bytes"),
        (slice(10, None), 1, "its checksum does not match"),
    ],
)
def test_a_bad_log_is_told_in_one_line_with_its_first_bad_entry(
    at: slice, seq: int, why: str, service: Running, session: Json, redis_at: str
) -> None:
    service.set_log(session["id"], service.log(session["id"])[at])

    line = f"constitution: The log of session {session['id']} cannot be read: entry {seq}: {why}.\n"
    assert run("verify", session["id"], REDIS_URL=redis_at) == (1, "", line)


@pytest.mark.parametrize("name", ["nowhere", "", "a b", "\udcff"])
def test_a_session_that_there_is_not_is_told_in_one_line(
    name: str, redis_at: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("REDIS_URL", redis_at)
    said = say(capsys, "verify", name)

    assert said.status == (2 if name == "\udcff" else 1)
    assert said.err.count("\n") == 1
    assert said.out == ""


def test_a_redis_that_is_not_there_is_a_failure() -> None:
    said = run("verify", "any", REDIS_URL="unix:///nowhere/redis.sock")

    assert (said.status, said.out) == (1, "")
    assert said.err.splitlines()[-1].startswith("constitution: ")
    assert "Traceback" not in said.err


def test_the_data_folder_is_read_whether_its_server_runs_or_not(tmp_path: Path) -> None:
    data = tmp_path / "data"
    line = "constitution: There is no session 'nowhere', or no more.\n"
    with embedded.server(data):
        assert run("verify", "nowhere", DATA=str(data)) == (1, "", line)
    assert run("verify", "nowhere", DATA=str(data)) == (1, "", line)


def test_the_contract_is_printed_as_it_is_served(capsys: pytest.CaptureFixture[str]) -> None:
    said = run("openapi")

    assert (said.status, said.err) == (0, "")
    assert json.loads(said.out) == contract()
    assert say(capsys, "openapi") == said
