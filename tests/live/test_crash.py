"""A service that is killed, or whose store fails it: nothing acknowledged is lost, and nothing is done twice."""

import asyncio
import contextlib
import json
import random
from pathlib import Path

import httpx
import pytest
import websockets
from redis import Redis

from service.app import create_app
from service.ports import StoredSession
from service.store.memory import MemorySessions, MemoryStore
from service.store.redis import keys
from tests.conftest import now
from tests.live.client import PATIENCE, Guest, Message, bearer, guest, opened, place, watching
from tests.live.replica import Replica, replica
from tests.servers import ON_DISK, WHEEL, server
from tests.web.running import served

LINES = json.loads((Path(__file__).parents[1] / "golden" / "winning-lines.json").read_text())
KILLS = 3
SIGKILL = -9


@pytest.mark.parametrize("seed", [80, 81])
async def test_a_service_that_is_killed_forgets_nothing_and_does_nothing_twice(
    service: str, redis_url: str, tmp_path: Path, seed: int
) -> None:
    line, chance = LINES[0], random.Random(seed)
    acked: list[str] = []
    async with guest(service) as player:
        session = await player.deal(line["deal"], rules=line["preset"])
        for _ in range(KILLS):
            end = len(acked) + chance.randrange(10, 60), chance.uniform(0, 0.002)
            with replica(redis_url, tmp_path / "log") as doomed:
                with contextlib.suppress(websockets.ConnectionClosed):
                    await play_on(doomed, session, player, line["moves"], acked, end)
                assert doomed.process.returncode == SIGKILL
                assert len(acked) < len(line["moves"])
        with replica(redis_url, tmp_path / "log") as last:
            await play_on(last, session, player, line["moves"], acked)
        async with httpx.AsyncClient(base_url=service, headers=bearer(player), timeout=PATIENCE) as http:
            # on a connection of its own: the guest's has been idle for so long that the service may just close it
            events = (await http.get(f"/v1/sessions/{session['id']}/events?after=0")).json()["events"]

    assert [event["move"] for event in events] == line["moves"]
    assert [event["crc"] for event in events] == acked


async def play_on(
    running: Replica,
    session: Message,
    player: Guest,
    moves: list[str],
    acked: list[str],
    end: tuple[int, float] | None = None,
) -> None:
    """Resumes from the last ack, repeats the command that had none, and plays on; notes the checksum of every ack.

    `end`: at which move the service is killed, and how many seconds after that was begun
    """
    crcs = ["00000000", *acked]
    async with watching(running.url, session, player, seq=len(acked), crc=crcs[-1]) as socket:
        _, *missed, subbed = map(json.loads, socket.heard)
        assert subbed["type"] == "subbed", "what was acknowledged is in the log"
        assert [event["move"] for event in missed] in ([], moves[len(acked) : len(acked) + 1])
        for at in range(len(acked), len(moves)):
            if end and at == end[0]:
                asyncio.get_running_loop().call_later(end[1], running.kill)
            ack = await socket.ask("play", session=session["id"], move=moves[at], at=at, crc=crcs[-1])
            assert (ack["type"], ack["seq"]) == ("ack", at + 1)
            crcs.append(ack["crc"])
            acked.append(ack["crc"])


async def test_a_store_that_goes_away_costs_no_move_and_no_socket(tmp_path: Path) -> None:
    (tmp_path / "data").mkdir()
    with server(WHEEL, *ON_DISK, data=tmp_path / "data") as store, replica(store.url, tmp_path / "log") as running:
        async with guest(running.url) as player:
            session = await player.deal()
            move = {"session": session["id"], "move": "b1G", **place(session)}
            async with watching(running.url, session, player) as socket:
                store.kill()
                refused = await socket.ask("play", **move)
                async with opened(running.url, session["id"]) as other:
                    await other.say("hello", v=1)
                    messages, code = await other.farewell()
                store.start()
                ack = await socket.ask("play", **move)

    assert (refused["code"], refused["session"], refused["at"]) == ("unavailable", session["id"], 0)
    assert (messages[-1], code) == ({"type": "bye", "code": "unavailable", "retry_ms": 1000}, 4003)
    assert (ack["type"], ack["seq"]) == ("ack", 1)


async def test_a_damaged_log_closes_its_sockets_for_good(service: str, redis_url: str) -> None:
    async with guest(service) as player:
        session = await player.play(await player.deal(), "b1G")
        async with watching(service, session) as spectator:
            with Redis.from_url(redis_url) as control:
                control.setrange(keys.session_log(session["id"]), 0, b"\xff")
                control.spublish(keys.session_channel(session["id"]), "")
            farewell = await spectator.farewell()

    assert farewell == ([{"type": "bye", "code": "corrupt", "retry_ms": None}], 4510)


@pytest.mark.parametrize("is_noticed_by", ["a ring", "a move"])
async def test_a_session_that_expires_closes_its_sockets_for_good(
    service: str, redis_url: str, is_noticed_by: str
) -> None:
    async with guest(service) as player:
        session = await player.deal()
        async with watching(service, session, player) as socket:
            with Redis.from_url(redis_url) as control:
                control.delete(keys.session_meta(session["id"]))
                if is_noticed_by == "a ring":
                    control.spublish(keys.session_channel(session["id"]), "")
                else:
                    await socket.say("play", session=session["id"], move="b1G", **place(session))
            farewell = await socket.farewell()

    assert farewell == ([{"type": "bye", "code": "no_such_session", "retry_ms": None}], 4504)


class Mistaken(MemorySessions):
    """Sessions that cannot be read, for a reason that nobody thought of."""

    async def load(self, session: str) -> StoredSession | None:
        raise ZeroDivisionError("a mistake")


async def test_a_mistake_of_the_server_closes_the_socket_with_a_code_and_is_logged(
    caplog: pytest.LogCaptureFixture,
) -> None:
    store = MemoryStore(now, session_ttl=0)
    store.sessions = Mistaken(now, 0, store.doorbells)
    with served(create_app(store, cached_sessions=1)) as url:
        async with opened(url, "a") as socket:
            await socket.say("hello", v=1)
            messages, code = await socket.farewell()
        async with httpx.AsyncClient(base_url=url) as http:
            assert (await http.get("/readyz")).is_success

    assert (messages[-1], code) == ({"type": "bye", "code": "failed", "retry_ms": 1000}, 4011)
    assert "a request on a socket failed" in caplog.text
    assert "ZeroDivisionError: a mistake" in caplog.text
