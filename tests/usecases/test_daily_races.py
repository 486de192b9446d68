"""What happens while a day is recomputed is not lost."""

from collections.abc import Awaitable, Callable
from typing import Any

from service.usecases.closing import Closing
from service.usecases.commands import Resign
from service.usecases.history import Histories
from tests.usecases.daily_world import DAY, DailyWorld, plan


class Interrupted:
    """A part of a store, of whose calls each waits for what its world has happen before it."""

    def __init__(self, part: Any, before: Callable[[], Awaitable[None]]) -> None:
        self._part, self._before = part, before

    def __getattr__(self, name: str) -> Callable[..., Awaitable[Any]]:
        async def call(*arguments: Any) -> Any:
            await self._before()
            return await getattr(self._part, name)(*arguments)

        return call


def interrupted(part: Any, before: Callable[[], Awaitable[None]]) -> Any:
    """The part, as whatever port it is."""
    return Interrupted(part, before)


async def recomputed(at: int) -> tuple[int, int]:
    """How many rows an open day has, recomputed while a run ended before call `at`; and of how many calls."""
    world = DailyWorld()
    await world.keep()
    ann, bob = await world.player(), await world.player()
    await world.resigned(ann, 20)
    table = await world.begun(bob)
    await table.play(*plan()[:30])
    await world.sweep()
    calls = 0

    async def before() -> None:
        nonlocal calls
        calls += 1
        if calls == at:
            await table.do(Resign())
            await world.sweep()

    store = world.store
    parts = (store.sessions, store.days, store.records, store.boards)
    sessions, days, records, boards = [interrupted(part, before) for part in parts]
    await Closing(sessions, days, records, boards, Histories(sessions, 10), world.clock).recompute(DAY)
    return len((await world.board()).rows), calls


async def test_a_run_that_ends_while_an_open_day_is_recomputed_is_on_its_board() -> None:
    _, calls = await recomputed(0)
    assert calls > 5
    for at in range(1, calls + 1):
        rows, _ = await recomputed(at)
        assert rows == 2, at
