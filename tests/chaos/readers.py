"""Spectators who cannot open a socket: by long polls, and by a stream of server-sent events."""

import asyncio

from tests.chaos.client import ANSWER, Client, Message

POLL = 0.5  # seconds
STREAM = 5.0  # seconds for which one is read, on average


class Poller(Client):
    """One that asks again and again for what comes after its place."""

    async def visit(self, door: str) -> None:
        url = f"http://{door}/v1/sessions/{self.session}"
        if self.place is None:
            if session := await self._get(url):
                self.begin("snapshot", session)
            return
        seq, crc = self.place
        got = await self._get(f"{url}/events", after=seq, crc=crc, wait=POLL)
        if reset := got.get("reset"):
            self.begin("reset", reset)
        for event in got.get("events") or ():
            self.hear_event(event)

    async def _get(self, url: str, **query: str | float) -> Message:
        answer = await self.http.get(url, params=query, timeout=POLL + ANSWER)
        if answer.is_success:
            got: Message = answer.json()
            return got
        self.turned_away(answer.status_code, answer.text)
        return {}


class Reader(Client):
    """One that reads a stream."""

    async def visit(self, door: str) -> None:
        query: dict[str, str | int] = {} if self.place is None else {"after": self.place[0], "crc": self.place[1]}
        url = f"http://{door}/v1/sessions/{self.session}/stream"
        async with (
            asyncio.timeout(self.chance.expovariate(1 / STREAM)),
            self.http.stream("GET", url, params=query) as answer,
        ):
            if not answer.is_success:
                await answer.aread()
                self.turned_away(answer.status_code, answer.text)
                return
            async for line in answer.aiter_lines():
                if line.startswith("data: "):
                    self.hear(line.removeprefix("data: "))
