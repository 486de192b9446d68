"""`constitution serve`: how it opens, and how it closes."""

import re
import signal
import socket
import subprocess
from pathlib import Path

import httpx
import pytest
from redis import Redis

from service.web.pages import BUILT
from tests.cli.commands import PATIENCE, run, started
from tests.web.running import Running, until


def opened(process: subprocess.Popen[str]) -> str:
    """The URL at which the service says that it is open."""
    assert process.stdout
    said = [process.stdout.readline() for _ in range(3 if BUILT.is_dir() else 4)]
    found = re.fullmatch(r"British Constitution 0\.1\.0 is open at (http://127\.0\.0\.1:\d+)\n", said[0])
    assert found, said
    url = found[1]
    assert BUILT.is_dir() or said.pop(1) == "  the web client     is not built; `make client` builds it\n"
    assert said[1:] == [f"  the API's pages    {url}/docs\n", f"  see it play        constitution demo --url {url}\n"]
    return url


def ended(process: subprocess.Popen[str], by: signal.Signals) -> tuple[int, str, str]:
    """The exit status of a process that is told to end, and what it said meanwhile."""
    process.send_signal(by)
    out, err = process.communicate(timeout=PATIENCE)
    return process.returncode, out, err


@pytest.mark.parametrize("by", [signal.SIGTERM, signal.SIGINT])
def test_it_opens_on_a_free_port_and_closes_when_it_is_told_to_with_its_server(
    by: signal.Signals, tmp_path: Path
) -> None:
    data = tmp_path / "data"
    with started("serve", "--port", "0", DATA=str(data)) as process:
        url = opened(process)
        assert httpx.get(f"{url}/readyz").json() == {"status": "ready"}
        address = (data / "address").read_text()
        with Redis(unix_socket_path=address) as redis:
            assert redis.ping()

        assert ended(process, by) == (0, "", "")
    assert not Path(address).exists()


def test_what_was_played_is_there_after_a_restart(tmp_path: Path) -> None:
    data = str(tmp_path / "data")
    with started("serve", "--port", "0", DATA=data) as process:
        url = opened(process)
        token = httpx.post(f"{url}/v1/players").json()["token"]
        headers = {"Authorization": f"Bearer {token}"}
        session = httpx.post(f"{url}/v1/sessions", headers=headers).json()
        assert ended(process, signal.SIGTERM)[0] == 0

    with started("serve", "--port", "0", DATA=data) as process:
        url = opened(process)
        assert httpx.get(f"{url}/v1/sessions/{session['id']}", headers=headers).json() == session
        assert ended(process, signal.SIGTERM)[0] == 0


def test_it_closes_while_redis_is_away() -> None:
    with started("serve", "--port", "0", REDIS_URL="unix:///nowhere/redis.sock") as process:
        url = opened(process)
        assert httpx.get(f"{url}/readyz").status_code == 503

        assert ended(process, signal.SIGTERM)[:2] == (0, "")


def test_a_port_that_is_taken_is_told_in_one_line_and_is_a_failure(tmp_path: Path, redis_url: str) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = str(taken.getsockname()[1])
        for said in (
            run("serve", "--port", port, REDIS_URL=redis_url),
            run("serve", PORT=port, DATA=str(tmp_path / "data")),
        ):
            assert (said.status, said.out) == (1, "")
            assert said.err.count("\n") == 1
            assert "Address already in use" in said.err
            assert f"('127.0.0.1', {port})" in said.err


def test_a_data_folder_that_no_server_can_read_is_told_in_one_line_and_is_a_failure(tmp_path: Path) -> None:
    (tmp_path / "appendonlydir").mkdir()
    (tmp_path / "appendonlydir" / "appendonly.aof.manifest").write_text("nonsense\n")
    said = run("serve", "--port", "0", DATA=str(tmp_path))

    assert (said.status, said.out) == (1, "")
    assert said.err.startswith(f"constitution: The embedded server did not start; {tmp_path}/server.log ends with: ")
    assert said.err.count("\n") == 1


def test_an_address_that_is_not_of_this_machine_is_a_failure(redis_url: str) -> None:
    said = run("serve", "--host", "192.0.2.1", "--port", "0", REDIS_URL=redis_url)

    assert (said.status, said.out) == (1, "")
    assert said.err.count("\n") == 1


def test_a_service_that_is_killed_takes_its_server_along(tmp_path: Path) -> None:
    data = tmp_path / "data"
    with started("serve", "--port", "0", DATA=str(data)) as process:
        opened(process)
        address = Path((data / "address").read_text())
        assert address.exists()
        process.kill()

    until(lambda: not address.exists())


def test_a_demo_plays_a_whole_game_against_it(service: Running) -> None:
    said = run("demo", "--url", service.url, "--pace", "0")

    assert (said.status, said.err) == (0, "")
    assert "won" in said.out


def test_a_demo_of_no_service_is_a_failure_in_one_line() -> None:
    said = run("demo", "--url", "http://127.0.0.1:9")

    assert said.status == 1
    assert said.err.count("\n") == 1
