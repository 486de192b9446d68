"""All kinds of traffic, so that everything that a service counts has something to count."""

import asyncio
import contextlib
from collections.abc import Callable
from contextlib import AbstractContextManager

import httpx
import websockets

from tests.live.client import PATIENCE, Guest, Message, guest, opened, place, resume, watching, welcomed

WRONG_PLACE: Message = {"seq": 1, "crc": "00000bad"}
FOREIGN = {"Origin": "https://example.org"}


async def everything(
    one: str, other: str, door: str, date: str, frozen: Callable[[], AbstractContextManager[None]]
) -> None:
    """A round of all kinds, straight to two replicas and through the proxy; `frozen` has the store hang for a while."""
    await play(one, other, date)
    await play(door, door, date)
    await fail(one, door, frozen)


async def play(url: str, other: str, date: str) -> None:
    """A round of all that works, at two replicas, on a day whose challenge is open."""
    async with guest(url) as player:
        session = await _over_sockets(player, url, other)
        await _over_http(player, session)
        await _for_the_board(player, url, f"{date}/modern")
        await _turned_away(url)


async def fail(url: str, door: str, frozen: Callable[[], AbstractContextManager[None]]) -> None:
    """A move, and a question of the proxy's, while the store hangs."""
    async with guest(url) as player, httpx.AsyncClient(base_url=door, timeout=PATIENCE) as visitor:
        session = await player.deal()
        async with watching(url, session, player) as socket:
            with frozen():
                said, answer = await asyncio.gather(
                    socket.ask("play", session=session["id"], move="b1G", **place(session)), visitor.get("/readyz")
                )
    assert (said["type"], said["code"]) == ("refused", "unavailable")
    assert answer.status_code == 503, answer.text


async def _over_sockets(player: Guest, url: str, other: str) -> Message:
    """Moves that are taken, refused and stale, told at the other replica too; who comes back resumes, or is reset."""
    session = await player.deal()
    async with watching(url, session, player) as mine, watching(other, session) as theirs:
        ack = await mine.ask("play", session=session["id"], move="b1G", **place(session))
        refused = await mine.ask("play", session=session["id"], move="a1G", **place(ack))
        stale = await mine.ask("play", session=session["id"], move="g2b1", **place(session))
        assert (ack["type"], refused["type"], stale["type"]) == ("ack", "refused", "stale")
        await theirs.reach(1)
    async with watching(url, session, **resume(session)) as back:
        assert [message for message in back.heard if '"event"' in message]
    async with watching(url, session, **WRONG_PLACE) as lost:
        assert [message for message in lost.heard if '"reset"' in message]
    return session | ack


async def _over_http(player: Guest, session: Message) -> None:
    """A move, a hint, and a stream that is opened and left."""
    path = f"/v1/sessions/{session['id']}"
    session = await player.play(session, "g2b1")
    assert (await player.http.post(f"{path}/hint", json=place(session))).is_success
    async with player.http.stream("GET", f"{path}/stream") as stream:
        assert stream.is_success
        await anext(stream.aiter_lines())


async def _for_the_board(player: Guest, url: str, day: str) -> None:
    """A run of the day that ends, which those who watch its board are told."""
    async with welcomed(url) as socket:
        await socket.say("sub", topic=f"board:{day}/first/newcomers")
        before = await socket.hear()
        run = (await player.http.post(f"/v1/daily/{day}/run", json={})).json()
        [move, *_] = run["legal"]
        await player.command("resign", await player.play(run, move["move"]))
        after = await socket.hear()
    assert after["board"]["size"] == before["board"]["size"] + 1
    assert (await player.http.get(f"/v1/leaderboards/daily/{day}", params={"field": "newcomers"})).is_success


async def _turned_away(url: str) -> None:
    """A page of somebody else's."""
    with contextlib.suppress(websockets.InvalidStatus):
        async with opened(url, None, additional_headers=FOREIGN):
            raise AssertionError("it was let in")
