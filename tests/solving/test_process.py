"""One process of the pool, which ends with whoever started it."""

import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import httpx
import pytest

from service.ports import Problem, Report
from service.solving.process import NICENESS
from service.solving.wire import decode_report, encode
from tests.live.replica import Replica
from tests.solving.problems import OTHER, QUICK, hard, is_running, searchers, seconds_of

SECONDS = 20.0
HARD = (605, 710)  # deals of cadogan-1914 that take long
AT_WORK = 0.03  # seconds of a processor


def until(condition: Callable[[], object]) -> None:
    deadline = time.monotonic() + SECONDS
    while not condition():
        assert time.monotonic() < deadline, "it does not come true"
        time.sleep(0.01)


@contextmanager
def begun() -> Iterator[subprocess.Popen[bytes]]:
    command = [sys.executable, "-m", "service.solving.process"]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as process:
        yield process
        process.kill()


def ask(process: subprocess.Popen[bytes], problem: Problem) -> None:
    assert process.stdin
    process.stdin.write(encode(problem) + b"\n")
    process.stdin.flush()


def answer(process: subprocess.Popen[bytes]) -> Report:
    assert process.stdout
    return decode_report(process.stdout.readline())


def hang_up(process: subprocess.Popen[bytes]) -> None:
    assert process.stdin
    process.stdin.close()


def test_it_solves_one_problem_after_another_and_gives_way_to_others() -> None:
    with begun() as process:
        for problem in (QUICK, OTHER):
            ask(process, problem)
        assert [answer(process).result for _ in range(2)] == ["won", "won"]
        assert os.getpriority(os.PRIO_PROCESS, process.pid) == os.getpriority(os.PRIO_PROCESS, 0) + NICENESS


@pytest.mark.parametrize("is_at_work", [False, True])
def test_it_ends_when_nobody_can_ask_it_any_more(is_at_work: bool) -> None:
    with begun() as process:
        ask(process, QUICK)
        answer(process)
        if is_at_work:
            before = seconds_of(process.pid)
            ask(process, hard())
            until(lambda: seconds_of(process.pid) > before + AT_WORK)
        hang_up(process)
        assert process.wait(SECONDS) == 0


def test_ctrl_c_in_the_terminal_is_for_whoever_started_it() -> None:
    with begun() as process:
        ask(process, QUICK)
        answer(process)
        process.send_signal(signal.SIGINT)
        ask(process, OTHER)
        assert answer(process).result == "won"


@pytest.mark.parametrize("end", [Replica.kill, Replica.stop])
def test_a_service_that_ends_leaves_no_search_behind(
    redis_url: str, tmp_path: Path, end: Callable[[Replica], object]
) -> None:
    service = Replica(redis_url, tmp_path / "log", SOLVERS="2")
    asking = [threading.Thread(target=ask_for, args=(service.url, deal)) for deal in HARD]
    try:
        for one in asking:
            one.start()
        until(lambda: len(searchers(service.process.pid)) == len(HARD))
        pids = searchers(service.process.pid)
        end(service)
        until(lambda: not any(map(is_running, pids)))
        for one in asking:
            one.join(SECONDS)
    finally:
        service.process.kill()
        service.process.wait()
        assert service.process.stdout
        service.process.stdout.close()


def ask_for(url: str, deal: int) -> None:
    """Asks for a deal, and does not mind that the service goes."""
    with suppress(httpx.TransportError):
        httpx.get(f"{url}/v1/deals/{deal}?rules=cadogan-1914&wait=25", timeout=SECONDS)
