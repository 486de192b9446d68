"""What players' records say of their days, the same in every store."""

import asyncio

import pytest

from service.ports import Store, StoredPlayer
from service.ports.daily import Day, PlayedDay, RunKind

DAY = Day("2026-11-30", "modern")
FIRST = PlayedDay("a" * 32, RunKind.FIRST, begun=1_700_000_000_000)
SECOND = PlayedDay("b" * 32, RunKind.FIRST, begun=1_700_000_000_001)


async def added(store: Store, player: str) -> None:
    await store.players.add(StoredPlayer(id=player, name="Ann", created=0, recovery_digest=f"r{player}"), f"t{player}")


@pytest.fixture(autouse=True)
async def ann(store: Store) -> None:
    await added(store, "ann")


async def test_the_first_run_of_a_day_stands(store: Store) -> None:
    assert await store.records.begin("ann", DAY, FIRST) == FIRST
    assert await store.records.begin("ann", DAY, SECOND) == FIRST
    assert await store.records.days("ann", "modern") == {"2026-11-30": FIRST}


async def test_of_two_devices_at_once_one_begins_the_run(store: Store) -> None:
    begun = await asyncio.gather(*(store.records.begin("ann", DAY, run) for run in (FIRST, SECOND) * 10))
    assert begun == [begun[0]] * 20


async def test_each_player_and_each_preset_has_days_of_its_own(store: Store) -> None:
    await added(store, "bob")
    cadogan, later = Day(DAY.date, "cadogan"), Day("2026-12-01", "cadogan")
    for player, day, run in (("ann", DAY, FIRST), ("ann", cadogan, SECOND), ("bob", later, SECOND)):
        await store.records.begin(player, day, run)

    assert await store.records.days("ann", "cadogan") == {"2026-11-30": SECOND}
    assert await store.records.days("bob", "modern") == {}
    assert await store.records.dates("ann") == {"2026-11-30"}
    assert await store.records.dates("bob") == {"2026-12-01"}
    assert await store.records.dates("cat") == set()


@pytest.mark.parametrize(
    "ended", [FIRST._replace(moves=True, won=True, points=9180), FIRST._replace(points=0), FIRST._replace(moves=True)]
)
async def test_what_came_of_a_run_is_noted(store: Store, ended: PlayedDay) -> None:
    await store.records.begin("ann", DAY, FIRST)
    for _ in range(2):
        await store.records.conclude("ann", DAY, ended)
    assert await store.records.days("ann", "modern") == {"2026-11-30": ended}


async def test_the_end_of_a_run_is_noted_also_where_its_beginning_was_lost(store: Store) -> None:
    late = FIRST._replace(kind=RunKind.LATE, points=70)
    await store.records.conclude("ann", DAY, late)
    assert await store.records.days("ann", "modern") == {"2026-11-30": late}


async def test_no_other_run_takes_the_place_of_the_one_that_counts(store: Store) -> None:
    await store.records.begin("ann", DAY, FIRST)
    await store.records.conclude("ann", DAY, SECOND._replace(won=True, points=9999))
    await store.records.conclude("ann", DAY, FIRST._replace(session="a" * 31, points=9999))
    assert await store.records.days("ann", "modern") == {"2026-11-30": FIRST}


async def test_nothing_is_noted_of_a_player_who_is_gone(store: Store) -> None:
    assert await store.records.begin("cat", DAY, FIRST) == FIRST
    await store.records.conclude("cat", DAY, FIRST)
    await added(store, "cat")
    assert await store.records.dates("cat") == set()
    await store.records.begin("ann", DAY, FIRST)
    await store.players.remove("ann")
    await store.records.conclude("ann", DAY, FIRST)
    assert await store.records.dates("ann") == set()
