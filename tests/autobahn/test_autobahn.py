"""Autobahn's cases, all of them, on the service's socket class with an echo behind it, and on the service itself."""

import re
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import kosoku
import pytest
from kosoku._kosoku import CaseResult

from service.protocol.close import Close
from tests.live.replica import STOPPING, replica

# The cases leave the files open that they read texts from.
pytestmark = pytest.mark.filterwarnings("ignore:.*kosoku:pytest.PytestUnraisableExceptionWarning")

CASES = 517
AT_ONCE = 4
COMPRESSION = ("12.", "13.")
OUR_CODES = {1002, 1007, 1009, Close.NO_HELLO}
README = Path(__file__).with_name("README.md").read_text()
KNOWN = {
    case: (verdict, int(close))
    for case, verdict, close in re.findall(r"^\| ([\d.]+) \| ([A-Z-]+) \| (\d+) \|", README, re.MULTILINE)
}


@pytest.fixture
def echo(tmp_path: Path) -> Iterator[str]:
    """The URL of an echo, which has to stay without complaint."""
    log = tmp_path / "echo.log"
    with log.open("w") as stderr:
        process = subprocess.Popen(
            [sys.executable, "-m", "tests.autobahn.echo"], stdout=subprocess.PIPE, stderr=stderr, text=True
        )
    with process:
        assert process.stdout
        yield process.stdout.readline().strip()
        assert process.poll() is None
        process.terminate()
        process.wait(STOPPING)
    assert log.read_text() == ""


async def test_every_case_ends_well_or_as_the_readme_says(echo: str, capsys: pytest.CaptureFixture[str]) -> None:
    results = await results_of(echo, ["*"])
    assert len(results) == CASES
    with capsys.disabled():
        counted = Counter(result.behavior.value for result in results)
        print(f"\nAutobahn: {len(results)} cases,", ", ".join(f"{count} {name}" for name, count in counted.items()))

    results = await results_of(echo, [one.case_id for one in results if not is_as_expected(one)])
    assert [f"{one.case_id}: {verdict(one)}, {one.result}" for one in results if not is_as_expected(one)] == []


async def test_the_service_itself_closes_cleanly_whatever_the_case(redis_url: str, tmp_path: Path) -> None:
    with replica(redis_url, tmp_path / "log") as one:
        url = one.url.replace("http", "ws", 1) + "/v1/live"
        results = await results_of(url, ["*"])
        again = await results_of(url, [result.case_id for result in results if not result.was_clean])
        assert one.process.poll() is None

    assert len(results) == CASES
    assert [result.case_id for result in again if not result.was_clean] == []
    assert {result.remote_close_code for result in results if not result.closed_by_me} == OUR_CODES
    assert one.log == ""


async def results_of(url: str, cases: list[str]) -> list[CaseResult]:
    """What came of each case; one gives us a second to hang up, so that on a busy machine a good one may fail."""
    if not cases:
        return []
    try:
        return await kosoku.run_fuzzingclient(url, cases, concurrency=AT_ONCE)
    except kosoku.FailureError as failure:
        return failure.results


def is_as_expected(result: CaseResult) -> bool:
    if result.case_id.startswith(COMPRESSION):
        return verdict(result) == "UNIMPLEMENTED"
    expected, close = KNOWN.get(result.case_id, ("OK", result.remote_close_code))
    return (verdict(result), result.remote_close_code) == (expected, close)


def verdict(result: CaseResult) -> str:
    """Autobahn's word for how a case went, where it also ended so."""
    behaved, closed = result.behavior.value, result.behavior_close.value
    goes_with = {"FAILED": "WRONG CODE", "INFORMATIONAL": "INFORMATIONAL"}
    return behaved if closed == goes_with.get(behaved, "OK") else f"{behaved} and {closed}"
