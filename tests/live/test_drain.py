"""A service that is told to stop under load loses nothing that it acknowledged, and sends everybody elsewhere."""

import asyncio
import contextlib
import json
import resource
import signal
import time
from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest
import websockets
from redis import Redis

from service.engine.log import ENTRY_BYTES, crc_of
from service.protocol.close import Close
from service.protocol.messages import format_crc
from service.serving import DRAIN_SECONDS, SHUTDOWN_SECONDS
from service.store.redis import keys
from service.web.sockets import FIRST_RETRY_MS, RETRY_STEP_MS
from tests.live.client import Guest, Message, Socket, eventually, guest, opened, place, resume, watching
from tests.live.raw import Op, Raw, frame, raw
from tests.live.replica import replica
from tests.live.test_slow_reader import unread

MOVERS = 20
SPECTATORS = 99  # of each mover's session
HELLO = frame(Op.TEXT, b'{"type":"hello","v":1}')
FILES = 5000  # more than the sockets that one process has open
BEFORE = 0.5  # seconds of play


class Mover:
    """Plays to and fro until it is sent away; `crcs` are the checksums that were acknowledged, entry by entry."""

    def __init__(self, socket: Socket, session: Message, player: Guest) -> None:
        self.socket, self.session, self.player = socket, session["id"], player
        self.crcs = [session["crc"]]
        self.bye: Message = {}

    async def play(self) -> None:
        """Says two commands at a time, so that one is under way whenever the end comes."""
        while not self.bye:
            for at in (len(self.crcs), len(self.crcs) + 1):
                with contextlib.suppress(websockets.ConnectionClosed):
                    await self.socket.say("undo" if at % 2 else "redo", session=self.session, at=at)
            for _ in range(2):
                await self._hear_answer()

    async def _hear_answer(self) -> None:
        if self.bye:
            return
        answer = (await self.socket.hear_until("ack", "refused", "stale", "bye"))[-1]
        if answer["type"] == "bye":
            self.bye = answer
        else:
            assert (answer["type"], answer["at"]) == ("ack", len(self.crcs))
            self.crcs.append(answer["crc"])


@pytest.fixture
def many_files() -> Iterator[None]:
    """Lets this process, and those that it starts, have many sockets open."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (max(soft, FILES), hard))
    yield
    resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))


@pytest.mark.usefixtures("many_files")
async def test_a_service_that_is_stopped_under_load_loses_no_ack_and_its_clients_go_on_elsewhere(
    service: str, redis_url: str, tmp_path: Path
) -> None:
    async with contextlib.AsyncExitStack() as stack:
        stopped = stack.enter_context(replica(redis_url, tmp_path / "log"))
        movers, watchers = await gathered(stack, stopped.url)
        playing = [asyncio.create_task(mover.play()) for mover in movers]
        hearing = [asyncio.create_task(farewell(link)) for link in watchers]
        await asyncio.sleep(BEFORE)
        begin = time.monotonic()
        assert await asyncio.to_thread(stopped.stop) == 0
        assert time.monotonic() - begin < DRAIN_SECONDS
        await asyncio.gather(*playing)
        farewells = await asyncio.gather(*hearing)
        codes = [code for _, code in farewells] + [(await mover.socket.farewell())[1] for mover in movers]
        assert stopped.log == ""

        byes = [bye for bye, _ in farewells] + [mover.bye for mover in movers]
        assert len(byes) == 2000
        first, last = FIRST_RETRY_MS, FIRST_RETRY_MS + RETRY_STEP_MS * len(byes)
        assert sorted(bye["retry_ms"] for bye in byes) == [*range(first, last, RETRY_STEP_MS)]
        assert {(bye["type"], bye["code"]) for bye in byes} == {("bye", "going_away")}
        assert set(codes) == {Close.GOING_AWAY}
        for mover in movers:
            await goes_on(service, redis_url, mover)


async def gathered(stack: contextlib.AsyncExitStack, url: str) -> tuple[list[Mover], list[Raw]]:
    """Movers, each in a session of their own, and those who watch them."""
    movers, watchers = list[Mover](), list[Raw]()
    for _ in range(MOVERS):
        player = await stack.enter_async_context(guest(url))
        session = await player.play(await player.deal(), "b1G")
        socket = await stack.enter_async_context(watching(url, session, player))
        movers.append(Mover(socket, session, player))
        for _ in range(SPECTATORS):
            link = await stack.enter_async_context(raw(url, f"/v1/sessions/{session['id']}/live"))
            await link.send(HELLO)
            while not any(b'"snapshot"' in frame.payload for frame in await link.frames()):
                pass
            watchers.append(link)
    return movers, watchers


async def farewell(link: Raw) -> tuple[Message, int | None]:
    """The last that is said on a link, and the code it is closed with."""
    last = b""
    while frames := await link.frames():
        *told, final = frames
        if final.op is Op.CLOSE:
            await link.send(frame(Op.CLOSE, final.payload))
            return json.loads(told[-1].payload if told else last), final.code
        last = final.payload
    raise AssertionError("hung up on")


async def goes_on(url: str, redis_url: str, mover: Mover) -> None:
    """All that was acknowledged is in the log, and nothing else; and play goes on from there on another replica."""
    assert len(mover.crcs) > 2, "it has played"
    with Redis.from_url(redis_url) as control:
        log = control.get(keys.session_log(mover.session))
    ends = range(ENTRY_BYTES, len(log) + 1, ENTRY_BYTES)
    assert [format_crc(crc_of(log[:end])) for end in ends] == mover.crcs
    session = {"id": mover.session, "seq": len(mover.crcs), "crc": mover.crcs[-1]}
    async with watching(url, session, mover.player, **resume(session)) as socket:
        assert [json.loads(text)["type"] for text in socket.heard] == ["welcome", "subbed"]
        ack = await socket.ask("undo" if session["seq"] % 2 else "redo", session=session["id"], **place(session))
    assert (ack["type"], ack["seq"]) == ("ack", session["seq"] + 1)


async def test_a_poll_is_answered_at_once(redis_url: str, tmp_path: Path) -> None:
    with replica(redis_url, tmp_path / "log") as stopped:
        async with guest(stopped.url) as player:
            session = await player.deal()
            path = f"/v1/sessions/{session['id']}/events"
            player.http.timeout = httpx.Timeout(30)
            polls = [asyncio.create_task(player.http.get(path, params={"after": 0, "wait": 25})) for _ in range(5)]
            await asyncio.sleep(0.2)
            assert await asyncio.to_thread(stopped.stop) == 0
            answers = [(poll.status_code, poll.json()) for poll in await asyncio.gather(*polls)]
        log = stopped.log

    assert answers == 5 * [(200, {"events": []})]
    assert log == ""


async def test_whoever_waits_for_the_solver_is_sent_on_at_once(redis_url: str, tmp_path: Path) -> None:
    with replica(redis_url, tmp_path / "log") as stopped:
        async with guest(stopped.url) as player:
            asked = [
                asyncio.create_task(player.http.get(f"/v1/deals/{deal}", params={"rules": "cadogan"}))
                for deal in range(100)
            ]
            await asyncio.wait(asked, return_when=asyncio.FIRST_COMPLETED)
            begin = time.monotonic()
            assert await asyncio.to_thread(stopped.stop) == 0
            took = time.monotonic() - begin
            answers = [answer.status_code for answer in await asyncio.gather(*asked)]
        log = stopped.log

    assert {*answers} == {200, 503}
    assert answers.count(503) > 50
    assert took < SHUTDOWN_SECONDS, "nobody was cut off"
    assert log == ""


async def test_readiness_ends_first_and_whoever_still_comes_is_sent_on(redis_url: str, tmp_path: Path) -> None:
    with replica(redis_url, tmp_path / "log") as stopped, contextlib.ExitStack() as stack:
        async with guest(stopped.url) as player:
            session = await player.play(await player.deal(), "b1G")
            async with watching(stopped.url, session, player) as socket:
                for at in range(1, 300):
                    await socket.ask("undo" if at % 2 else "redo", session=session["id"], at=at)
                stack.enter_context(unread(stopped.url, session["id"]))  # keeps it from stopping at once
                assert (await player.http.get("/readyz")).status_code == 200
                begin = time.monotonic()
                stopped.process.terminate()
                assert (await socket.farewell())[1] == 4000
            refused = await player.http.get("/readyz")
            assert (await player.http.get("/livez")).status_code == 200
            late_poll = await player.http.get(f"/v1/sessions/{session['id']}/events?after=300&wait=25")
            assert late_poll.json() == {"events": []}
            async with opened(stopped.url, session["id"]) as late:
                assert [bye["type"] for bye in (await late.farewell())[0]] == ["bye"]
            await eventually(lambda: stopped.process.poll() is not None)
            took = time.monotonic() - begin

    assert (refused.status_code, refused.json()["code"]) == (503, "going_away")
    assert refused.headers["content-type"] == "application/problem+json"
    assert (stopped.process.returncode, stopped.log) == (0, "")
    assert DRAIN_SECONDS < took < DRAIN_SECONDS + SHUTDOWN_SECONDS, "whoever does not read is cut off"


async def test_a_service_that_gives_notice_plays_on_meanwhile(redis_url: str, tmp_path: Path) -> None:
    with replica(redis_url, tmp_path / "log", NOTICE_SECONDS="2") as service:
        async with guest(service.url) as player:
            session = await player.deal("1")
            before = time.monotonic()
            service.process.terminate()
            async with asyncio.timeout(1):
                while (await player.http.get("/readyz")).status_code != 503:  # noqa: ASYNC110 - another process
                    await asyncio.sleep(0.02)
            async with watching(service.url, session, player) as socket:
                move = session["legal"][0]["move"]
                await socket.say("play", session=session["id"], at=0, crc=session["crc"], move=move)
                assert (await socket.hear_until("ack"))[-1]["seq"] == 1
                messages, code = await socket.farewell()
            assert (messages[-1]["type"], code) == ("bye", 4000)
            assert time.monotonic() - before >= 2


async def test_whoever_presses_ctrl_c_twice_does_not_wait_for_those_who_do_not_read(
    redis_url: str, tmp_path: Path
) -> None:
    with replica(redis_url, tmp_path / "log") as stopped:
        async with guest(stopped.url) as player:
            session = await player.deal()
            async with watching(stopped.url, session) as socket:
                with contextlib.ExitStack() as stack:
                    stack.enter_context(unread(stopped.url, session["id"]))
                    stopped.process.send_signal(signal.SIGINT)
                    assert (await socket.farewell())[1] == Close.GOING_AWAY
                    stopped.process.send_signal(signal.SIGINT)
                    await eventually(lambda: stopped.process.poll() is not None, within=DRAIN_SECONDS / 2)
