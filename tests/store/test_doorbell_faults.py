"""What becomes of doorbells when their link breaks, or their server is not there."""

import asyncio
from collections.abc import AsyncIterator

import pytest

from service.ports import StoreUnavailable
from service.store.redis import events, keys
from service.store.redis.store import RedisStore
from tests.servers import Server
from tests.store.sessions import commit, committed, meta
from tests.store.waiting import Ear, listening, until

SESSIONS = [f"{number:032x}" for number in range(5)]
MARKER = "c" * 32
"""A session that is only subscribed to: by its ring, all that rang before has been heard."""


@pytest.fixture
async def store(private_server: Server) -> AsyncIterator[RedisStore]:
    store = RedisStore(private_server.url, 60_000)
    yield store
    await store.close()


def cut(server: Server) -> int:
    """Breaks the doorbells' link; how many links that were."""
    return int(server.control.client_kill_filter(_type="pubsub"))


async def subscribed_to(server: Server, sessions: list[str]) -> None:
    """Returns when the server holds subscriptions to exactly these; raises TimeoutError."""
    wanted = sorted(map(keys.session_channel, sessions))

    async def exactly() -> bool:
        return sorted(server.control.pubsub_shardchannels()) == wanted

    await until(exactly)


async def every_session_rings_for_a_commit(store: RedisStore, ear: Ear, sessions: list[str]) -> None:
    for session in sessions:
        await store.sessions.create(meta(session))
        await committed(store, commit(session=session))
    assert await ear.next(len(sessions)) == sessions


async def test_a_link_that_breaks_is_made_again_and_every_session_rings_once(
    private_server: Server, store: RedisStore
) -> None:
    async with listening(store.doorbells) as ear:
        for session in SESSIONS:
            store.doorbells.subscribe(session)
        assert sorted(await ear.next(5)) == SESSIONS
        for _ in range(2):
            assert cut(private_server) == 1
            assert sorted(await ear.next(5)) == SESSIONS
            store.doorbells.subscribe(MARKER)
            assert await ear.next() == [MARKER]
            store.doorbells.unsubscribe(MARKER)
        await every_session_rings_for_a_commit(store, ear, SESSIONS)


async def test_an_ended_subscription_is_not_made_again(private_server: Server, store: RedisStore) -> None:
    async with listening(store.doorbells) as ear:
        for session in SESSIONS:
            store.doorbells.subscribe(session)
        assert sorted(await ear.next(5)) == SESSIONS
        store.doorbells.unsubscribe(SESSIONS[0])
        assert cut(private_server) == 1
        store.doorbells.unsubscribe(SESSIONS[1])
        assert sorted(await ear.next(3)) == SESSIONS[2:]
        await subscribed_to(private_server, SESSIONS[2:])


async def test_what_is_wanted_while_the_link_is_broken_is_subscribed_to_when_it_holds(
    private_server: Server, store: RedisStore
) -> None:
    async with listening(store.doorbells) as ear:
        store.doorbells.subscribe(SESSIONS[0])
        assert await ear.next() == [SESSIONS[0]]
        private_server.kill()
        for session in SESSIONS[1:]:
            store.doorbells.subscribe(session)
        store.doorbells.unsubscribe(SESSIONS[0])
        with pytest.raises(StoreUnavailable):
            await store.check()
        private_server.start()
        assert sorted(await ear.next(4)) == SESSIONS[1:]
        await every_session_rings_for_a_commit(store, ear, SESSIONS[1:])


async def test_a_server_that_appears_late_is_found(private_server: Server, store: RedisStore) -> None:
    private_server.kill()
    async with listening(store.doorbells) as ear:
        for session in SESSIONS:
            store.doorbells.subscribe(session)
        with pytest.raises(StoreUnavailable):
            await store.check()
        private_server.start()
        assert sorted(await ear.next(5)) == SESSIONS
        await every_session_rings_for_a_commit(store, ear, SESSIONS)


async def test_what_is_wanted_while_the_server_stays_silent_is_subscribed_to_when_it_speaks(
    private_server: Server, store: RedisStore
) -> None:
    async with listening(store.doorbells) as ear:
        store.doorbells.subscribe(MARKER)
        assert await ear.next() == [MARKER]
        private_server.freeze()
        for session in SESSIONS:
            store.doorbells.subscribe(session)
        private_server.thaw()
        assert sorted(await ear.next(5)) == SESSIONS


async def test_many_subscribe_and_end_without_a_pause_while_the_link_breaks_again_and_again(
    private_server: Server, store: RedisStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(events, "RECONNECT_SECONDS", 0.01)
    many = [f"{number:032x}" for number in range(30)]
    cuts = 0

    async def come_and_go(session: str) -> None:
        while cuts < 40:
            store.doorbells.subscribe(session)
            await asyncio.sleep(0)
            store.doorbells.unsubscribe(session)

    async with listening(store.doorbells):
        async with asyncio.timeout(20), asyncio.TaskGroup() as going:
            for session in many:
                going.create_task(come_and_go(session))
            while cuts < 40:
                cuts += cut(private_server)
                await asyncio.sleep(0.01)
        for session in many[::2]:
            store.doorbells.subscribe(session)
        await subscribed_to(private_server, many[::2])


async def test_an_error_of_the_servers_ends_no_reading(private_server: Server, store: RedisStore) -> None:
    private_server.control.acl_setuser("default", enabled=True, commands=["-ssubscribe"])
    async with listening(store.doorbells) as ear:
        store.doorbells.subscribe(SESSIONS[0])

        async def was_refused() -> bool:
            return bool(private_server.control.acl_log())

        await until(was_refused)
        private_server.control.acl_setuser("default", enabled=True, commands=["+ssubscribe"])
        assert await ear.next() == [SESSIONS[0]]
