"""What the Redis store does when its server dies, stops, cannot write or answers in vain."""

import asyncio
import time
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager

import pytest

from service.app import SystemChance, SystemClock
from service.engine.notation import parse_move
from service.ports import Store, StoredPlayer, StoredSession, StoreUnavailable, Verdict
from service.solving.pool import Pool
from service.store.redis import link
from service.store.redis.store import RedisStore
from service.telemetry.meters import Meters
from service.usecases.commands import Commands, Play, Resign
from service.usecases.dealing import Dealing, Wish
from service.usecases.deals import Deals
from service.usecases.errors import Stale
from service.usecases.history import Histories, Place
from service.usecases.live import Live
from service.usecases.sessions import Sessions
from tests.servers import Server
from tests.store.proxy import Loss, proxy
from tests.store.sessions import ID, claim, commit, committed, meta, resignation
from tests.store.waiting import until

ANN = StoredPlayer(id="ann", name="Ann", created=0, recovery_digest="ab")
ONE_ENTRY = resignation(b"")
COMMITTED = b"*1\r\n$1\r\n\0\r\n"
"""What the server answers to one commit."""
TWO_ENTRIES = ONE_ENTRY + resignation(ONE_ENTRY)

Call = Callable[[Store], Awaitable[object]]
WRITES: dict[str, Call] = {
    "claim": lambda store: store.sessions.claim(claim(key="k")),
    "create": lambda store: store.sessions.create(meta("1" * 32)),
    "commit": lambda store: committed(store, commit(ONE_ENTRY)),
    "add": lambda store: store.players.add(ANN, "aa"),
    "give_recovery": lambda store: store.players.give_recovery("ann", "ac"),
    "issue_ticket": lambda store: store.players.issue_ticket("ta", "ann", 60),
}
READS: dict[str, Call] = {
    "check": lambda store: store.check(),
    "load": lambda store: store.sessions.load(ID),
    "sessions_of": lambda store: store.sessions.sessions_of("ann", None, 10),
    "by_token": lambda store: store.players.by_token("aa"),
    "redeem_ticket": lambda store: store.players.redeem_ticket("ta"),
    "names": lambda store: store.players.names(["ann", "bob"]),
    "following": lambda store: store.players.following("ann"),
    "follow": lambda store: store.players.follow("ann", "bob", 0),
    "remove": lambda store: store.players.remove("ann"),
    "forget": lambda store: store.sessions.forget("ann"),
}


@asynccontextmanager
async def opened(url: str) -> AsyncIterator[Store]:
    store = RedisStore(url, 60_000)
    try:
        yield store
    finally:
        await store.close()


@pytest.fixture
async def store(private_server: Server) -> AsyncIterator[Store]:
    """A store that holds a session with one entry."""
    async with opened(private_server.url) as store:
        await store.sessions.create(meta())
        await committed(store, commit())
        yield store


@pytest.fixture
def hurried(monkeypatch: pytest.MonkeyPatch) -> None:
    """Stores that are opened in the test give the server less time."""
    monkeypatch.setattr(link, "TIMEOUT_SECONDS", 0.3)


async def log_of(store: Store) -> bytes:
    found = await store.sessions.load(ID)
    assert found is not None
    return found.log


async def refused(call: Call, store: Store, seconds: float) -> bool:
    """Whether the call says within that time that the store is not available."""
    began = time.monotonic()
    with pytest.raises(StoreUnavailable):
        await call(store)
    return time.monotonic() - began < seconds


async def recovered(store: Store) -> None:
    """Returns when the store answers again of its own accord; raises TimeoutError."""

    async def answers() -> bool:
        try:
            await store.check()
        except StoreUnavailable:
            return False
        return True

    await until(answers)


async def test_what_was_acknowledged_outlives_kill_9_and_the_store_finds_its_server_again(
    private_server: Server, store: Store
) -> None:
    log = ONE_ENTRY
    for _ in range(30):
        made = commit(log)
        assert await committed(store, made) is Verdict.COMMITTED
        log += made.entry

    private_server.kill()
    with pytest.raises(StoreUnavailable):
        await committed(store, commit(log))
    private_server.start()

    await recovered(store)
    assert await log_of(store) == log
    assert await committed(store, commit(log)) is Verdict.COMMITTED


async def test_commits_in_flight_at_kill_9_are_in_the_log_if_they_were_acknowledged(
    private_server: Server, store: Store
) -> None:
    sessions = [f"{number:032x}" for number in range(200)]
    await asyncio.gather(*(store.sessions.create(meta(session)) for session in sessions))
    playing = [asyncio.create_task(committed(store, commit(session=session))) for session in sessions]
    await asyncio.wait(playing, return_when=asyncio.FIRST_COMPLETED)
    private_server.kill()
    answers = await asyncio.gather(*playing, return_exceptions=True)
    private_server.start()

    await recovered(store)
    assert Verdict.COMMITTED in answers
    for session, answer in zip(sessions, answers, strict=True):
        found = await store.sessions.load(session)
        assert found is not None
        if answer is Verdict.COMMITTED:
            assert found.log == ONE_ENTRY
        else:
            assert isinstance(answer, StoreUnavailable)
            assert found.log in {b"", ONE_ENTRY}


@pytest.mark.parametrize("call", (WRITES | READS).values(), ids=WRITES | READS)
async def test_a_server_that_is_away_is_told_at_once_by_every_call(
    private_server: Server, store: Store, call: Call
) -> None:
    private_server.kill()
    assert await refused(call, store, seconds=1)
    async with opened(private_server.url) as another:
        assert await refused(call, another, seconds=1)


@pytest.mark.parametrize("call", (WRITES | READS).values(), ids=WRITES | READS)
async def test_a_server_that_stays_silent_is_waited_for_no_longer_than_the_timeout(
    private_server: Server, hurried: None, call: Call
) -> None:
    async with opened(private_server.url) as store:
        await store.check()
        private_server.freeze()
        assert await refused(call, store, seconds=3)
        private_server.thaw()
        await recovered(store)


async def test_a_store_may_be_opened_before_its_server_is_there(private_server: Server) -> None:
    private_server.kill()
    async with opened(private_server.url) as store:
        with pytest.raises(StoreUnavailable):
            await store.check()
        private_server.start()
        await recovered(store)
        assert await store.sessions.create(meta()) is True


@pytest.mark.parametrize("call", WRITES.values(), ids=WRITES)
async def test_a_replica_takes_no_write_until_it_is_promoted(private_server: Server, store: Store, call: Call) -> None:
    private_server.control.replicaof("127.0.0.1", 1)
    with pytest.raises(StoreUnavailable):
        await call(store)
    assert await log_of(store) == ONE_ENTRY
    private_server.control.replicaof("NO", "ONE")
    await call(store)


@pytest.mark.parametrize("call", WRITES.values(), ids=WRITES)
async def test_a_write_waits_a_little_for_a_master_to_have_replicas_enough(
    private_server: Server, store: Store, call: Call
) -> None:
    private_server.control.config_set("min-replicas-to-write", 1)
    with pytest.raises(StoreUnavailable, match=r"NOREPLICAS|too often"):
        await call(store)
    waiting = asyncio.ensure_future(call(store))
    await asyncio.sleep(0.2)
    assert not waiting.done()
    private_server.control.config_set("min-replicas-to-write", 0)
    await waiting


@pytest.mark.parametrize("call", WRITES.values(), ids=WRITES)
async def test_a_server_that_is_full_takes_no_write_and_forgets_nothing(
    private_server: Server, store: Store, call: Call
) -> None:
    before = await store.sessions.load(ID)
    private_server.control.config_set("maxmemory", 1)
    with pytest.raises(StoreUnavailable):
        await call(store)
    assert await store.sessions.load(ID) == before
    private_server.control.config_set("maxmemory", 0)
    await call(store)


async def test_scripts_that_the_server_forgot_are_sent_again(private_server: Server, store: Store) -> None:
    private_server.control.script_flush()
    assert await committed(store, commit(ONE_ENTRY)) is Verdict.COMMITTED
    private_server.control.script_flush()
    assert await store.sessions.create(meta("1" * 32)) is True
    private_server.control.script_flush()
    assert await store.sessions.claim(claim()) == claim()
    assert await log_of(store) == TWO_ENTRIES


def scripts_run(server: Server) -> int:
    return int(server.control.info("commandstats")["cmdstat_evalsha"]["calls"])


@pytest.mark.parametrize("loss", [Loss.CUT, Loss.SILENCE])
async def test_a_commit_whose_answer_is_lost_is_not_sent_again(
    private_server: Server, store: Store, hurried: None, loss: Loss
) -> None:
    async with proxy(private_server.socket) as (between, url), opened(url) as far:
        assert await committed(far, commit()) is Verdict.STALE
        before = scripts_run(private_server)
        between.loss = loss
        with pytest.raises(StoreUnavailable):
            await committed(far, commit(ONE_ENTRY))
        assert COMMITTED in between.lost
        between.loss = Loss.NONE

        assert await log_of(far) == TWO_ENTRIES
        assert scripts_run(private_server) == before + 1
        assert await committed(far, commit(ONE_ENTRY)) is Verdict.STALE


@pytest.mark.parametrize("loss", [Loss.CUT, Loss.SILENCE])
async def test_a_command_whose_answer_was_lost_is_recognised_when_it_comes_again(
    private_server: Server, hurried: None, loss: Loss
) -> None:
    async with proxy(private_server.socket) as (between, url), opened(url) as far:
        histories = Histories(far.sessions, 10)
        live = Live(histories, far.doorbells, SystemClock(), "here", Meters())
        sessions = Sessions(far.sessions, histories, live)
        deals = Deals(Pool(1, far.reports), SystemChance())
        dealing = Dealing(far.sessions, histories, deals, SystemClock(), SystemChance())
        commands = Commands(far.sessions, histories, live, SystemClock(), lambda _: None)
        created = await dealing.create(ANN, Wish(spectators=False), key=None)
        first = Play(parse_move(created.legal[0].move))
        await far.sessions.create(meta())
        await committed(far, commit())  # so that the server knows the script
        await sessions.view(created.id, "ann")  # so that the commit is the first that the command asks for

        between.loss = loss
        with pytest.raises(StoreUnavailable):
            await commands.submit(created.id, "ann", first, Place(0, 0))
        assert COMMITTED in between.lost
        between.loss = Loss.NONE

        again = await commands.submit(created.id, "ann", first, Place(0, 0))
        assert again.game.seq == 1
        with pytest.raises(Stale):
            await commands.submit(created.id, "ann", Resign(), Place(0, 0))
        found = await far.sessions.load(created.id)
        assert isinstance(found, StoredSession)
        assert len(found.log) == 10


@pytest.mark.parametrize("loss", [Loss.CUT, Loss.SILENCE])
async def test_a_session_whose_creation_was_lost_is_the_one_that_the_key_makes_again(
    private_server: Server, hurried: None, loss: Loss
) -> None:
    async with proxy(private_server.socket) as (between, url), opened(url) as far:
        await far.sessions.claim(claim())  # so that the server knows the script
        first = claim(key="k")
        between.loss = loss
        with pytest.raises(StoreUnavailable):
            await far.sessions.claim(first)
        between.loss = Loss.NONE
        assert await far.sessions.claim(claim("b" * 32, key="k")) == first
        assert await far.sessions.create(meta()) is True
