"""How long sessions are kept: in every store, and to the millisecond where the server tells."""

import asyncio
import time

from service.ports import Store, StoredSession, Verdict
from service.store.redis import keys
from service.store.redis.store import RedisStore
from tests.conftest import OpenStore
from tests.servers import Server
from tests.store.sessions import ID, claim, commit, committed, meta, resignation
from tests.store.waiting import until

ONE_ENTRY = resignation(b"")
META, LOG = keys.session_meta(ID), keys.session_log(ID)


async def gone(store: Store) -> None:
    """Returns when the session is no more; raises TimeoutError."""

    async def missing() -> bool:
        return await store.sessions.load(ID) is None

    await until(missing)


async def test_an_idle_session_goes_and_leaves_nothing_behind(open_store: OpenStore) -> None:
    store = open_store(300)
    await store.sessions.create(meta())
    await committed(store, commit())
    await gone(store)
    assert await committed(store, commit(ONE_ENTRY)) is Verdict.GONE
    assert await store.sessions.create(meta(rules="tidy")) is True
    assert await store.sessions.load(ID) == StoredSession(meta(rules="tidy"), b"")


async def test_a_session_without_a_commit_goes_too(open_store: OpenStore) -> None:
    store = open_store(100)
    await store.sessions.create(meta())
    await gone(store)


async def test_a_session_that_is_played_stays_and_goes_when_it_is_not(open_store: OpenStore) -> None:
    store = open_store(1000)
    await store.sessions.create(meta())
    log, played = b"", time.monotonic() + 1.3
    while time.monotonic() < played:
        made = commit(log)
        assert await committed(store, made) is Verdict.COMMITTED
        log += made.entry
        await asyncio.sleep(0.02)
    await gone(store)


async def test_a_session_is_kept_for_ever_where_that_is_wanted(open_store: OpenStore) -> None:
    eternal, passing = open_store(0), open_store(50)
    await eternal.sessions.create(meta())
    await passing.sessions.create(meta("b" * 32))

    async def other_gone() -> bool:
        return await passing.sessions.load("b" * 32) is None

    await until(other_gone)
    assert await eternal.sessions.load(ID) == StoredSession(meta(), b"")
    assert await committed(eternal, commit()) is Verdict.COMMITTED


async def test_both_keys_expire_at_one_time_that_each_commit_puts_off(redis_server: Server) -> None:
    control = redis_server.control
    store = RedisStore(redis_server.url, 3_600_000)

    def expiries() -> tuple[int, int]:
        return control.pexpiretime(META), control.pexpiretime(LOG)

    await store.sessions.create(meta())
    assert 3_590_000 < control.pttl(META) <= 3_600_000
    await committed(store, commit())
    first = expiries()
    assert first[0] == first[1]
    assert 3_590_000 < control.pttl(META) <= 3_600_000

    control.pexpire(META, 1000)
    control.pexpire(LOG, 2000)
    await committed(store, commit(ONE_ENTRY))
    second = expiries()
    assert second[0] == second[1] >= first[0]
    await store.close()


async def test_plans_expire_when_they_are_not_asked_for(redis_server: Server) -> None:
    control, name = redis_server.control, keys.session_plans(ID)
    passing, eternal = RedisStore(redis_server.url, 3_600_000), RedisStore(redis_server.url, 0)
    await passing.sessions.keep_plan(ID, "b1G")
    assert 3_590_000 < control.pttl(name) <= 3_600_000
    control.pexpire(name, 1000)
    assert await passing.sessions.plans(ID) == ["b1G"]
    assert 3_590_000 < control.pttl(name) <= 3_600_000
    control.delete(name)
    await eternal.sessions.keep_plan(ID, "b1G")
    assert control.pttl(name) == -1
    await passing.close()
    await eternal.close()


async def test_a_store_that_keeps_for_ever_keeps_what_was_to_expire(redis_server: Server) -> None:
    passing, eternal = RedisStore(redis_server.url, 3_600_000), RedisStore(redis_server.url, 0)
    await passing.sessions.create(meta())
    await committed(passing, commit())
    await committed(eternal, commit(ONE_ENTRY))
    assert (redis_server.control.pttl(META), redis_server.control.pttl(LOG)) == (-1, -1)
    await passing.close()
    await eternal.close()


async def test_a_key_stands_for_a_day_and_no_longer(redis_server: Server) -> None:
    store = RedisStore(redis_server.url, 0)
    await store.sessions.claim(claim(key="k"))
    assert 86_390_000 < redis_server.control.pttl(keys.player_claim("ann", "k")) <= 86_400_000
    redis_server.control.pexpire(keys.player_claim("ann", "k"), 80_000_000)
    await store.sessions.claim(claim(key="k"))
    assert redis_server.control.pttl(keys.player_claim("ann", "k")) <= 80_000_000
    await store.close()
