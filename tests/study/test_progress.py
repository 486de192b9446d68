"""The line that tells how far a run is."""

import io

import pytest

from service.study.progress import shown
from service.study.trials import Trial

TRIALS = [Trial(1, "modern", "won", 144), Trial(2, "modern", "won", 145), Trial(167, "modern", "unwinnable", 1)]


class Terminal(io.StringIO):
    """What is written to a terminal."""

    def isatty(self) -> bool:
        return True


def test_a_terminal_is_told_of_each_trial_on_one_line(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.stderr", terminal := Terminal())

    assert list(shown(TRIALS, "modern", total=3)) == TRIALS
    lines = terminal.getvalue().split("\r\x1b[K")
    assert lines[0] == f"modern [{'.' * 24}] 0/3"
    assert lines[1].startswith(f"modern [{'#' * 8}{'.' * 16}] 1/3, 1 won, ")
    assert lines[3] == f"modern [{'#' * 24}] 3/3, 2 won, 1 unwinnable, 0 min left\n"
    assert terminal.getvalue().count("\n") == 1


def test_a_file_is_told_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.stderr", file := io.StringIO())

    assert list(shown(TRIALS, "modern", total=3)) == TRIALS
    assert file.getvalue() == ""


def test_nothing_to_do_is_done(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.stderr", terminal := Terminal())

    assert list(shown([], "modern", total=0)) == []
    assert terminal.getvalue() == f"modern [{'.' * 24}] 0/0\n"
