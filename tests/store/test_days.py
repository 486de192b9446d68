"""Days and their runs, the same in every store."""

import asyncio
from dataclasses import replace

from service.ports import Store
from service.ports.daily import Day, Entrant, Field, RunKind, StoredDay
from tests.store.waiting import until

DAY = Day("2026-11-30", "modern")
OTHER = Day("2026-11-30", "cadogan")
RUNS = [
    Entrant(f"{number:032x}", f"player{number}", kind, field, is_timed=number % 2 == 1)
    for number, (kind, field) in enumerate((kind, field) for kind in RunKind for field in Field)
]


def stored(day: Day = DAY, deal: str = "seed:00") -> StoredDay:
    return StoredDay(
        day=day,
        deal=deal,
        difficulty="gentle",
        plan="b1G g2b1",
        par=612,
        commitment="c0ffee",
        committed=1_700_000_000_000,
    )


async def test_the_first_deal_of_a_day_stands(store: Store) -> None:
    assert await store.days.find([DAY]) == [None]
    assert await store.days.add(stored()) == stored()
    assert await store.days.add(stored(deal="seed:ff")) == stored()
    assert await store.days.add(stored(OTHER, "seed:ff")) == stored(OTHER, "seed:ff")
    later = Day("2026-12-01", "modern")
    assert await store.days.find([OTHER, later, DAY]) == [stored(OTHER, "seed:ff"), None, stored()]
    assert await store.days.find([]) == []


async def test_of_many_deals_for_a_day_at_once_one_is_kept(store: Store) -> None:
    kept = await asyncio.gather(*(store.days.add(stored(deal=f"seed:{number:02x}")) for number in range(20)))
    assert kept == [kept[0]] * 20


async def test_a_day_is_void_for_good_and_is_found_among_those(store: Store) -> None:
    await store.days.add(stored())
    await store.days.add(stored(OTHER))
    for day in (DAY, DAY, Day("2026-12-24", "modern")):
        await store.days.void(day)

    assert await store.days.find([DAY, OTHER]) == [replace(stored(), is_void=True), stored(OTHER)]
    assert await store.days.voided("modern") == {"2026-11-30", "2026-12-24"}
    assert await store.days.voided("cadogan") == set()


async def test_a_day_is_final_from_the_first_time_that_was_said_with_the_last_summary(store: Store) -> None:
    await store.days.add(stored())
    await store.days.finish(DAY, 7, "{}")
    await store.days.finish(DAY, 9, '{"players":1}')
    await store.days.finish(OTHER, 9, "{}")

    assert await store.days.find([DAY, OTHER]) == [replace(stored(), final=7, summary='{"players":1}'), None]


async def test_a_run_is_found_as_it_was_entered_first(store: Store) -> None:
    for run in RUNS:
        await store.days.enter(DAY, run)
        await store.days.enter(DAY, run._replace(kind=RunKind.OPEN, is_timed=False))

    assert [await store.days.entrant(DAY, run.session) for run in RUNS] == RUNS
    assert await store.days.entrant(OTHER, RUNS[0].session) is None
    assert await store.days.entrant(DAY, RUNS[0].session[:-1]) is None


async def test_all_runs_are_read_in_pages_also_while_others_come(store: Store) -> None:
    assert await store.days.entrants(DAY, 0, 5) == ([], 0)
    for run in RUNS[3:]:
        await store.days.enter(DAY, run)
    read, cursor = await store.days.entrants(DAY, 0, 2)
    for run in RUNS[:3]:
        await store.days.enter(DAY, run)
    while cursor:
        page, cursor = await store.days.entrants(DAY, cursor, 2)
        assert len(page) <= 2
        read += page

    assert {*read} >= {*RUNS[3:]}
    assert {*read} <= {*RUNS}


async def test_runs_are_unsettled_until_they_are_settled_also_when_they_are_entered_again(store: Store) -> None:
    for run in RUNS[::-1]:
        await store.days.enter(DAY, run)
    assert await store.days.unsettled(DAY, "", 4) == RUNS[:4]
    assert await store.days.unsettled(DAY, RUNS[3].session, 100) == RUNS[4:]
    for run in RUNS[1:]:
        await store.days.settle(DAY, run.session)
        await store.days.settle(DAY, run.session)
    for run in RUNS:
        await store.days.enter(DAY, run)

    assert await store.days.unsettled(DAY, "", 100) == RUNS[:1]
    assert await store.days.unsettled(DAY, RUNS[0].session, 100) == []
    assert await store.days.unsettled(OTHER, "", 100) == []


async def test_one_holder_at_a_time_has_the_lease_and_may_have_it_longer(store: Store) -> None:
    held = await asyncio.gather(*(store.days.lease(f"h{number}", 60_000) for number in range(10)))
    assert held.count(True) == 1
    holder = f"h{held.index(True)}"
    assert await store.days.lease(holder, 60_000) is True
    assert await store.days.lease("another", 60_000) is False
    assert await store.days.lease(holder, 100) is True

    async def another_has_it() -> bool:
        return await store.days.lease("another", 60_000)

    await until(another_has_it)
    assert await store.days.lease(holder, 60_000) is False
