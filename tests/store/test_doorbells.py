"""Doorbells, the same in every store."""

import pytest

from service.ports import Ring, Store, Verdict
from tests.servers import Server
from tests.store.sessions import ID, commit, committed, meta, resignation
from tests.store.waiting import listening, opened

ONE_ENTRY = resignation(b"")
OTHER = "b" * 32
MARKER = "c" * 32
"""A session that is only subscribed to: by its ring, all that rang before has been heard."""


async def test_a_subscription_rings_as_soon_as_it_holds_and_a_commit_rings_once(store: Store) -> None:
    await store.sessions.create(meta())
    async with listening(store.doorbells) as ear:
        store.doorbells.subscribe(ID)
        assert await ear.next() == [ID]
        await committed(store, commit())
        await committed(store, commit(ONE_ENTRY))
        assert await ear.next(2) == [ID, ID]
        store.doorbells.subscribe(MARKER)
        assert await ear.next() == [MARKER]


async def test_a_commit_of_which_everybody_here_is_told_rings_for_nobody_here(store: Store) -> None:
    await store.sessions.create(meta())
    async with listening(store.doorbells) as ear:
        store.doorbells.subscribe(ID)
        assert await ear.next() == [ID]
        await committed(store, commit(told=True))
        store.doorbells.subscribe(MARKER)
        assert await ear.next() == [MARKER]


async def test_a_commit_rings_in_the_other_processes_whoever_is_told_in_its_own(redis_server: Server) -> None:
    async with (
        opened(redis_server.url) as here,
        opened(redis_server.url) as there,
        listening(here.doorbells) as own,
        listening(there.doorbells) as other,
    ):
        await here.sessions.create(meta())
        there.doorbells.subscribe(ID)
        assert await other.next() == [ID]
        await committed(here, commit(told=True))  # which nobody listens to here
        assert await other.rings() == [Ring(ID, ONE_ENTRY)]
        here.doorbells.subscribe(ID)
        assert await own.next() == [ID]
        await committed(here, commit(ONE_ENTRY, told=True))
        assert await other.rings() == [Ring(ID, resignation(ONE_ENTRY))]


async def test_a_ring_carries_the_entry_and_a_subscriptions_carries_nothing(store: Store) -> None:
    await store.sessions.create(meta())
    async with listening(store.doorbells) as ear:
        store.doorbells.subscribe(ID)
        assert await ear.rings() == [Ring(ID)]
        await committed(store, commit(entry=b"\x00\r\n\xff{}$6\\\x00"))
        assert await ear.rings() == [Ring(ID, b"\x00\r\n\xff{}$6\\\x00")]


@pytest.mark.parametrize("note", [b"n" * 11, b"\x00\r\n\xff" * 250])
async def test_a_note_rings_for_who_is_subscribed_and_is_no_entry(store: Store, note: bytes) -> None:
    await store.sessions.create(meta())
    async with listening(store.doorbells) as ear:
        store.doorbells.subscribe(ID)
        assert await ear.rings() == [Ring(ID)]
        store.doorbells.send(OTHER, note)
        store.doorbells.send(ID, note)
        assert await ear.rings() == [Ring(ID, note=note)]
        found = await store.sessions.load(ID)
        assert found
        assert found.log == b""


async def test_what_was_subscribed_to_before_anybody_reads_rings_too(store: Store) -> None:
    store.doorbells.subscribe(ID)
    async with listening(store.doorbells) as ear:
        assert await ear.next() == [ID]


async def test_neither_a_refused_commit_nor_another_session_rings(store: Store) -> None:
    await store.sessions.create(meta())
    await store.sessions.create(meta(OTHER))
    async with listening(store.doorbells) as ear:
        store.doorbells.subscribe(ID)
        assert await ear.next() == [ID]
        assert await committed(store, commit(player="bob")) is Verdict.NOT_YOUR_SEAT
        assert await committed(store, commit(at=3)) is Verdict.STALE
        assert await committed(store, commit(session=OTHER)) is Verdict.COMMITTED
        store.doorbells.subscribe(MARKER)
        assert await ear.next() == [MARKER]


async def test_nothing_rings_after_the_subscription_has_ended_until_it_is_made_again(store: Store) -> None:
    await store.sessions.create(meta())
    async with listening(store.doorbells) as ear:
        store.doorbells.subscribe(ID)
        assert await ear.next() == [ID]
        store.doorbells.unsubscribe(ID)
        await committed(store, commit())
        store.doorbells.subscribe(MARKER)
        assert await ear.next() == [MARKER]

        store.doorbells.subscribe(ID)
        assert await ear.next() == [ID]
        await committed(store, commit(ONE_ENTRY))
        assert await ear.next() == [ID]


async def test_an_end_without_a_beginning_is_harmless(store: Store) -> None:
    async with listening(store.doorbells) as ear:
        store.doorbells.unsubscribe(ID)
        store.doorbells.subscribe(MARKER)
        assert await ear.next() == [MARKER]
        store.doorbells.unsubscribe(ID)
        store.doorbells.subscribe(ID)
        assert await ear.next() == [ID]


async def test_two_subscriptions_do_not_disturb_one_another(store: Store) -> None:
    await store.sessions.create(meta())
    await store.sessions.create(meta(OTHER))
    async with listening(store.doorbells) as ear:
        store.doorbells.subscribe(ID)
        store.doorbells.subscribe(OTHER)
        assert sorted(await ear.next(2)) == [ID, OTHER]
        await committed(store, commit(session=OTHER))
        await committed(store, commit())
        assert sorted(await ear.next(2)) == [ID, OTHER]
        store.doorbells.unsubscribe(ID)
        await committed(store, commit(ONE_ENTRY))
        await committed(store, commit(ONE_ENTRY, session=OTHER))
        assert await ear.next() == [OTHER]


async def test_the_last_wish_holds_when_many_come_at_once(store: Store) -> None:
    await store.sessions.create(meta())
    await store.sessions.create(meta(OTHER))
    async with listening(store.doorbells) as ear:
        store.doorbells.subscribe(MARKER)
        assert await ear.next() == [MARKER]
        for _ in range(50):
            for wish in (store.doorbells.subscribe, store.doorbells.unsubscribe):
                wish(ID)
                wish(OTHER)
        store.doorbells.subscribe(OTHER)
        store.doorbells.subscribe(MARKER)
        while await ear.next() != [MARKER]:
            pass
        await committed(store, commit())
        await committed(store, commit(session=OTHER))
        assert await ear.next() == [OTHER]


async def test_odd_ids_ring_as_themselves(store: Store) -> None:
    odd = ["", "}", "}}", "{s:}", "a}:log", "bc:{s:a}", "Élisabeth", "🂡", "\x00", "x\r\ny"]
    async with listening(store.doorbells) as ear:
        for session in odd:
            await store.sessions.create(meta(session))
            store.doorbells.subscribe(session)
        assert sorted(await ear.next(len(odd))) == sorted(odd)
        for session in odd:
            await committed(store, commit(session=session))
        assert sorted(await ear.next(len(odd))) == sorted(odd)


async def test_reading_may_stop_and_begin_again(store: Store) -> None:
    await store.sessions.create(meta())
    store.doorbells.subscribe(ID)
    async with listening(store.doorbells) as ear:
        assert await ear.next() == [ID]
    store.doorbells.subscribe(OTHER)
    async with listening(store.doorbells) as ear:
        while await ear.next() != [OTHER]:
            pass
        store.doorbells.subscribe(MARKER)
        while await ear.next() != [MARKER]:
            pass
        await committed(store, commit())
        assert await ear.next() == [ID]
