"""Runs of a day: kept for ever, and sealed until the store says that they are not; the same in every store."""

import asyncio
from typing import Any

import pytest
from redis import Redis

from service.ports import Store, StoredSession, UnreadableSession, Verdict
from service.store.redis import keys
from tests.conftest import OpenStore
from tests.store.sessions import BOB, ID, RUN, commit, committed, meta, resignation
from tests.store.waiting import listening, opened, until

ONE_ENTRY = resignation(b"")
SEALED: dict[str, Any] = {"run": RUN, "secret": True, "spectators": False}
OPEN_TO_ALL: dict[str, Any] = {"run": RUN, "secret": False, "spectators": True, "is_open": False}


async def test_a_run_that_was_not_over_expires_and_takes_no_further_entry(store: Store) -> None:
    await store.sessions.create(meta(**SEALED))
    await committed(store, commit())
    before = await store.sessions.load(ID)
    assert before
    await store.sessions.unseal(ID)

    unsealed = meta(**OPEN_TO_ALL, status="expired", updated=before.meta.updated)
    assert await store.sessions.load(ID) == StoredSession(unsealed, ONE_ENTRY)
    assert await committed(store, commit(ONE_ENTRY)) is Verdict.CLOSED
    assert await store.sessions.load(ID) == StoredSession(unsealed, ONE_ENTRY)


async def test_a_run_that_was_over_keeps_its_status(store: Store) -> None:
    await store.sessions.create(meta(**SEALED))
    made = commit(status="won", closes=True)
    await committed(store, made)
    await store.sessions.unseal(ID)

    unsealed = meta(**OPEN_TO_ALL, status="won", updated=made.time)
    assert await store.sessions.load(ID) == StoredSession(unsealed, ONE_ENTRY)


async def test_nothing_but_a_run_is_unsealed(store: Store) -> None:
    await store.sessions.create(meta(secret=True, spectators=False))
    await store.sessions.unseal(ID)
    await store.sessions.unseal("0" * 32)

    assert await store.sessions.load(ID) == StoredSession(meta(secret=True, spectators=False), b"")
    assert await store.sessions.load("0" * 32) is None


async def test_unsealing_rings_once(store: Store) -> None:
    await store.sessions.create(meta(**SEALED))
    await store.sessions.create(meta("b" * 32, seats=(BOB,)))
    async with listening(store.doorbells) as ear:
        for session in (ID, "b" * 32):
            store.doorbells.subscribe(session)
        assert sorted(await ear.next(2)) == [ID, "b" * 32]
        for session in (ID, ID, "b" * 32):
            await store.sessions.unseal(session)
        assert await ear.next() == [ID]
        store.doorbells.subscribe("c" * 32)
        assert await ear.next() == ["c" * 32]


async def test_a_run_is_kept_where_other_sessions_go(open_store: OpenStore) -> None:
    store, other = open_store(150), "b" * 32
    await store.sessions.create(meta(**SEALED))
    await store.sessions.create(meta(other))
    for session in (ID, other):
        await committed(store, commit(session=session))

    async def gone() -> bool:
        return await store.sessions.load(other) is None

    await until(gone)
    assert await committed(store, commit(ONE_ENTRY)) is Verdict.COMMITTED
    await store.sessions.unseal(ID)
    await asyncio.sleep(0.2)
    stored = await store.sessions.load(ID)
    assert stored
    assert len(stored.log) == 2 * len(ONE_ENTRY)


@pytest.mark.parametrize("damaged", [{"day": "2026-11-30"}, {"run": "best"}, {"ends": "soon"}, {"ends": "-1"}])
async def test_a_run_that_no_store_has_written_cannot_be_read(redis_url: str, damaged: dict[str, str]) -> None:
    async with opened(redis_url) as store:
        await store.sessions.create(meta(**SEALED))
        with Redis.from_url(redis_url) as control:
            control.hset(keys.session_meta(ID), mapping=damaged)
        with pytest.raises(UnreadableSession):
            await store.sessions.load(ID)
