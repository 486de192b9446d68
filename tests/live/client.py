"""A guest over HTTP, and a socket that is spoken to message by message."""

import asyncio
import contextlib
import json
from collections.abc import AsyncIterator, Callable
from typing import Any

import httpx
import websockets
from websockets.asyncio.client import ClientConnection

PATIENCE = 10.0  # seconds for anything that has to happen
SEARCHING = 30.0  # seconds for an answer, which may take a search, and that has what others leave of the processor
LIMITS = httpx.Limits(keepalive_expiry=2)
"""A service hangs up on who is idle for five seconds, and httpx by itself might begin a request just then."""

Message = dict[str, Any]


class Guest:
    """A player with a client of its own."""

    def __init__(self, http: httpx.AsyncClient, player: Message) -> None:
        self.http, self.id, self.token = http, player["id"], player["token"]
        http.headers["Authorization"] = f"Bearer {self.token}"

    async def deal(self, deal: str = "pysol:1", **asked: Any) -> Message:
        """A new session."""
        return await self._got("/v1/sessions", {"deal": deal, **asked})

    async def play(self, session: Message, *moves: str) -> Message:
        """The session after these moves."""
        for move in moves:
            session = await self._got(f"/v1/sessions/{session['id']}/moves", {"move": move, **place(session)})
        return session

    async def command(self, name: str, session: Message) -> Message:
        """The session after undo, redo, restart or resign."""
        return await self._got(f"/v1/sessions/{session['id']}/{name}", place(session))

    async def ticket(self) -> str:
        ticket: str = (await self._got("/v1/tickets", {}))["ticket"]
        return ticket

    async def _got(self, path: str, body: Message) -> Message:
        answer = await self.http.post(path, json=body)
        assert answer.is_success, answer.text
        got: Message = answer.json()
        return got


@contextlib.asynccontextmanager
async def guest(url: str) -> AsyncIterator[Guest]:
    async with httpx.AsyncClient(base_url=url, timeout=SEARCHING, limits=LIMITS) as http:
        yield Guest(http, (await http.post("/v1/players", json={})).json())


def place(session: Message) -> Message:
    """The members by which a command names the place it was made on."""
    return {"at": session["seq"], "crc": session["crc"]}


def topic(session: Message) -> str:
    return f"session:{session['id']}"


def bearer(player: Guest | None) -> dict[str, str]:
    """The headers that say who it is, if anybody."""
    return {"Authorization": f"Bearer {player.token}"} if player else {}


def resume(session: Message) -> Message:
    """The members by which a hello names the place to resume from."""
    return {"seq": session["seq"], "crc": session["crc"]}


class Socket:
    """A socket to one session; `heard` is every text that came, `seq` how far they told of the session.

    Who is there comes whenever it likes: it is kept in `presence`, and is no message to wait for.
    """

    def __init__(self, link: ClientConnection) -> None:
        self.link = link
        self.heard: list[str] = []
        self.seq = -1
        self.presence: Message = {}

    async def say(self, kind: str, **members: Any) -> None:
        await self.link.send(json.dumps({"type": kind, **members}))

    def burst(self, kind: str, count: int, **members: Any) -> None:
        """Says the same again and again, all in one packet."""
        for _ in range(count):
            self.link.protocol.send_text(json.dumps({"type": kind, **members}).encode())
        self.link.transport.write(b"".join(self.link.protocol.data_to_send()))

    async def hear(self) -> Message:
        """The next message but of presence."""
        message = await self._hear_any()
        while message["type"] == "presence":
            self.presence = message
            message = await self._hear_any()
        match message:
            case {"type": "event" | "subbed", "seq": seq} | {"session": {"seq": seq}}:
                self.seq = seq
        return message

    async def _hear_any(self) -> Message:
        async with asyncio.timeout(PATIENCE):
            text = await self.link.recv()
        assert isinstance(text, str), "every frame is a text"
        self.heard.append(text)
        message: Message = json.loads(text)
        return message

    async def hear_until(self, *kinds: str) -> list[Message]:
        """The next messages up to one of a kind."""
        messages = [await self.hear()]
        while messages[-1]["type"] not in kinds:
            messages.append(await self.hear())
        return messages

    async def reach(self, seq: int) -> None:
        """Hears until it was told of entry `seq`."""
        while self.seq < seq:
            await self.hear()

    async def ask(self, kind: str, **members: Any) -> Message:
        """What becomes of a command: its answer, after whatever comes before it."""
        await self.say(kind, **members)
        return (await self.hear_until("ack", "refused", "stale"))[-1]

    async def farewell(self) -> tuple[list[Message], int]:
        """All messages until the server closes, and the code it closes with."""
        messages = []
        with contextlib.suppress(websockets.ConnectionClosed):
            while True:
                messages.append(await self.hear())
        async with asyncio.timeout(PATIENCE):
            await self.link.wait_closed()
        assert self.link.close_code is not None
        return messages, self.link.close_code


@contextlib.asynccontextmanager
async def opened(url: str, session: str | None, **options: Any) -> AsyncIterator[Socket]:
    """A socket for one session, or for any, on which nothing was said yet."""
    path = "/v1/live" if session is None else f"/v1/sessions/{session}/live"
    async with websockets.connect(url.replace("http", "ws", 1) + path, max_size=None, **options) as link:
        yield Socket(link)


@contextlib.asynccontextmanager
async def welcomed(url: str, player: Guest | None = None) -> AsyncIterator[Socket]:
    """A socket for any sessions, a spectator's or the player's, that has none yet."""
    async with opened(url, None, additional_headers=bearer(player)) as socket:
        await socket.say("hello", v=1)
        assert (await socket.hear())["type"] == "welcome"
        yield socket


@contextlib.asynccontextmanager
async def watching(url: str, session: Message, player: Guest | None = None, **hello: Any) -> AsyncIterator[Socket]:
    """A socket, a spectator's or the player's, that has had its snapshot, or what it missed since `hello`."""
    async with opened(url, session["id"], additional_headers=bearer(player)) as socket:
        await socket.say("hello", v=1, **hello)
        assert (await socket.hear_until("snapshot", "reset", "subbed"))[0]["type"] == "welcome"
        yield socket


async def eventually(true: Callable[[], bool], within: float = PATIENCE) -> None:
    """Returns once a question is answered with yes, which has to be so within some seconds."""
    async with asyncio.timeout(within):
        while not true():  # noqa: ASYNC110 - what is waited for happens in another process
            await asyncio.sleep(0.01)
