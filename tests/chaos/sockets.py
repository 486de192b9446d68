"""Clients on sockets: spectators, and players, who play at random."""

import asyncio
import json
from collections.abc import Callable
from typing import Any

import httpx
import websockets
from websockets.asyncio.client import ClientConnection

from tests.chaos.client import ANSWER, Client, Message
from tests.chaos.history import Acked, Sent

THINKING = 0.03
PLAYING = 2.0  # seconds that a player stays on one link, on average
WATCHING = 10.0  # and a spectator
OVER_HTTP = 0.15
TWICE = 0.07
"""How often a command is sent twice at once, as by an impatient client or a proxy that repeats requests."""
UNEXCUSED = {4011, *range(4500, 4600)}


class Spectator(Client):
    """One that only watches."""

    stays = WATCHING

    async def visit(self, door: str) -> None:
        async with websockets.connect(
            f"ws://{door}/v1/sessions/{self.session}/live",
            additional_headers=self.headers,
            open_timeout=ANSWER,
            close_timeout=0.1,
            ping_interval=None,
            max_size=None,
            proxy=None,
        ) as link:
            self.ready = False
            leaves = asyncio.get_running_loop().time() + self.chance.expovariate(1 / self.stays)
            where = {} if self.place is None else {"seq": self.place[0], "crc": self.place[1]}
            await link.send(json.dumps({"type": "hello", "v": 1, **where}))
            await self._hear_until(link, lambda: self.ready)
            while self.quiet or asyncio.get_running_loop().time() < leaves:
                await self.do_something(link)

    async def do_something(self, link: ClientConnection) -> None:
        await self._hear_for(link, 0.1)

    def is_unexcused(self, error: Exception) -> bool:
        return (
            isinstance(error, websockets.ConnectionClosed) and error.rcvd is not None and error.rcvd.code in UNEXCUSED
        )

    async def _hear_for(self, link: ClientConnection, seconds: float) -> None:
        deadline = asyncio.get_running_loop().time() + seconds
        while (left := deadline - asyncio.get_running_loop().time()) > 0:
            try:
                self.hear(await asyncio.wait_for(link.recv(), left))
            except TimeoutError:
                return

    async def _hear_until(self, link: ClientConnection, true: Callable[[], bool]) -> None:
        async with asyncio.timeout(ANSWER):
            while not true():
                self.hear(await link.recv())


class Player(Spectator):
    """One that plays, undoes and sends again what had no answer, over the socket or over HTTP."""

    stays = PLAYING
    _owed = 0
    """The answers to `_asked` that are still to come on this link."""
    _asked: Sent
    _answered_at: tuple[int, str] | None = None
    """The last place that it was brought to over HTTP."""

    async def visit(self, door: str) -> None:
        self._owed = 0
        await super().visit(door)

    async def do_something(self, link: ClientConnection) -> None:
        if self.pending:
            await self._ask(link, self.pending)
        elif self.quiet:
            await super().do_something(link)
        else:
            await self._hear_for(link, self.chance.uniform(0, THINKING))
            await self._hear_until(link, lambda: self.ready)  # it is not where a place was stale
            self.pending = None if self.quiet else self._choose()

    async def _ask(self, link: ClientConnection, sent: Sent) -> None:
        self.witness.sent.add(sent)
        times = 2 if self.chance.random() < TWICE else 1
        if self.chance.random() < OVER_HTTP:
            await asyncio.gather(*(self._ask_over_http(sent) for _ in range(times)))
            return
        self._asked = sent
        message = json.dumps({"type": sent.kind, "session": self.session, **_place_and_detail(sent)})
        for _ in range(times):
            self._owed += 1
            await link.send(message)
        await self._hear_until(link, lambda: not self._owed)

    def begin(self, kind: Any, session: Message) -> None:
        if kind == "snapshot" and self.place and self.place == self._answered_at and session["seq"] < self.place[0]:
            self.ready = True  # it was under way already when the answer came another way
        else:
            super().begin(kind, session)

    def hear_event(self, event: Message, kind: Any = "event") -> None:
        """Takes over an event; one that contradicts an answer over HTTP says that this was lost, so it comes back."""
        is_known = self.place is not None and self.place == self._answered_at and event["seq"] == self.place[0]
        if is_known and kind == "event" and (event["seq"], event["crc"]) != self.place:
            raise ConnectionResetError("what was answered over HTTP is not in the log")
        super().hear_event(event, kind)

    def hear_answer(self, message: Message) -> None:
        if not self._owed:
            super().hear_answer(message)
            return
        self._owed -= 1
        match message:
            case {"type": "ack", "seq": seq, "crc": crc}:
                self.note("ack", message)
                self._answered(self._asked, Acked(self._asked, seq, crc))
            case {"type": "stale", "missed": missed}:
                for event in missed:
                    self.hear_event(event)
                self.ready = bool(missed)
                self._answered(self._asked, None)
            case {"code": "unavailable"}:
                """It may have been entered or not: the same is sent again."""
            case _:
                self._answered(self._asked, None)

    async def _ask_over_http(self, sent: Sent) -> None:
        path = "moves" if sent.kind == "play" else sent.kind
        url = f"http://{self.chance.choice(self.doors)}/v1/sessions/{self.session}/{path}"
        try:
            answer = await self.http.post(url, json=_place_and_detail(sent), headers=self.headers, timeout=ANSWER)
        except httpx.HTTPError:
            return
        if answer.is_success:
            said = answer.json()
            self._answered(sent, Acked(sent, said["seq"], said["crc"]))
            if self.place == (sent.at, sent.crc):
                self.hear_event(said, "answer")  # it has what the event has
                self._answered_at = self.place
        elif answer.status_code in {409, 422}:
            self._answered(sent, None)
        else:
            self.turned_away(answer.status_code, answer.text)

    def _answered(self, sent: Sent, acked: Acked | None) -> None:
        self.pending = None
        if acked:
            self.witness.acked.append(acked)
        else:
            self.witness.denied.append(sent)

    def _choose(self) -> Sent | None:
        """A command on the place that it knows, or sometimes one that is not possible there."""
        assert self.place
        assert self.seat
        state, chance = self.state, self.chance
        choices: list[tuple[Any, str]] = [("play", move["move"]) for move in state["legal"]]
        if state["can_undo"] and (not choices or chance.random() < 0.25):
            choices = [("undo", "group"), ("undo", "step")]
        if state["can_redo"] and chance.random() < 0.3:
            choices = [("redo", "group"), ("redo", "step")]
        if self.seat.is_shared and state["can_undo"] and chance.random() < 0.1:
            choices = [("consent", "1"), ("consent", "2")]
        if chance.random() < 0.03:
            choices = [("play", "a1G"), ("undo", "group"), ("redo", "step")]
        return Sent(*self.place, *chance.choice(choices), self.seat.number) if choices else None


def _place_and_detail(sent: Sent) -> Message:
    """The members of a command, over the socket or over HTTP."""
    place = {"at": sent.at, "crc": sent.crc}
    match sent.kind:
        case "play":
            return {**place, "move": sent.detail}
        case "consent":
            return {**place, "count": int(sent.detail)}
        case _:
            return {**place, "by": sent.detail}
