"""What people have is kept: when everything is taken down, and when the store is lost and there is a backup."""

import asyncio
from pathlib import Path
from typing import Any

import pytest

from tests.deploy.belongings import Belongings, acquire, read
from tests.deploy.stack import Stack

pytestmark = pytest.mark.timeout(300)
Kept = tuple[Belongings, dict[str, Any]]


@pytest.fixture(scope="module")
def kept(standing: Stack) -> Kept:
    """What people have, and every answer about it."""
    belongings = asyncio.run(acquire(standing.url))
    return belongings, asyncio.run(read(standing.url, belongings))


async def test_all_sessions_and_boards_are_there_after_everything_was_taken_down(kept: Kept, standing: Stack) -> None:
    belongings, before = kept
    standing.down()
    assert standing.containers(stopped=True) == []
    standing.up(service=3)

    assert await read(standing.url, belongings) == before


async def test_a_backup_brings_everything_back_where_there_is_nothing(
    kept: Kept, standing: Stack, tmp_path: Path
) -> None:
    belongings, before = kept
    file = str(tmp_path / "all.tar")
    print(standing.script("backup", file))
    standing.down(volumes=True)
    assert standing.docker("volume", "ls", "--quiet", "--filter", f"name={standing.project}") == ""
    standing.script("restore", file)
    standing.until(standing.is_well, "everything is well again")

    assert await read(standing.url, belongings) == before
    assert len(standing.containers("service")) == 3
