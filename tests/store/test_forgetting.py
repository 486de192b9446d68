"""What becomes of the sessions of a player who is no player any more, the same in every store."""

import asyncio

import pytest

from service.ports import SeatHolder, Seating, Store, Verdict
from service.ports.daily import Day, Run, RunKind
from tests.store.sessions import ANN, BEGUN, BOB, ID, claim, commit, committed, meta
from tests.store.waiting import listening

RUN = Run(Day("2026-11-30", "modern"), RunKind.FIRST, BEGUN + 1000)
NAMELESS = SeatHolder("ann", "")


async def test_a_solo_session_is_gone_with_all_that_was_kept_of_it(store: Store) -> None:
    await store.sessions.claim(claim())
    await store.sessions.create(meta())
    assert await committed(store, commit()) is Verdict.COMMITTED
    await store.sessions.keep_plan(ID, "a1b1")
    for _ in range(2):
        await store.sessions.forget("ann")

    assert await store.sessions.load(ID) is None
    assert await store.sessions.sessions_of("ann", None, 10) == ([], None)
    assert await committed(store, commit()) is Verdict.GONE
    await store.sessions.create(meta())
    assert await store.sessions.plans(ID) == []


async def test_a_run_stays_under_an_empty_name(store: Store) -> None:
    await store.sessions.claim(claim())
    await store.sessions.create(meta(run=RUN))
    assert await committed(store, commit()) is Verdict.COMMITTED
    before = await store.sessions.load(ID)
    await store.sessions.forget("ann")

    stored = await store.sessions.load(ID)
    assert before
    assert stored
    assert stored.meta == meta(run=RUN, updated=BEGUN + 1000, seats=(NAMELESS,))
    assert stored.log == before.log


async def test_of_a_shared_session_that_is_over_the_seat_stays_under_an_empty_name(store: Store) -> None:
    shared = meta(mode="turns", capacity=2, seats=(BOB, ANN))
    await store.sessions.claim(claim())
    await store.sessions.create(shared)
    assert await committed(store, commit(player="bob", closes=True)) is Verdict.COMMITTED
    await store.sessions.forget("ann")

    stored = await store.sessions.load(ID)
    assert stored
    assert stored.meta.seats == (BOB, NAMELESS)


@pytest.mark.parametrize("seats", [(ANN, BOB), (BOB, ANN)])
async def test_a_seat_in_a_shared_session_that_goes_on_is_free_for_others(
    seats: tuple[SeatHolder, SeatHolder], store: Store
) -> None:
    await store.sessions.claim(claim())
    await store.sessions.create(meta(mode="turns", capacity=2, invite="code", seats=seats))
    await store.sessions.forget("ann")

    eve = SeatHolder("eve", "Eve")
    assert await store.sessions.join(ID, eve, "code") is Seating.SEATED
    stored = await store.sessions.load(ID)
    assert stored
    assert stored.meta.seats == tuple(eve if holder is ANN else holder for holder in seats)


async def test_sessions_that_the_player_has_left_or_that_others_play_are_left_alone(store: Store) -> None:
    left = meta("1" * 32, mode="turns", capacity=2, seats=(BOB, ANN))
    others = meta("2" * 32, seats=(BOB,))
    for session in (left, others):
        await store.sessions.create(session)
    await store.sessions.claim(claim(left.id))
    await store.sessions.claim(claim("3" * 32))
    await store.sessions.leave(left.id, "ann")
    await store.sessions.forget("ann")

    for session, seats in ((left, (BOB, None)), (others, (BOB,))):
        stored = await store.sessions.load(session.id)
        assert stored
        assert stored.meta.seats == seats


async def test_a_hundred_sessions_are_forgotten_at_once_and_whoever_watches_is_rung_up(store: Store) -> None:
    sessions = [f"{number:032x}" for number in range(100)]
    for session in sessions:
        await store.sessions.claim(claim(session))
        await store.sessions.create(meta(session))
    async with listening(store.doorbells) as ear:
        store.doorbells.subscribe(sessions[7])
        assert await ear.next() == [sessions[7]]
        await store.sessions.forget("ann")
        assert await ear.next() == [sessions[7]]

    assert await asyncio.gather(*map(store.sessions.load, sessions)) == [None] * 100
