"""`constitution study`: what it says, and that it outlives being killed."""

import json
import signal
import sys
from pathlib import Path

import pytest

from tests.cli.commands import PATIENCE, run, say, started
from tests.web.running import until

DEALS = "160..170"
MANY = "160..9999"


def rows(table: Path) -> int:
    return table.read_text().count("\n") - 1 if table.exists() else 0


def children(pid: int) -> list[Path]:
    """The processes that a process has started."""
    found = Path(f"/proc/{pid}/task/{pid}/children").read_text().split()
    return [Path("/proc") / child for child in found]


def is_gone(process: Path) -> bool:
    """Whether a process has ended, though its new parent may not have taken note."""
    try:
        return (process / "stat").read_text().rsplit(")", 1)[1].split()[0] == "Z"
    except OSError:
        return True


@pytest.fixture(scope="module")
def unbroken(tmp_path_factory: pytest.TempPathFactory) -> bytes:
    """The table that an unbroken run leaves."""
    folder = tmp_path_factory.mktemp("study")
    said = run("study", "--deals", DEALS, "--out", str(folder))

    assert (said.status, said.err) == (0, "")
    assert said.out == (folder / "summary.md").read_text()
    assert json.loads((folder / "summary.json").read_text())["modern"]["unwinnable_deals"] == [167]
    return (folder / "modern.csv").read_bytes()


@pytest.mark.parametrize("processes", ["1", "2"])
def test_one_that_is_killed_goes_on_where_it_was(
    processes: str, unbroken: bytes, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    table = tmp_path / "modern.csv"
    with started("study", "--deals", MANY, "--processes", processes, "--out", str(tmp_path)) as process:
        until(lambda: rows(table) >= 5)
        workers = children(process.pid) if sys.platform == "linux" else []
        process.kill()
    until(lambda: all(map(is_gone, workers)))
    lines = table.read_text().splitlines(keepends=True)
    kept = [line for line in lines if line.split(",")[0] in ("deal", "167", *map(str, range(160, 166)))]
    table.write_text("".join(kept) + lines[-1][:20])

    assert say(capsys, "study", "--deals", DEALS, "--processes", processes, "--out", str(tmp_path)).status == 0
    assert table.read_bytes() == unbroken


@pytest.mark.parametrize("processes", ["1", "2"])
def test_one_that_is_interrupted_says_no_more_and_keeps_what_it_has(processes: str, tmp_path: Path) -> None:
    table = tmp_path / "modern.csv"
    with started("study", "--deals", MANY, "--processes", processes, "--out", str(tmp_path)) as process:
        until(lambda: rows(table) >= 5)
        process.send_signal(signal.SIGINT)
        out, err = process.communicate(timeout=PATIENCE)

    assert (process.returncode, out, err) == (130, "", "")
    assert rows(table) >= 5


@pytest.mark.parametrize(
    "deals", ["", "1", "1-5", "5..1", "..", "a..b", "1..", "-1..2", "1..2..3", "0..1000000", "\u0661..2", f"1..{2**64}"]
)
def test_deals_are_a_range_of_numbers(deals: str, capsys: pytest.CaptureFixture[str]) -> None:
    said = say(capsys, "study", f"--deals={deals}")

    line = "constitution study: argument --deals: there should be numbers of deals, as 1..2000, and 1000000 at most\n"
    assert said == (2, "", line)


@pytest.mark.parametrize("processes", ["0", "-1", "257", "two", "1.5"])
def test_processes_are_a_number(processes: str, capsys: pytest.CaptureFixture[str]) -> None:
    said = say(capsys, "study", "--deals", "1..2", f"--processes={processes}")
    assert said == (2, "", "constitution study: argument --processes: there should be a number from 1 to 256\n")


def test_other_rules_are_refused(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    said = say(capsys, "study", "--rules", "whist", "--deals", "1..2", "--out", str(tmp_path / "study"))

    assert (said.status, said.out) == (2, "")
    assert said.err.startswith("constitution: not a rule set: at 0, 'whist', ")
    assert not (tmp_path / "study").exists()


def test_a_file_that_is_no_table_is_left_alone(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    (tmp_path / "modern.csv").write_text("a poem\n")
    said = say(capsys, "study", "--deals", "1..2", "--out", str(tmp_path))

    line = f"constitution: {tmp_path}/modern.csv: line 1 is not the head of a study's table\n"
    assert said == (2, "", line)
    assert (tmp_path / "modern.csv").read_text() == "a poem\n"


def test_a_folder_that_cannot_be_is_a_failure(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    said = say(capsys, "study", "--deals", "1..2", "--out", str(tmp_path / "file"))

    assert (said.status, said.out) == (1, "")
    assert said.err.count("\n") == 1
