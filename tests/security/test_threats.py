"""The page of threats: each has a measure, and tests that are there and run, or is said to be accepted."""

import ast
import re
from pathlib import Path
from typing import NamedTuple

import pytest

ROOT = Path(__file__).parents[2]
PAGE = ROOT / "deploy/THREATS.md"
TEST = re.compile(r"`(tests/[\w/]+\.py::test_\w+)`")
ACCEPTED = "Accepted:"


class Threat(NamedTuple):
    """A row of a table of the page."""

    what: str
    measure: str
    tests: list[str]


def threats(page: str) -> list[Threat]:
    """All rows of the tables that have three columns, without their heads."""
    rows = [[cell.strip() for cell in line.strip("|").split(" | ")] for line in page.splitlines() if line[:2] == "| "]
    return [
        Threat(what, measure, TEST.findall(shown))
        for what, measure, shown in (row for row in rows if len(row) == 3)
        if what not in {"threat", "---"}
    ]


def unshown(found: list[Threat]) -> list[str]:
    """The threats that nothing is said against, or that only words are."""
    return [one.what for one in found if not one.measure or not (one.tests or ACCEPTED in one.measure)]


def missing(tests: set[str]) -> set[str]:
    """Those that are not among the functions, skipped by nobody, that pytest takes for tests in the file they name."""
    by_file = {name: names_of(ROOT / name) for name in {test.split("::")[0] for test in tests}}
    return {test for test in tests if test.split("::")[1] not in by_file[test.split("::")[0]]}


def names_of(file: Path) -> set[str]:
    """The tests of a file that pytest collects by its name: collecting them all took it a minute."""
    if not (file.is_file() and file.name.startswith("test_")):
        return set()
    functions = [
        one for one in ast.parse(file.read_text()).body if isinstance(one, ast.FunctionDef | ast.AsyncFunctionDef)
    ]
    return {one.name for one in functions if not any("skip" in ast.unparse(mark) for mark in one.decorator_list)}


def test_every_threat_has_a_measure_and_a_test_or_is_accepted() -> None:
    found = threats(PAGE.read_text())

    assert len(found) > 30
    assert unshown(found) == []


def test_every_test_that_the_page_names_is_there() -> None:
    page = PAGE.read_text()
    named = {test for threat in threats(page) for test in threat.tests}

    assert named == {*TEST.findall(page)}, "each stands in the last column"
    assert page.count("::test_") == len(TEST.findall(page)), "each is written in full"
    assert missing(named) == set()


def test_a_test_that_is_not_there_and_a_threat_without_one_are_found() -> None:
    there, gone = (
        "tests/security/test_threats.py::test_every_test_that_the_page_names_is_there",
        "tests/none.py::test_x",
    )
    page = (
        f"| threat | measure | shown by |\n| --- | --- | --- |\n| one | it | `{there}` `{gone}` |\n| two | words |  |\n"
    )
    found = threats(page)

    assert unshown(found) == ["two"]
    assert missing({there, gone}) == {gone}
    assert unshown([Threat("three", f"{ACCEPTED} for a reason", [])]) == []


@pytest.mark.parametrize("line", ["no row", "| a | b |", "|---|---|---|"])
def test_what_is_no_row_is_no_threat(line: str) -> None:
    assert threats(line) == []
