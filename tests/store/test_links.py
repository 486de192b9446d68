"""Links to servers that let us in, or do not, or say what no server says."""

import asyncio
from pathlib import Path

import pytest
import uvloop

from service.ports import StoreUnavailable, Verdict
from service.store.redis import commits
from service.store.redis.topology import topology
from tests.servers import Server
from tests.store.sessions import ID, commit, committed, meta
from tests.store.waiting import listening, opened


async def play_and_listen(url: str) -> None:
    """One session from its creation to its first ring."""
    async with opened(url) as store, listening(store.doorbells) as ear:
        assert await store.sessions.create(meta()) is True
        store.doorbells.subscribe(ID)
        assert await ear.next() == [ID]
        assert await committed(store, commit()) is Verdict.COMMITTED
        assert await ear.next() == [ID]


def test_the_service_plays_on_its_own_event_loop(redis_server: Server) -> None:
    uvloop.run(play_and_listen(redis_server.url))


async def test_a_password_and_a_database_are_those_of_the_url(private_server: Server) -> None:
    private_server.control.config_set("requirepass", "sécret")
    at = f"{private_server.socket}?db=2"
    with pytest.raises(StoreUnavailable):
        await play_and_listen(f"unix://{at}")
    with pytest.raises(StoreUnavailable):
        await play_and_listen(f"unix://:wrong@{at}")
    await play_and_listen(f"unix://:s%C3%A9cret@{at}")
    private_server.control.auth("sécret")
    assert set(private_server.control.info("keyspace")) == {"db2"}


async def test_a_commit_says_that_it_was_not_let_in(private_server: Server) -> None:
    private_server.control.config_set("requirepass", "secret")
    async with opened(f"unix://:wrong@{private_server.socket}") as store:
        with pytest.raises(StoreUnavailable, match="WRONGPASS"):
            await committed(store, commit())


class Odd(asyncio.Protocol):
    """A server's side of a link, which says one thing after the other, or hangs up for nothing."""

    def __init__(self, answers: list[bytes]) -> None:
        self._answers = iter(answers)

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        assert isinstance(transport, asyncio.Transport)
        self._transport = transport

    def data_received(self, _: bytes) -> None:
        if said := next(self._answers):
            self._transport.write(said)
        else:
            self._transport.close()


HELLO = b"%1\r\n+proto\r\n:3\r\n"


@pytest.mark.parametrize(
    ("answers", "why"),
    [
        ([b""], "closed"),
        ([HELLO, b""], "closed"),
        ([b"no RESP"], "no RESP"),
        ([HELLO, b"no RESP"], "no RESP"),
        ([HELLO, b"-ERR odd\r\n"], "ERR odd"),
        ([HELLO, b"*1\r\n$3\r\nodd\r\n"], "odd"),
        ([HELLO, b"*1\r\n$1\r\n\x06\r\n"], "x06"),
        ([HELLO, b"*1\r\n$2\r\n\0\0\r\n"], "x00"),
        ([HELLO, b"*1\r\n$1\r\n\x05\r\n"], "x05"),
        ([HELLO, b"*0\r\n"], r"\[\]"),
        ([HELLO, b":0\r\n"], "0"),
        ([HELLO, b"*2\r\n$1\r\n\x05\r\n$3\r\nodd\r\n"], "odd"),
        ([HELLO, b"-MOVED 7 127.0.0.1:1\r\n"], "MOVED"),
    ],
)
async def test_what_a_server_should_not_say_is_told_to_who_waits(
    tmp_path: Path, answers: list[bytes], why: str
) -> None:
    loop = asyncio.get_running_loop()
    server = await loop.create_unix_server(lambda: Odd(answers), tmp_path / "odd.sock")
    async with opened(f"unix://{tmp_path}/odd.sock") as store, asyncio.timeout(3):
        with pytest.raises(StoreUnavailable, match=why):
            await committed(store, commit())
    server.close()


async def test_a_verdict_that_cannot_be_taken_spares_the_others(
    redis_server: Server, caplog: pytest.LogCaptureFixture
) -> None:
    def settle(_: object) -> None:
        raise RuntimeError("a mistake of ours")

    async with opened(redis_server.url) as store:
        await store.sessions.create(meta())
        store.sessions.commit(commit(), settle)
        assert await committed(store, commit()) is Verdict.STALE
    assert "a mistake of ours" in caplog.text


async def test_a_ring_that_cannot_be_heard_spares_the_others(
    redis_server: Server, caplog: pytest.LogCaptureFixture
) -> None:
    heard: asyncio.Queue[str] = asyncio.Queue()

    def hear(ring: tuple[str, bytes, bytes]) -> None:
        if ring[0] == ID:
            raise RuntimeError("a mistake of ours")
        heard.put_nowait(ring[0])

    async with opened(redis_server.url) as store:
        running = asyncio.create_task(store.doorbells.run(hear))
        store.doorbells.subscribe(ID)
        store.doorbells.subscribe("b" * 32)
        assert await asyncio.wait_for(heard.get(), 5) == "b" * 32
        running.cancel()
        await asyncio.gather(running, return_exceptions=True)
    assert "a mistake of ours" in caplog.text


async def test_more_commits_than_may_wait_are_told_so(redis_server: Server, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(commits, "OUTSTANDING", 3)
    async with opened(redis_server.url) as store:
        await store.sessions.create(meta())
        for _ in range(2):
            answers = await asyncio.gather(*(committed(store, commit()) for _ in range(5)), return_exceptions=True)
            assert [type(answer) for answer in answers] == [Verdict] * 3 + [StoreUnavailable] * 2


async def test_a_store_that_is_closed_answers_whoever_still_waits(private_server: Server) -> None:
    async with opened(private_server.url) as store:
        await store.sessions.create(meta())
        assert await committed(store, commit()) is Verdict.COMMITTED
        private_server.freeze()
        waiting = [asyncio.create_task(committed(store, commit(session=ID))) for _ in range(2)]
        await asyncio.sleep(0.1)
        waiting.append(asyncio.create_task(committed(store, commit())))
        await asyncio.sleep(0)
        await store.close()
        answers = await asyncio.gather(*waiting, return_exceptions=True)
        private_server.thaw()
    assert [type(answer) for answer in answers] == [StoreUnavailable] * 3


@pytest.mark.parametrize(
    "url",
    [
        "",
        "http://localhost",
        "redis+sentinel://localhost",
        "redis+sentinel://localhost:26379/",
        "redis+sentinel:///constitution",
        "redis+cluster://",
        "redis+cluster://localhost/1",
        "redis+cluster://a:b:c",
        "redis+cluster://a,,b",
        "redis+other://localhost",
    ],
)
def test_a_url_that_is_none_is_refused(url: str) -> None:
    with pytest.raises(ValueError, match=r"\S"):
        topology(url)


@pytest.mark.parametrize(
    "url",
    [
        "redis://user:pass@host:7000/2",
        "rediss://host",
        "unix:///run/redis.sock?db=1",
        "redis+sentinel://:pass@a:26379,b,[::1]:3/constitution",
        "rediss+sentinel://a,b/constitution/2",
        "redis+cluster://user:pass@a:7000,b:7001,[::1]",
        "rediss+cluster://a?ssl_cert_reqs=none",
    ],
)
def test_a_url_names_servers_without_connecting(url: str) -> None:
    named = topology(url)
    assert (named.access.tls is None) == (not url.startswith("rediss"))
    assert named.access.password == ("pass" if "pass" in url else "")
    assert named.access.database == (int(url[-1]) if url[-1] in "12" else 0)
