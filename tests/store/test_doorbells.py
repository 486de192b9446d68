"""Doorbells, the same in every store."""

import asyncio

from service.ports import Store, Verdict
from tests.store.sessions import ID, commit, meta, resignation
from tests.store.waiting import listening

ONE_ENTRY = resignation(b"")
OTHER = "b" * 32
MARKER = "c" * 32
"""A session that is only subscribed to: by its ring, all that rang before has been heard."""


async def test_a_subscription_rings_as_soon_as_it_holds_and_a_commit_rings_once(store: Store) -> None:
    await store.sessions.create(meta())
    async with listening(store.doorbells) as ear:
        await store.doorbells.subscribe(ID)
        assert await ear.next() == [ID]
        await store.sessions.commit(commit())
        await store.sessions.commit(commit(ONE_ENTRY))
        assert await ear.next(2) == [ID, ID]
        await store.doorbells.subscribe(MARKER)
        assert await ear.next() == [MARKER]


async def test_what_was_subscribed_to_before_anybody_reads_rings_too(store: Store) -> None:
    await store.doorbells.subscribe(ID)
    async with listening(store.doorbells) as ear:
        assert await ear.next() == [ID]


async def test_neither_a_refused_commit_nor_another_session_rings(store: Store) -> None:
    await store.sessions.create(meta())
    await store.sessions.create(meta(OTHER))
    async with listening(store.doorbells) as ear:
        await store.doorbells.subscribe(ID)
        assert await ear.next() == [ID]
        assert await store.sessions.commit(commit(player="bob")) is Verdict.NOT_YOUR_SEAT
        assert await store.sessions.commit(commit(at=3)) is Verdict.STALE
        assert await store.sessions.commit(commit(session=OTHER)) is Verdict.COMMITTED
        await store.doorbells.subscribe(MARKER)
        assert await ear.next() == [MARKER]


async def test_nothing_rings_after_the_subscription_has_ended_until_it_is_made_again(store: Store) -> None:
    await store.sessions.create(meta())
    async with listening(store.doorbells) as ear:
        await store.doorbells.subscribe(ID)
        assert await ear.next() == [ID]
        await store.doorbells.unsubscribe(ID)
        await store.sessions.commit(commit())
        await store.doorbells.subscribe(MARKER)
        assert await ear.next() == [MARKER]

        await store.doorbells.subscribe(ID)
        assert await ear.next() == [ID]
        await store.sessions.commit(commit(ONE_ENTRY))
        assert await ear.next() == [ID]


async def test_an_end_without_a_beginning_is_harmless(store: Store) -> None:
    async with listening(store.doorbells) as ear:
        await store.doorbells.unsubscribe(ID)
        await store.doorbells.subscribe(MARKER)
        assert await ear.next() == [MARKER]
        await store.doorbells.unsubscribe(ID)
        await store.doorbells.subscribe(ID)
        assert await ear.next() == [ID]


async def test_two_subscriptions_do_not_disturb_one_another(store: Store) -> None:
    await store.sessions.create(meta())
    await store.sessions.create(meta(OTHER))
    async with listening(store.doorbells) as ear:
        await store.doorbells.subscribe(ID)
        await store.doorbells.subscribe(OTHER)
        assert sorted(await ear.next(2)) == [ID, OTHER]
        await store.sessions.commit(commit(session=OTHER))
        await store.sessions.commit(commit())
        assert await ear.next(2) == [OTHER, ID]
        await store.doorbells.unsubscribe(ID)
        await store.sessions.commit(commit(ONE_ENTRY))
        await store.sessions.commit(commit(ONE_ENTRY, session=OTHER))
        assert await ear.next() == [OTHER]


async def test_the_last_wish_holds_when_many_come_at_once(store: Store) -> None:
    await store.sessions.create(meta())
    await store.sessions.create(meta(OTHER))
    async with listening(store.doorbells) as ear:
        await store.doorbells.subscribe(MARKER)
        assert await ear.next() == [MARKER]
        await asyncio.gather(
            *(
                wish(session)
                for _ in range(50)
                for wish in (store.doorbells.subscribe, store.doorbells.unsubscribe)
                for session in (ID, OTHER)
            ),
            store.doorbells.subscribe(OTHER),
        )
        await store.doorbells.subscribe(MARKER)
        while await ear.next() != [MARKER]:
            pass
        await store.sessions.commit(commit())
        await store.sessions.commit(commit(session=OTHER))
        assert await ear.next() == [OTHER]


async def test_odd_ids_ring_as_themselves(store: Store) -> None:
    odd = ["", "}", "}}", "{s:}", "a}:log", "bc:{s:a}", "Élisabeth", "🂡", "\x00", "x\r\ny"]
    async with listening(store.doorbells) as ear:
        for session in odd:
            await store.sessions.create(meta(session))
            await store.doorbells.subscribe(session)
        assert sorted(await ear.next(len(odd))) == sorted(odd)
        for session in reversed(odd):
            await store.sessions.commit(commit(session=session))
        assert await ear.next(len(odd)) == odd[::-1]


async def test_reading_may_stop_and_begin_again(store: Store) -> None:
    await store.sessions.create(meta())
    await store.doorbells.subscribe(ID)
    async with listening(store.doorbells) as ear:
        assert await ear.next() == [ID]
    await store.doorbells.subscribe(OTHER)
    async with listening(store.doorbells) as ear:
        while await ear.next() != [OTHER]:
            pass
        await store.doorbells.subscribe(MARKER)
        while await ear.next() != [MARKER]:
            pass
        await store.sessions.commit(commit())
        assert await ear.next() == [ID]
