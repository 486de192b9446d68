"""The keeper, one in each of many processes: what is done once, what comes again, and who does it next."""

import asyncio
import contextlib
from collections.abc import AsyncIterator, Awaitable, Callable

import pytest

from service.ports.boards import Scope
from service.ports.daily import Day, StoredDay
from service.telemetry.meters import Meters
from service.usecases import keeper
from service.usecases.closing import MARGIN_MS
from service.usecases.commands import Resign
from service.usecases.days import DAILY_RULES, closes, ends, opens
from service.usecases.keeper import LEASE_MS, Keeper
from service.usecases.preparing import Preparing
from tests.usecases.daily_world import DAY, NOON_MS, DailyWorld, plan, prepared
from tests.usecases.faults import FaultyWorld

AHEAD = 3
PATIENCE = 20.0  # seconds
DATES = ["2026-11-30", "2026-12-01", "2026-12-02", "2026-12-03"]
ALL = [Day(date, rules) for date in DATES for rules in DAILY_RULES]


@pytest.fixture(autouse=True)
def quick_rounds(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(keeper, "ROUND_SECONDS", 0.01)
    monkeypatch.setattr(keeper, "SWEEP_SECONDS", 0.01)


class OnePlan(Preparing):
    """Prepares every day on the one deal that is certified already; `asked` is what it was asked for, in order."""

    def __init__(self, world: DailyWorld) -> None:
        super().__init__(world.store.days, world.deals, world.clock)
        self.world, self.asked = world, list[Day]()

    async def prepare(self, day: Day) -> StoredDay:
        self.asked.append(day)
        await asyncio.sleep(0)
        return await self.world.store.days.add(prepared(day))


def one_keeper(world: DailyWorld, preparing: Preparing, name: str = "one", ahead: int = AHEAD) -> Keeper:
    return Keeper(world.closing, preparing, name, ahead, Meters())


@contextlib.asynccontextmanager
async def at_work(*keepers: Keeper) -> AsyncIterator[None]:
    """The keepers work until the end of the context, and none of them has given up by then."""
    working = [asyncio.create_task(one.run()) for one in keepers]
    try:
        yield
        assert not any(task.done() for task in working)
    finally:
        for task in working:
            task.cancel()
        await asyncio.gather(*working, return_exceptions=True)


async def eventually(true: Callable[[], bool | Awaitable[bool]]) -> None:
    """Returns once a question is answered with yes."""
    async with asyncio.timeout(PATIENCE):
        while not (answer if isinstance(answer := true(), bool) else await answer):  # noqa: ASYNC110 - by another task
            await asyncio.sleep(0.005)


async def kept(world: DailyWorld) -> list[Day]:
    found = await world.store.days.find(ALL)
    return [one.day for one in found if one]


async def is_all_kept(world: DailyWorld) -> bool:
    return await kept(world) == ALL


async def is_settled(world: DailyWorld) -> bool:
    """Whether all runs of DAY are settled."""
    return not await world.store.days.unsettled(DAY, "", 10)


async def is_final(world: DailyWorld) -> bool:
    return (await world.stored()).final is not None


async def some_rounds() -> None:
    await asyncio.sleep(0.1)


@pytest.fixture
def world() -> DailyWorld:
    return DailyWorld()


async def test_of_many_keepers_one_prepares_each_day_once_and_the_next_first(world: DailyWorld) -> None:
    preparings = [OnePlan(world) for _ in range(5)]
    keepers = [one_keeper(world, one, f"keeper {number}") for number, one in enumerate(preparings)]
    async with at_work(*keepers):
        await eventually(lambda: sum(len(one.asked) for one in preparings) >= len(ALL))
        await some_rounds()
    assert sorted(len(one.asked) for one in preparings) == [0, 0, 0, 0, len(ALL)]
    assert max((one.asked for one in preparings), key=len) == ALL
    assert await kept(world) == ALL


async def test_what_is_prepared_is_left_and_a_hole_is_filled_today_s_too(world: DailyWorld) -> None:
    missing = [ALL[0], ALL[5]]
    for day in ALL:
        if day not in missing:
            await world.keep(day)
    preparing = OnePlan(world)
    async with at_work(one_keeper(world, preparing)):
        await eventually(lambda: len(preparing.asked) == len(missing))
        await some_rounds()
    assert preparing.asked == missing


async def test_a_new_day_is_prepared_when_the_date_changes(world: DailyWorld) -> None:
    preparing = OnePlan(world)
    async with at_work(one_keeper(world, preparing, ahead=1)):
        await eventually(lambda: len(preparing.asked) == 4)
        world.clock.time = closes(DAY.date)
        await eventually(lambda: len(preparing.asked) == 6)
    assert preparing.asked == ALL[:6]


async def test_a_keeper_that_keeps_nothing_ahead_takes_no_lease_and_prepares_nothing(world: DailyWorld) -> None:
    preparing = OnePlan(world)
    async with at_work(one_keeper(world, preparing, ahead=0)):
        await some_rounds()
    assert preparing.asked == []
    assert await world.store.days.lease("another", 1)


async def test_the_lease_goes_to_another_when_its_holder_is_gone(world: DailyWorld) -> None:
    first, second = OnePlan(world), OnePlan(world)
    async with at_work(one_keeper(world, first, "first")):
        await eventually(lambda: len(first.asked) == len(ALL))
    world.clock.time = closes(DAY.date)
    async with at_work(one_keeper(world, second, "second")):
        world.clock.time -= NOON_MS  # the lease of the first holds
        await some_rounds()
        assert second.asked == []
        world.clock.time += NOON_MS + LEASE_MS
        await eventually(lambda: len(second.asked) == 2)
    assert {day.date for day in second.asked} == {"2026-12-04"}


async def test_a_solver_that_is_busy_ends_no_keeper(world: DailyWorld) -> None:
    for day in ALL[1:]:
        await world.keep(day)
    world.solving.is_busy = True
    real = Preparing(world.store.days, world.deals, world.clock)
    async with at_work(one_keeper(world, real)):
        await eventually(lambda: len(world.solving.asked) > 5)
        assert await kept(world) == ALL[1:]
        world.solving.is_busy = False
        await eventually(lambda: is_all_kept(world))


async def test_a_result_that_is_heard_of_is_on_the_board_at_once(world: DailyWorld) -> None:
    await world.keep()
    ann = await world.player()
    listener = one_keeper(world, OnePlan(world), ahead=0)
    async with at_work(listener):
        table = await world.resigned(ann, 30)
        listener.hear(world.ended[-1])
        await eventually(lambda: is_settled(world))
    [row] = (await world.board()).rows
    assert row.standing.result
    assert row.standing.result.session == table.id
    assert (await world.store.records.days(ann.id, "modern"))[DAY.date].points == table.seen.points.total


async def test_a_game_that_is_no_run_is_nobody_s_business(world: DailyWorld) -> None:
    ann = await world.player()
    table = await world.dealt(ann)
    await table.do(Resign())
    listener = one_keeper(world, OnePlan(world), ahead=0)
    listener.hear(world.ended[-1])
    async with at_work(listener):
        await some_rounds()
    assert (await world.board()).rows == []


@pytest.mark.parametrize("is_open", [False, True], ids=["the first run", "an open run"])
async def test_a_result_that_nobody_heard_of_is_settled_on_the_rounds(world: DailyWorld, is_open: bool) -> None:
    for day in ALL:
        await world.keep(day)
    ann = await world.player()
    table = await world.resigned(ann, 30)
    if is_open:
        table = await world.practised(ann)
        await table.play(*plan()[:40])
        await table.do(Resign())
    async with at_work(one_keeper(world, OnePlan(world))):
        await eventually(lambda: is_settled(world))
    [row] = (await world.board(Scope.OPEN if is_open else Scope.FIRST)).rows
    assert row.standing.result
    assert row.standing.result.session == table.id


async def test_days_whose_runs_have_ended_are_made_final_and_those_of_today_are_not(world: DailyWorld) -> None:
    for day in ALL:
        await world.keep(day)
    ann = await world.player()
    table = await world.begun(ann)
    await table.play(*plan()[:30])
    async with at_work(one_keeper(world, OnePlan(world))):
        world.clock.time = ends(DAY.date) + MARGIN_MS - 1
        await some_rounds()
        assert (await world.stored()).final is None
        world.clock.time += 1
        await eventually(lambda: is_final(world))
        await some_rounds()
    assert (await world.stored()).final == world.clock.time
    assert (await world.stored(ALL[2])).final is None
    assert [row.standing.player for row in (await world.board()).rows] == [ann.id]


async def test_a_day_is_made_final_after_a_week_in_which_nobody_was_at_work(world: DailyWorld) -> None:
    await world.keep()
    await world.resigned(await world.player(), 10)
    world.clock.time = opens("2026-12-08")
    async with at_work(one_keeper(world, OnePlan(world), ahead=1)):
        await eventually(lambda: is_final(world))
    assert len((await world.board()).rows) == 1


async def test_a_store_that_is_away_ends_no_keeper_and_what_it_missed_comes_again() -> None:
    world = FaultyWorld()
    for day in ALL:
        await world.keep(day)
    table = await world.resigned(await world.player(), 20)
    one = one_keeper(world, OnePlan(world))
    world.faults.is_away = True
    async with at_work(one):
        one.hear(world.ended[-1])
        await eventually(lambda: world.faults.calls > 10)
        assert (await world.board()).rows == []
        world.faults.is_away = False
        await eventually(lambda: is_settled(world))
    [row] = (await world.board()).rows
    assert row.standing.result
    assert row.standing.result.session == table.id
