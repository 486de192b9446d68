"""What becomes of a store when a node of a cluster, or the master that sentinels watch, is lost or replaced."""

import asyncio
from collections.abc import Iterator

import pytest
from redis.crc import key_slot

from service.ports import SeatHolder, Seating, StoreUnavailable, Verdict
from service.store.redis import keys, link
from service.store.redis.store import RedisStore
from service.store.redis.topology import Topology, topology
from tests.servers import IN_MEMORY, NODE_TIMEOUT_MS, SERVICE, WHEEL, Cluster, Server, Watched, cluster, watched
from tests.store.sessions import ANN, ID, claim, commit, committed, meta
from tests.store.waiting import listening, opened

SECONDS = 20.0
"""Within which a promotion is over and found out about."""


def slot_of(session: str) -> int:
    return key_slot(keys.session_meta(session).encode())


def spread(count: int) -> list[str]:
    """Sessions over all slots."""
    return [f"{number:032x}" for number in range(count)]


@pytest.fixture
def nodes() -> Iterator[Cluster]:
    """A cluster of the test's own."""
    with cluster(WHEEL, *IN_MEMORY) as one:
        yield one


@pytest.fixture
def group() -> Iterator[Watched]:
    """A master, a replica and sentinels of the test's own."""
    with watched(WHEEL, *IN_MEMORY) as one:
        yield one


async def played_on(store: RedisStore, session: str, log: bytes) -> bytes:
    """The log with one more entry, however often that has to be tried; raises TimeoutError."""
    async with asyncio.timeout(SECONDS):
        while True:
            try:
                verdict = await committed(store, commit(log, session=session))
                stored = await store.sessions.load(session)
                assert stored
                assert verdict is Verdict.COMMITTED or stored.log != log, "only what is in the log already is stale"
            except StoreUnavailable:
                await asyncio.sleep(0.05)
            else:
                return stored.log


async def refused_or_answered(store: RedisStore, session: str) -> None:
    """Returns when a commit is answered, whatever with; raises TimeoutError."""
    async with asyncio.timeout(link.TIMEOUT_SECONDS + 2):
        try:
            await committed(store, commit(session=session))
        except StoreUnavailable:
            return


def node_of(nodes: Cluster, session: str) -> Server:
    return nodes.master_of(slot_of(session))


async def test_a_cluster_plays_on_when_a_master_dies_and_the_others_do_not_wait_for_it(nodes: Cluster) -> None:
    sessions = spread(30)
    async with opened(nodes.url) as store, listening(store.doorbells) as ear:
        for session in sessions:
            await store.sessions.create(meta(session))
            store.doorbells.subscribe(session)
        assert sorted(await ear.next(30)) == sessions
        logs = {session: await played_on(store, session, b"") for session in sessions}
        assert sorted(await ear.next(30)) == sessions
        [lost, *_] = sessions
        dead = node_of(nodes, lost)
        theirs = [session for session in sessions if node_of(nodes, session) is dead]
        others = [session for session in sessions if session not in theirs]
        dead.kill()

        with pytest.raises(StoreUnavailable):
            await committed(store, commit(logs[lost], session=lost))
        async with asyncio.timeout(NODE_TIMEOUT_MS / 1000):
            for session in others:
                assert await committed(store, commit(logs[session], session=session)) is Verdict.COMMITTED
        for session in theirs:
            logs[session] = await played_on(store, session, logs[session])

        rung = await ear.next(len(others))
        while not set(theirs) <= set(rung):  # each rings again when it is subscribed to at the new master
            rung += await ear.next()
        await store.check()


async def test_a_cluster_plays_on_when_a_master_is_stopped(nodes: Cluster, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(link, "TIMEOUT_SECONDS", 0.5)
    async with opened(nodes.url) as store:
        await store.sessions.create(meta())
        log = await played_on(store, ID, b"")
        node_of(nodes, ID).freeze()
        await refused_or_answered(store, ID)
        assert len(await played_on(store, ID, log)) == 20


async def test_a_slot_is_moved_under_commits_and_no_commit_is_lost_or_doubled(nodes: Cluster) -> None:
    async with opened(nodes.url) as store, listening(store.doorbells) as ear:
        await store.sessions.create(meta())
        store.doorbells.subscribe(ID)
        assert await ear.next() == [ID]
        log, moving = b"", True

        async def play() -> None:
            nonlocal log
            while moving:
                made = commit(log)
                assert await committed(store, made) is Verdict.COMMITTED
                log += made.entry

        playing = asyncio.create_task(play())
        masters = nodes.masters()
        for target in [*masters, *masters]:
            if target is not node_of(nodes, ID):
                await asyncio.to_thread(nodes.move, slot_of(ID), target)
                await asyncio.sleep(0.2)
        moving = False
        async with asyncio.timeout(SECONDS):
            await playing
        stored = await store.sessions.load(ID)
        assert stored
        assert stored.log == log
        assert len(log) > 100

        async with asyncio.timeout(SECONDS):
            while True:  # until the subscription has followed
                made = commit(log)
                assert await committed(store, made) is Verdict.COMMITTED
                log += made.entry
                await asyncio.sleep(0.1)
                heard = [ear.heard.get_nowait() for _ in range(ear.heard.qsize())]
                if made.entry in [ring.entry for ring in heard]:
                    break


async def test_every_call_finds_a_session_whose_slot_is_being_moved_and_has_been(nodes: Cluster) -> None:
    bob, claimed = SeatHolder("bob", "Bob"), claim(key="k")
    async with opened(nodes.url) as store:
        await store.sessions.create(meta(capacity=4, invite="code"))
        assert await committed(store, commit()) is Verdict.COMMITTED
        log = commit().entry
        target = next(node for node in nodes.masters() if node is not node_of(nodes, ID))
        with nodes.moving(slot_of(ID), target):
            assert await committed(store, commit(log)) is Verdict.COMMITTED
            log += commit(log).entry
            assert await store.sessions.join(ID, bob, "code") is Seating.SEATED
            stored = await store.sessions.load(ID)
            assert stored
            assert (stored.log, stored.meta.seats) == (log, (ANN, bob))
        await store.sessions.claim(claimed)
        assert await store.sessions.leave(ID, "bob") is True
        assert [one.seq for one in (await store.sessions.sessions_of("ann", None, 10))[0]] == [2]
        assert await committed(store, commit(log)) is Verdict.COMMITTED


@pytest.mark.parametrize("first", [keys.session_meta(ID), keys.session_log(ID)])
async def test_a_session_of_which_one_key_has_moved_is_read_whole(nodes: Cluster, first: str) -> None:
    async with opened(nodes.url) as store:
        await store.sessions.create(meta())
        assert await committed(store, commit()) is Verdict.COMMITTED
        target = next(node for node in nodes.masters() if node is not node_of(nodes, ID))
        with nodes.moving(slot_of(ID), target, first):
            stored = await store.sessions.load(ID)
            assert stored
            assert stored.log == commit().entry


async def test_the_first_commit_waits_while_the_slot_is_moved(nodes: Cluster) -> None:
    async with opened(nodes.url) as store:
        await store.sessions.create(meta())
        target = next(node for node in nodes.masters() if node is not node_of(nodes, ID))
        with nodes.moving(slot_of(ID), target):  # the nodes run no script while one of its keys is not there
            waiting = asyncio.create_task(committed(store, commit()))
            await asyncio.sleep(0.2)
            assert not waiting.done()
        assert await waiting is Verdict.COMMITTED


async def test_a_commit_goes_on_when_its_links_are_killed(nodes: Cluster) -> None:
    async with opened(nodes.url) as store:
        await store.sessions.create(meta())
        log = await played_on(store, ID, b"")
        for _ in range(3):
            node_of(nodes, ID).control.client_kill_filter(_type="normal", skipme=True)
            log = await played_on(store, ID, log)
        assert len(log) == 40


@pytest.mark.parametrize("loss", ["dies", "is stopped", "is demoted"])
async def test_what_sentinels_watch_plays_on_when_the_master(
    group: Watched, loss: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(link, "TIMEOUT_SECONDS", 1.0)
    async with opened(group.url) as store, listening(store.doorbells) as ear:
        await store.sessions.create(meta())
        store.doorbells.subscribe(ID)
        assert await ear.next() == [ID]
        log = await played_on(store, ID, b"")
        assert await ear.next() == [ID]
        before = group.master()
        match loss:
            case "dies":
                before.kill()
            case "is stopped":
                before.freeze()
            case _:
                group.sentinels[0].control.sentinel_failover(SERVICE)
        async with asyncio.timeout(SECONDS):
            while group.master() is before:
                await refused_or_answered(store, ID)
                await asyncio.sleep(0.05)
        log = await played_on(store, ID, log)
        assert await ear.next() == [ID]
        for _ in range(3):
            log = await played_on(store, ID, log)
        stored = await store.sessions.load(ID)
        assert stored
        assert stored.log == log


async def test_a_link_that_holds_needs_no_sentinels_and_another_says_that_there_are_none(group: Watched) -> None:
    async with opened(group.url) as store, opened(group.url) as late:
        await store.sessions.create(meta())
        log = await played_on(store, ID, b"")
        for sentinel in group.sentinels:
            sentinel.kill()
        assert await committed(store, commit(log)) is Verdict.COMMITTED
        with pytest.raises(StoreUnavailable):
            await late.check()
        with pytest.raises(StoreUnavailable):
            await committed(late, commit(log))


async def test_a_master_that_is_down_is_not_named_until_it_is_back(group: Watched) -> None:
    master = group.master()
    [replica] = [node for node in group.nodes if node is not master]
    known = topology(group.url)
    try:
        assert await is_named(known)
        replica.kill()
        master.freeze()
        async with asyncio.timeout(SECONDS):
            while await is_named(known):
                pass
        master.thaw()
        async with asyncio.timeout(SECONDS):
            while not await is_named(known):
                pass
    finally:
        await known.close()


async def is_named(known: Topology) -> bool:
    """Whether the sentinels name a master, and do not call it down."""
    try:
        await known.refresh()
    except StoreUnavailable as error:
        return str(error) != "the master is down"
    return True


async def test_a_cluster_that_is_away_is_told_and_found_again(nodes: Cluster) -> None:
    async with opened(nodes.url) as store:
        await store.sessions.create(meta())
        for node in nodes.nodes:
            node.kill()
        for _ in range(3):
            async with asyncio.timeout(2):
                with pytest.raises(StoreUnavailable):
                    await committed(store, commit())
                with pytest.raises(StoreUnavailable):
                    await store.sessions.load(ID)
                with pytest.raises(StoreUnavailable):
                    await store.check()
        for node in nodes.nodes:
            node.start()
        async with asyncio.timeout(SECONDS):
            while True:
                try:
                    await store.check()
                    assert await committed(store, commit()) is Verdict.GONE, "its nodes kept nothing on disk"
                except StoreUnavailable:
                    await asyncio.sleep(0.1)
                else:
                    break
