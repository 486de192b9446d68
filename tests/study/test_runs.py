"""Runs of a study, small ones: whatever stopped one, the next goes on, and both end in the same table."""

import json
from pathlib import Path

import pytest

from service.study import tables
from service.study.runs import Plan, run
from service.study.trials import tried

PLAN = Plan("modern", range(164, 169), budget=2_000, is_graded=False, processes=1)
FILES = {"modern.csv", "summary.json", "summary.md", "nodes.svg"}


@pytest.fixture
def unbroken(tmp_path: Path) -> bytes:
    """The table that the plan makes."""
    run(PLAN, tmp_path / "unbroken")
    return (tmp_path / "unbroken" / "modern.csv").read_bytes()


def test_a_run_leaves_its_table_and_its_sum(tmp_path: Path) -> None:
    said = run(PLAN, tmp_path / "a" / "study")

    trials = list(tables.read(tmp_path / "a" / "study" / "modern.csv").values())
    assert trials == [tried("modern", 2_000, False, deal) for deal in PLAN.deals]
    assert {path.name for path in (tmp_path / "a" / "study").iterdir()} == FILES
    assert said == (tmp_path / "a" / "study" / "summary.md").read_text()
    summary = json.loads((tmp_path / "a" / "study" / "summary.json").read_text())["modern"]
    assert (summary["deals"], summary["won"], summary["unwinnable_deals"]) == (5, 4, [167])


def test_more_processes_make_the_same_table(tmp_path: Path, unbroken: bytes) -> None:
    run(PLAN._replace(processes=2), tmp_path)
    assert (tmp_path / "modern.csv").read_bytes() == unbroken


@pytest.mark.parametrize("part", [0.0, 0.01, 0.4, 0.95, 1.0])
def test_a_run_that_was_stopped_anywhere_goes_on(part: float, tmp_path: Path, unbroken: bytes) -> None:
    (tmp_path / "modern.csv").write_bytes(unbroken[: int(part * len(unbroken))])
    run(PLAN, tmp_path)
    assert (tmp_path / "modern.csv").read_bytes() == unbroken


def test_what_is_known_is_not_tried_again(tmp_path: Path) -> None:
    known = tried("modern", 2_000, False, 164)._replace(nodes=7)
    tables.write(tmp_path / "modern.csv", [known])
    run(PLAN, tmp_path)
    assert tables.read(tmp_path / "modern.csv")[164] == known


def test_another_range_adds_to_the_table(tmp_path: Path, unbroken: bytes) -> None:
    run(PLAN._replace(deals=range(166, 169)), tmp_path)
    run(PLAN._replace(deals=range(164, 167)), tmp_path)
    assert (tmp_path / "modern.csv").read_bytes() == unbroken


def test_what_was_given_up_is_tried_again_with_more_nodes_alone(tmp_path: Path, unbroken: bytes) -> None:
    table = tmp_path / "modern.csv"
    run(PLAN._replace(budget=3), tmp_path)
    given_up = table.read_bytes()
    assert given_up.count(b"gave_up,3,") == 4

    run(PLAN._replace(budget=2), tmp_path)
    assert table.read_bytes() == given_up
    run(PLAN, tmp_path)
    assert table.read_bytes() == unbroken


def test_wins_are_graded_later_too(tmp_path: Path, unbroken: bytes) -> None:
    run(PLAN, tmp_path)
    run(PLAN._replace(is_graded=True, deals=range(166, 168)), tmp_path)
    graded = (tmp_path / "modern.csv").read_bytes()
    assert [trial.deal for trial in tables.read(tmp_path / "modern.csv").values() if trial.grade] == [166]

    run(PLAN, tmp_path)
    assert (tmp_path / "modern.csv").read_bytes() == graded != unbroken
