"""`constitution worker`: it solves for a service that has no processes for that, and ends when it is told to."""

import re
import signal
import subprocess
from pathlib import Path

import httpx
import pytest

from tests.cli.commands import PATIENCE, say, started
from tests.cli.test_serve import ended, opened


def at_work(process: subprocess.Popen[str]) -> str:
    """What a worker says when it begins."""
    assert process.stdout
    return process.stdout.readline()


@pytest.mark.parametrize("by", [signal.SIGTERM, signal.SIGINT])
def test_it_solves_for_a_service_and_ends_when_it_is_told_to(by: signal.Signals, tmp_path: Path) -> None:
    data = str(tmp_path / "data")
    with started("serve", "--port", "0", DATA=data, SOLVERS="0") as service:
        url = opened(service)
        with started("worker", "--processes", "2", DATA=data) as worker:
            said = at_work(worker)
            assert re.fullmatch(r"British Constitution 0\.1\.0 takes problems, 2 at a time\n", said), said
            deal = httpx.get(f"{url}/v1/deals/167", timeout=PATIENCE).json()
            assert (deal["done"], deal["winnable"]) == (True, "no")

            assert ended(worker, by) == (0, "", "")
        assert ended(service, signal.SIGTERM)[0] == 0


def test_it_ends_in_the_midst_of_a_search(tmp_path: Path) -> None:
    data = str(tmp_path / "data")
    with started("serve", "--port", "0", DATA=data, SOLVERS="0") as service:
        url = opened(service)
        with started("worker", "--processes", "1", DATA=data) as worker:
            at_work(worker)
            hard = httpx.get(f"{url}/v1/deals/605?rules=cadogan&wait=1", timeout=PATIENCE).json()
            assert not hard["done"]

            assert ended(worker, signal.SIGTERM) == (0, "", "")
        assert ended(service, signal.SIGTERM)[0] == 0


@pytest.mark.parametrize("processes", ["0", "-1", "257", "many"])
def test_processes_are_a_number(processes: str, capsys: pytest.CaptureFixture[str]) -> None:
    said = say(capsys, "worker", f"--processes={processes}")
    assert said == (2, "", "constitution worker: argument --processes: there should be a number from 1 to 256\n")


def test_a_redis_that_cannot_be_is_told_in_one_line(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("REDIS_URL", "localhost")
    said = say(capsys, "worker")

    line = "constitution: Redis URL must specify one of the following schemes (redis://, rediss://, unix://)\n"
    assert said == (2, "", line)
