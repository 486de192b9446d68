"""The file of results, and the line that sums them up."""

from dataclasses import replace
from pathlib import Path

from tests.chaos.results import Result, keep, kept, summary

ONE = Result("c0de", 1, 1.5, acknowledged=10, lost=0, doubled=0, silent=0, lost_with_reset=3, promotions=1)


def test_what_was_made_is_found_again_by_its_seed(tmp_path: Path) -> None:
    other = replace(ONE, seed=2, lost=4)
    for one in (ONE, other):
        keep(tmp_path / "results", one)

    assert kept(tmp_path / "results", "c0de", 1.5) == {1: ONE, 2: other}


def test_what_other_code_came_to_or_in_another_time_counts_for_nothing(tmp_path: Path) -> None:
    keep(tmp_path / "results", ONE)

    assert kept(tmp_path / "results", "other", 1.5) == kept(tmp_path / "results", "c0de", 2.0) == {}


def test_nothing_was_made_where_there_is_no_file(tmp_path: Path) -> None:
    assert kept(tmp_path / "results", "c0de", 1.5) == {}


def test_the_last_line_adds_everything_up() -> None:
    line = summary([ONE, replace(ONE, seed=2, lost=4, doubled=5, silent=6)])

    assert line == "2 runs: 20 acknowledged, 4 lost, 5 doubled, 6 silent; 6 lost with reset in 2 promotions"
