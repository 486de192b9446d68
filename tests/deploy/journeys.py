"""What people do through the proxy, whatever the store behind it is."""

import asyncio
import json
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack

import httpx

from tests.deploy.stack import Stack
from tests.live.client import PATIENCE, Message, Socket, guest, place, watching

MOVES = 10


async def play_by_every_way(url: str) -> None:
    """A guest finds the page and deals; moves go by HTTP and by a socket, and a long poll and a stream tell of them."""
    async with httpx.AsyncClient(base_url=url, timeout=PATIENCE, trust_env=False) as anybody, guest(url) as player:
        page = await anybody.get("/")
        assert page.headers["content-type"].startswith("text/html")
        assert "<title>" in page.text
        session = await player.deal()
        path = f"/v1/sessions/{session['id']}"
        async with anybody.stream("GET", f"{path}/stream") as stream, watching(url, session, player) as socket:
            told = _places(stream.aiter_lines())
            assert await anext(told) == 0
            poll = asyncio.create_task(anybody.get(f"{path}/events", params={"after": 0, "wait": PATIENCE}))
            await asyncio.sleep(0.5)  # until it waits
            played = await player.play(session, session["legal"][0]["move"])
            assert [event["seq"] for event in (await poll).json()["events"]] == [1]
            assert await anext(told) == 1, "while the stream is still open"
            await socket.reach(1)
            move = {"move": played["legal"][0]["move"], "at": 1, "crc": played["crc"]}
            assert (await socket.ask("play", session=session["id"], **move))["type"] == "ack"
            assert await anext(told) == 2


async def play_across_replicas(stack: Stack) -> list[str]:
    """Two players of one session on different replicas, and spectators on all, are told every move of both.

    Answers with the replica that each socket was on.
    """
    async with guest(stack.url) as ann, guest(stack.url) as bob, AsyncExitStack() as open_sockets:
        session = await ann.deal(mode="free_hands", seats=2)
        invited = {"invite": session["invite"]}
        (await bob.http.post(f"/v1/sessions/{session['id']}/join", json=invited)).raise_for_status()
        sockets: list[Socket] = []
        homes: list[str] = []
        for player in (ann, bob, None, None, None, None):
            before = await asyncio.to_thread(_sockets, stack)
            sockets.append(await open_sockets.enter_async_context(watching(stack.url, session, player)))
            after = await asyncio.to_thread(_sockets, stack)
            homes += [replica for replica in after if after[replica] > before[replica]]
        assert len(homes) == len(sockets)
        assert homes[0] != homes[1], "the two who play are on different ones"

        places = [await _move(sockets[number % 2], session, number) for number in range(MOVES)]
        for socket in sockets:
            await socket.reach(MOVES)
            events = [event for event in map(json.loads, socket.heard) if event["type"] == "event"]
            assert list(dict.fromkeys((event["seq"], event["crc"]) for event in events)) == places
        return homes


async def _move(socket: Socket, session: Message, at: int) -> tuple[int, str]:
    """The place that a player brings the session to, once the socket was told of entry `at`."""
    await socket.reach(at)
    told = [one for one in map(json.loads, socket.heard) if one["type"] in {"event", "snapshot"}]
    where = told[-1] if at else told[-1]["session"]
    answer = await socket.ask("play", session=session["id"], move=where["legal"][0]["move"], **place(where))
    assert answer["type"] == "ack", answer
    return answer["seq"], answer["crc"]


async def _places(lines: AsyncIterator[str]) -> AsyncIterator[int]:
    """How far each message of a stream tells, as it comes."""
    while True:
        line = await asyncio.wait_for(anext(lines), PATIENCE)
        if line.startswith("data: "):
            match json.loads(line.removeprefix("data: ")):
                case {"seq": seq} | {"session": {"seq": seq}}:
                    yield seq


def _sockets(stack: Stack) -> dict[str, int]:
    """How many sockets each replica has, as it says itself."""
    token = {"Authorization": f"Bearer {stack.secret('metrics_token')}"}
    found = {}
    for replica in stack.containers("service"):
        lines = httpx.get(f"http://{stack.address(replica)}:8000/metrics", headers=token).text.splitlines()
        found[replica] = next(int(float(line.split()[1])) for line in lines if line.startswith("constitution_sockets "))
    return found
