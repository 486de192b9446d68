"""A player of a day's challenge, or somebody without a token: what they do, and all that they are sent."""

import contextlib
import json
import random
from collections.abc import AsyncIterator, Callable, Coroutine
from typing import Any, Self

import httpx

from service.ports.daily import Day
from tests.live.client import LIMITS, Guest, Message, Socket, watching, welcomed
from tests.live.day_ear import DayEar, Secrets
from tests.live.test_secrecy import command

WATCHED = ("first/newcomers", "open/newcomers", "speed/people")
"""The boards that a socket is shown."""
Request = Callable[[], Coroutine[Any, Any, httpx.Response]]

SEARCHING = 60.0  # seconds that a hint may take, on cores that others use too


class Viewer(Guest):
    """A player, or anybody without a token, and the ear that hears all that they are sent."""

    def __init__(self, url: str, secrets: Secrets, day: Day, chance: random.Random) -> None:
        hooks = {"response": [self._hear]}
        self.http = httpx.AsyncClient(base_url=url, timeout=SEARCHING, limits=LIMITS, event_hooks=hooks)
        self.ear, self.day, self._chance, self._url = DayEar(secrets), day, chance, url
        self.run: Message = {}
        self.live: Socket | None = None
        self._watched = ""
        self.told = 0
        """How often it was told something that it had not asked for just then."""

    async def _hear(self, answer: httpx.Response) -> None:
        if "event-stream" not in answer.headers.get("content-type", ""):
            await answer.aread()
            self.ear.answer(answer)

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.http.aclose()

    async def sign_up(self, bot: bool = False) -> None:
        super().__init__(self.http, (await self.http.post("/v1/players", json={"bot": bot})).json())

    async def begin(self, **body: object) -> httpx.Response:
        answer = await self.http.post(f"/v1/daily/{self.day}/run", json=body)
        if answer.is_success:
            self.run = answer.json()
        return answer

    async def act(self) -> None:
        """Sends a command that may be right or wrong, or begins another run where this one is over."""
        if self.run["status"] in {"won", "resigned"}:
            await self.begin()
            await self.begin(kind="open")
        path = f"/v1/sessions/{self.run['id']}"
        name, body = command(self._chance, self.run)
        await self.http.post(f"{path}/{name}", json=body)
        self.run = (await self.http.get(path)).json()
        await self.hear_socket()

    async def hear_socket(self) -> None:
        """Hears what the socket says of the run that it is for, as far as the viewer has gone in it."""
        if self.live and self._watched == self.run["id"]:
            await self.live.reach(self.run["seq"])
            self.ear.frames(self.live)

    async def blunder(self) -> None:
        """Sends what is refused, one way or another."""
        path = f"/v1/sessions/{self.run.get('id', 'none')}"
        late = {"If-Match": '"0-00000000"'}
        requests: list[Request] = [
            lambda: self.http.post(f"{path}/moves", content=b"{"),
            lambda: self.http.post(f"{path}/moves", json={"move": "a1G"}, headers=late),
            lambda: self.http.post(f"{path}/moves", json={"move": "z9"}),
            lambda: self.http.post(f"{path}/moves", json={"move": "S", "at": 0, "crc": "ffffffff"}),
            lambda: self.http.post(f"{path}/join", json={"invite": "7KQ2M-9XV"}),
            lambda: self.http.post(f"{path}/leave", json={}),
            lambda: self.http.post(f"{path}/consent", json={"count": 1}),
            lambda: self.http.post(f"{path}/resign", content=b"x" * 20_000),
            lambda: self.http.put(path),
            lambda: self.http.get(path, headers={"Authorization": "Bearer none"}),
            lambda: self.begin(kind="open", points=9_000),
            lambda: self.http.patch("/v1/players/me", json={"name": "admin"}),
        ]
        await self._chance.choice(requests)()

    async def look(self, count: int) -> None:
        """Reads some of what there is to read."""
        date, rules = self.day
        pages = [f"/v1/daily/{date}/{rules}", f"/v1/daily/today/{rules}", f"/v1/daily/2026-12-01/{rules}"]
        pages += [f"/v1/daily/2026-12-24/{rules}", f"/v1/daily/yesterday/{rules}", "/v1/nowhere", "/readyz"]
        board = f"/v1/leaderboards/daily/{date}/{rules}"
        pages += [f"{board}?field={field}&scope={scope}" for scope, _, field in (one.partition("/") for one in WATCHED)]
        pages += [f"{board}?view={view}&field=newcomers" for view in ("me", "following", "none")]
        pages += [f"/v1/leaderboards/{period}/{rules}" for period in ("week", "month", "all")]
        pages += ["/v1/players/me", f"/v1/players/me/days/{rules}", "/v1/sessions", "/v1/sessions?limit=1"]
        pages += [f"/v1/deals/42?wait=0&rules={rules}"]
        if self.run:
            own = ("", "/record", "/history", "/events?after=0", "/events?after=999", "/winnable", "/analysis", "/none")
            pages += [f"/v1/sessions/{self.run['id']}{page}" for page in own]
        for page in self._chance.sample(pages, min(count, len(pages))):
            await self.http.get(page)

    async def listen(self, path: str) -> None:
        """Hears server-sent events, until it is cancelled."""
        async with self.http.stream("GET", path) as answer:
            around: list[str] = []
            async for line in answer.aiter_lines():
                name, _, data = line.partition(": ")
                if name == "data":
                    self.ear.message(json.loads(data))
                    self.told += 1
                elif line:
                    around.append(line)
                else:  # the end of an event, whose id names the place that its data told of
                    self.ear.line("\n".join(around))
                    around.clear()

    async def watch_boards(self) -> None:
        """Hears what a socket is shown of the day's boards, until it is cancelled."""
        async with welcomed(self._url, self) as socket:
            for board in WATCHED:
                await socket.say("sub", topic=f"board:{self.day}/{board}")
            while True:
                with contextlib.suppress(TimeoutError):  # for a while nothing may change
                    assert (await socket.hear())["type"] == "board"
                    self.ear.frames(socket)
                    self.told += 1

    @contextlib.asynccontextmanager
    async def watch_run(self) -> AsyncIterator[None]:
        """Has the viewer's commands heard on a socket too, while it is open."""
        async with watching(self._url, self.run, self) as self.live:
            self._watched = self.run["id"]
            yield
