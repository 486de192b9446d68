"""The command `constitution`, as a process of its own and in this one."""

import contextlib
import os
import subprocess
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import NamedTuple

import pytest

from service.__main__ import main
from service.settings import Settings

ROOT = Path(__file__).parents[2]
PATIENCE = 30.0  # seconds


class Said(NamedTuple):
    """What a command printed, and its exit status."""

    status: int
    out: str
    err: str


def environment(settings: Mapping[str, str]) -> dict[str, str]:
    """This process's environment with these settings and no others, but that no days are prepared."""
    others = {name: value for name, value in os.environ.items() if name.lower() not in Settings.model_fields}
    return others | {"DAYS_AHEAD": "0"} | dict(settings)


def run(*arguments: str, **settings: str) -> Said:
    """What the command says as a process of its own."""
    command = [sys.executable, "-m", "service", *arguments]
    done = subprocess.run(
        command, check=False, capture_output=True, text=True, timeout=PATIENCE, cwd=ROOT, env=environment(settings)
    )
    return Said(done.returncode, done.stdout, done.stderr)


def say(capsys: pytest.CaptureFixture[str], *arguments: str) -> Said:
    """What the command says in this process."""
    try:
        status = main(arguments)
    except SystemExit as end:
        status = int(end.code or 0)
    return Said(status, *capsys.readouterr())


@contextlib.contextmanager
def started(*arguments: str, **settings: str) -> Iterator[subprocess.Popen[str]]:
    """A process of the command, killed at the end of the context if it still runs."""
    command = [sys.executable, "-m", "service", *arguments]
    pipe = subprocess.PIPE
    with subprocess.Popen(command, stdout=pipe, stderr=pipe, text=True, cwd=ROOT, env=environment(settings)) as process:
        try:
            yield process
        finally:
            process.kill()
