"""However a client or the service goes, nothing is left behind and nothing complains."""

import asyncio
import random
from pathlib import Path

from redis import Redis

from service.protocol.close import Close
from service.serving import MAX_FRAME
from service.store.redis import keys
from service.web.sockets import FIRST_RETRY_MS, RETRY_STEP_MS
from tests.live.client import Message, eventually, guest, place, watching
from tests.live.replica import replica

VISITORS = 100


async def nobody_listens(redis_url: str, session: Message) -> None:
    """Returns once no service has anybody who watches the session."""
    with Redis.from_url(redis_url) as control:
        channel = keys.session_channel(session["id"])
        await eventually(lambda: control.pubsub_shardnumsub(channel) == [(channel.encode(), 0)])


async def test_clients_that_vanish_in_mid_command_leave_nobody_watching(service: str, redis_url: str) -> None:
    chance = random.Random(80)
    async with guest(service) as player:
        session = await player.deal()

        async def visit() -> None:
            async with watching(service, session, player) as socket:
                socket.burst("play", 10, session=session["id"], move="b1G", **place(session))
                for _ in range(chance.randrange(5)):
                    await socket.hear()
                socket.link.transport.abort()

        for _ in range(VISITORS // 10):
            await asyncio.gather(*(visit() for _ in range(10)))
    await nobody_listens(redis_url, session)


async def test_clients_that_are_cut_off_among_events_leave_nobody_watching(service: str, redis_url: str) -> None:
    async with guest(service) as player:
        session = await player.play(await player.deal(), "b1G")
        async with watching(service, session, player) as mover:

            async def play() -> None:
                while True:
                    await mover.ask("undo" if mover.seq % 2 else "redo", session=session["id"], at=mover.seq)

            async def visit() -> int:
                async with watching(service, session) as socket:
                    await socket.hear_until("event")
                    await socket.link.send("x" * (MAX_FRAME + 1))
                    _, code = await socket.farewell()
                    return code

            playing = asyncio.create_task(play())
            for _ in range(VISITORS // 20):
                assert await asyncio.gather(*(visit() for _ in range(20))) == 20 * [1009]
            playing.cancel()
            await asyncio.gather(playing, return_exceptions=True)
    await nobody_listens(redis_url, session)


async def test_a_service_that_is_stopped_says_that_it_restarts_and_ends_well(redis_url: str, tmp_path: Path) -> None:
    with replica(redis_url, tmp_path / "log") as running:
        async with guest(running.url) as player:
            session = await player.deal()
            async with watching(running.url, session, player) as mine, watching(running.url, session) as theirs:
                stopping = asyncio.create_task(asyncio.to_thread(running.stop))
                farewells = [await socket.farewell() for socket in (mine, theirs)]
                status = await stopping
        log = running.log

    assert (status, log) == (0, "")
    assert {code for _, code in farewells} == {Close.GOING_AWAY}
    byes = [bye for [bye], _ in farewells]
    assert sorted(bye.pop("retry_ms") for bye in byes) == [FIRST_RETRY_MS, FIRST_RETRY_MS + RETRY_STEP_MS]
    assert byes == 2 * [{"type": "bye", "code": "going_away"}]
