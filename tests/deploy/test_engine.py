"""Where no engine can be started, it is said why."""

import os
import subprocess
import sys
from pathlib import Path

from tests.deploy.engine import NONE_HERE


def checked(path: str) -> tuple[int, str]:
    """How the check ends where programs are looked for in this PATH, and what it says."""
    command = [sys.executable, "-m", "tests.deploy.engine", "--check"]
    done = subprocess.run(command, env={**os.environ, "PATH": path}, capture_output=True, text=True, check=False)
    return done.returncode, done.stderr


def test_programs_that_are_missing_are_named(tmp_path: Path) -> None:
    status, said = checked(str(tmp_path))

    assert status == NONE_HERE
    assert "not installed: dockerd, docker," in said


def test_an_engine_that_fails_has_its_last_words(tmp_path: Path) -> None:
    dockerd = tmp_path / "dockerd"
    dockerd.write_text("#!/bin/sh\necho the disk is made of cheese\nexit 1\n")
    dockerd.chmod(0o755)

    status, said = checked(f"{tmp_path}:{os.environ['PATH']}")

    assert status == NONE_HERE
    assert said == "engine: dockerd ended:\nthe disk is made of cheese\n"


def test_an_engine_that_can_be_started_needs_no_word() -> None:
    assert checked(os.environ["PATH"]) == (0, "")
