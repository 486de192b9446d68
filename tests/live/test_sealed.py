"""Whoever watches a run of a day: its player alone, until it is unsealed, of which every watcher is told."""

import time
from collections.abc import AsyncIterator

import httpx
import pytest

from service.ports import SeatHolder, SessionMeta
from service.ports.daily import Day, Run, RunKind
from service.store.redis.store import RedisStore
from tests.live.client import Guest, Message, guest, opened, resume, topic, watching, welcomed

MINUTE_MS = 60_000


@pytest.fixture
async def store(redis_url: str) -> AsyncIterator[RedisStore]:
    store = RedisStore(redis_url, session_ttl=0)
    yield store
    await store.close()


async def dealt(store: RedisStore, player: Guest) -> Message:
    """A run of the player's, as the player sees it."""
    now = time.time_ns() // 1_000_000
    meta = SessionMeta(
        id="5ea1ed00" * 4,
        rules="modern",
        deal="pysol:1",
        secret=True,
        spectators=False,
        engine=1,
        created=now,
        updated=now,
        status="playing",
        is_open=True,
        mode="solo",
        capacity=1,
        invite="",
        seats=(SeatHolder(player.id, "Ann"),),
        run=Run(Day("2026-11-30", "modern"), RunKind.FIRST, now + MINUTE_MS),
    )
    assert await store.sessions.create(meta)
    session: Message = (await player.http.get(f"/v1/sessions/{meta.id}")).json()
    return session


async def test_a_watcher_is_told_that_its_run_is_unsealed_and_others_may_watch_then(
    replicas: tuple[str, str], store: RedisStore
) -> None:
    here, there = replicas
    async with guest(here) as ann:
        run = await dealt(store, ann)
        run = await ann.play(run, "b1G")
        async with watching(here, run, ann) as one, watching(there, run, ann) as other:
            await store.sessions.unseal(run["id"])
            told = [await socket.hear() for socket in (one, other)]
            assert (await one.ask("undo", session=run["id"], at=1, crc=run["crc"]))["code"] == "session_over"

        for message in told:
            assert message["type"] == "snapshot"
            session = message["session"]
            assert (session["status"], session["deal"], session["legal"]) == ("expired", "pysol:1", [])
        async with opened(there, run["id"]) as spectator:
            await spectator.say("hello", v=1)
            assert (await spectator.hear_until("snapshot"))[-1]["session"]["status"] == "expired"


async def test_whoever_comes_back_after_a_run_was_unsealed_is_told_so(service: str, store: RedisStore) -> None:
    async with guest(service) as ann:
        run = await dealt(store, ann)
        path = f"/v1/sessions/{run['id']}"
        read = await ann.http.get(path)
        await store.sessions.unseal(run["id"])
        async with opened(service, run["id"], additional_headers={"Authorization": f"Bearer {ann.token}"}) as socket:
            await socket.say("hello", v=1, **resume(run))
            told = (await socket.hear_until("snapshot"))[-1]
        again = await ann.http.get(path, headers={"If-None-Match": read.headers["etag"]})

    assert told["session"]["status"] == "expired"
    assert (again.status_code, again.json()["deal"]) == (200, "pysol:1")


async def test_nobody_else_reaches_a_run_that_is_over_but_sealed(service: str, store: RedisStore) -> None:
    async with guest(service) as ann, guest(service) as bob, httpx.AsyncClient(base_url=service) as public:
        run = await dealt(store, ann)
        run = await ann.command("resign", run)
        assert (run["status"], run["secret"], run["deal"]) == ("resigned", True, None)
        path = f"/v1/sessions/{run['id']}"
        for client in (bob.http, public):
            for page in ("", "/record", "/history", "/winnable", "/analysis", "/events?after=0", "/stream"):
                answer = await client.get(path + page)
                assert (page, answer.status_code) == (page, 403)
                assert "pysol" not in answer.text
        for player in (bob, None):
            async with welcomed(service, player) as socket:
                await socket.say("sub", topic=topic(run))
                assert (await socket.hear())["code"] == "not_for_spectators"
        for page in ("/record", "/winnable", "/analysis"):
            assert (await ann.http.get(path + page)).json()["code"] == "still_secret"
