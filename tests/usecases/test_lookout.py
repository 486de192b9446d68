"""Whoever wants to know whether a session can still be won is told of its newest place, by one look for all."""

import asyncio
import json
from collections.abc import Callable
from typing import Any

import pytest

from service.usecases import lookout
from service.usecases.commands import Resign
from service.usecases.lookout import Lookout
from service.usecases.solutions import Solutions
from tests.usecases.world import Board, World

PATIENCE = 10.0


@pytest.fixture(autouse=True)
def _short_pause(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(lookout, "PAUSE_SECONDS", 0.001)


class Viewer:
    """Watches a board, and wants to know; `told` is what it was told."""

    def __init__(self, looking: Lookout, session: str) -> None:
        self._looking, self._session = looking, session
        self.told: list[Any] = []

    def tell(self, message: bytes) -> None:
        self.told.append(json.loads(message))

    def __call__(self, news: object) -> None:
        self._looking.look(self._session, self.tell)

    def leave(self) -> None:
        self._looking.leave(self._session, self.tell)


class Tower:
    """The lookout of a world, and whoever came to it."""

    def __init__(self, world: World) -> None:
        self.world = world
        self.lookout = Lookout(world.here.live, Solutions(world.store.sessions, world.solving))

    async def viewer(self, board: Board) -> Viewer:
        one = Viewer(self.lookout, board.id)
        await self.world.here.live.watch(board.id, one)
        one(None)
        return one


@pytest.fixture
def tower(world: World) -> Tower:
    return Tower(world)


async def until(true: Callable[[], object]) -> None:
    async with asyncio.timeout(PATIENCE):
        while not true():  # noqa: ASYNC110 - what is waited for tells nobody
            await asyncio.sleep(0.001)


async def settle() -> None:
    """Lets everything be told that is to be told now."""
    for _ in range(20):
        await asyncio.sleep(0.001)


async def test_the_place_that_is_there_and_each_that_follows_is_told(world: World, tower: Tower) -> None:
    board = await world.dealt(await world.player())
    viewer = await tower.viewer(board)
    await until(lambda: viewer.told)
    await board.play("b1G")
    await until(lambda: len(viewer.told) == 2)

    crc = board.seen.crc
    assert viewer.told == [
        {"type": "winnable", "session": board.id, "seq": 0, "crc": "00000000", "winnable": "yes"},
        {"type": "winnable", "session": board.id, "seq": 1, "crc": crc, "winnable": "yes"},
    ]


async def test_all_who_want_to_know_share_one_look_and_late_comers_are_told_at_once(world: World, tower: Tower) -> None:
    board = await world.dealt(await world.player())
    viewers = [await tower.viewer(board) for _ in range(5)]
    await until(lambda: all(viewer.told for viewer in viewers))
    late = await tower.viewer(board)

    assert [viewer.told for viewer in viewers] == [late.told] * 5
    assert len(world.solving.asked) == 1


async def test_a_place_that_is_past_is_not_asked_about(world: World, tower: Tower) -> None:
    board = await world.dealt(await world.player())
    viewer = await tower.viewer(board)
    await board.play("b1G", "a2b1")
    await until(lambda: viewer.told)

    assert [told["seq"] for told in viewer.told] == [2]
    assert len(world.solving.asked) == 1


async def test_a_look_ends_when_the_last_who_wants_it_leaves(world: World, tower: Tower) -> None:
    board = await world.dealt(await world.player())
    one, other = await tower.viewer(board), await tower.viewer(board)
    one.leave()
    one.leave()
    await until(lambda: other.told)
    assert one.told == []

    await board.play("b1G")
    one.leave()
    other.leave()
    await settle()
    assert len(other.told) == len(world.solving.asked) == 1
    assert not tower.lookout._looks


async def test_what_cannot_be_found_out_just_now_is_not_told_and_the_next_place_is(
    world: World, tower: Tower, caplog: pytest.LogCaptureFixture
) -> None:
    board = await world.dealt(await world.player())
    world.solving.is_busy = True
    viewer = await tower.viewer(board)
    await until(lambda: world.solving.asked)
    await settle()
    assert viewer.told == []
    assert "is not told: SolverBusy()" in caplog.text

    world.solving.is_busy = False
    await board.play("b1G")
    await until(lambda: viewer.told)


async def test_of_a_secret_deal_nothing_is_told_until_the_game_is_over(world: World, tower: Tower) -> None:
    board = await world.dealt(await world.player(), "secret")
    viewer = await tower.viewer(board)
    await settle()
    assert viewer.told == world.solving.asked == []

    await board.do(Resign())
    await until(lambda: viewer.told)


async def test_a_session_that_nobody_watches_here_is_not_looked_at(world: World, tower: Tower) -> None:
    board = await world.dealt(await world.player())
    viewer = Viewer(tower.lookout, board.id)
    viewer(None)
    await settle()

    assert viewer.told == world.solving.asked == []
