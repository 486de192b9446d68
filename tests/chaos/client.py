"""A client that does all that PROTOCOL.md asks of one, at random, and remembers what it was told."""

import asyncio
import json
from collections.abc import Callable, Sequence
from random import Random
from typing import Any

import httpx
import websockets
from websockets.asyncio.client import ClientConnection

from tests.chaos.history import Acked, Sent, Told, Witness, taken_over

ANSWER = 1.5  # seconds that it waits for an answer before it goes elsewhere
THINKING = 0.03
PLAYING = 2.0  # seconds that a player stays on one link, on average
WATCHING = 10.0  # and a spectator
OVER_HTTP = 0.15
LEFT = (OSError, TimeoutError, websockets.WebSocketException)
UNEXCUSED = {4010, 4011, *range(4500, 4600)}

Message = dict[str, Any]


class Client:
    """One client of a session: a player with a token, or without one a spectator, who never asks for anything."""

    def __init__(
        self, name: str, session: str, token: str | None, doors: Sequence[str], http: httpx.AsyncClient, chance: Random
    ) -> None:
        self.witness = Witness(name)
        self.pending: Sent | None = None
        self.place: tuple[int, str] | None = None
        self.quiet = False
        """Whether it has to end what it began, and only listen then."""
        self._session, self._doors, self._http, self._chance = session, doors, http, chance
        self._is_player = token is not None
        self._headers = {"Authorization": f"Bearer {token}"} if token else {}
        self._state: Message = {}
        self._asked = self._ready = False

    async def run(self) -> None:
        """Comes, plays, goes, and comes back, until it is cancelled."""
        while True:
            door = self._chance.choice(self._doors)
            try:
                async with websockets.connect(
                    f"ws://{door}/v1/sessions/{self._session}/live",
                    additional_headers=self._headers,
                    open_timeout=ANSWER,
                    close_timeout=0.1,
                    ping_interval=None,
                    max_size=None,
                    proxy=None,
                ) as link:
                    await self._talk(link)
            except LEFT as error:
                self._complain_of(error)
            await asyncio.sleep(self._chance.uniform(0, 0.1))

    def _complain_of(self, error: Exception) -> None:
        if isinstance(error, websockets.ConnectionClosed) and error.rcvd and error.rcvd.code in UNEXCUSED:
            self.witness.complaints.append(f"closed with {error.rcvd.code}")

    async def _talk(self, link: ClientConnection) -> None:
        """Returns when it has had enough of this link."""
        self._asked = self._ready = False
        clock = asyncio.get_running_loop().time
        leaves = clock() + self._chance.expovariate(1 / (PLAYING if self._is_player else WATCHING))
        where = {} if self.place is None else {"seq": self.place[0], "crc": self.place[1]}
        await link.send(json.dumps({"type": "hello", "v": 1, **where}))
        await self._hear_until(link, lambda: self._ready)
        while self.quiet or clock() < leaves:
            if self.pending:
                await self._ask(link, self.pending)
            elif self._is_player and not self.quiet:
                await self._hear_for(link, self._chance.uniform(0, THINKING))
                await self._hear_until(link, lambda: self._ready)  # it is not where a place was stale
                self.pending = None if self.quiet else self._choose()
            else:
                await self._hear_for(link, 0.1)

    async def _ask(self, link: ClientConnection, sent: Sent) -> None:
        self.witness.sent.add(sent)
        if self._chance.random() < OVER_HTTP:
            await self._ask_over_http(sent)
            return
        self._asked = True
        await link.send(json.dumps({"type": sent.kind, "session": self._session, **_place_and_detail(sent)}))
        await self._hear_until(link, lambda: not self._asked)

    async def _ask_over_http(self, sent: Sent) -> None:
        path = "moves" if sent.kind == "play" else sent.kind
        url = f"http://{self._chance.choice(self._doors)}/v1/sessions/{self._session}/{path}"
        try:
            answer = await self._http.post(url, json=_place_and_detail(sent), headers=self._headers, timeout=ANSWER)
            said = answer.json()
        except (httpx.HTTPError, ValueError):
            return
        if answer.is_success:
            self._answered(sent, Acked(sent, said["seq"], said["crc"]))
        elif answer.status_code in {409, 422}:
            self._answered(sent, None)
        elif answer.status_code != 503:
            self.witness.complaints.append(f"{path}: {answer.status_code} {answer.text}")

    def _answered(self, sent: Sent, acked: Acked | None) -> None:
        self.pending = None
        if acked:
            self.witness.acked.append(acked)
        else:
            self.witness.denied.append(sent)

    async def _hear_for(self, link: ClientConnection, seconds: float) -> None:
        deadline = asyncio.get_running_loop().time() + seconds
        while (left := deadline - asyncio.get_running_loop().time()) > 0:
            try:
                self._hear(await asyncio.wait_for(link.recv(), left))
            except TimeoutError:
                return

    async def _hear_until(self, link: ClientConnection, true: Callable[[], bool]) -> None:
        async with asyncio.timeout(ANSWER):
            while not true():
                self._hear(await link.recv())

    def _hear(self, text: str | bytes) -> None:
        message: Message = json.loads(text)
        match message:
            case {"type": "snapshot" | "reset" as kind, "session": session}:
                self._note(kind, session)
                self._take(session)
                self._ready = True
            case {"type": "event"}:
                self._hear_event(message)
            case {"type": "subbed"}:
                self._note("subbed", message)
                self._ready = True
            case {"type": "ack", "seq": seq, "crc": crc} if self.pending:
                self._note("ack", message)
                self._answered(self.pending, Acked(self.pending, seq, crc))
                self._asked = False
            case {"type": "stale", "missed": missed} if self.pending:
                for event in missed:
                    self._hear_event(event)
                self._ready = bool(missed)
                self._answered(self.pending, None)
                self._asked = False
            case {"type": "refused", "code": "unavailable"}:
                self._asked = False
            case {"type": "refused"} if self.pending:
                self._answered(self.pending, None)
                self._asked = False
            case {"type": "ack" | "stale" | "refused"}:
                self.witness.complaints.append(f"an answer to nothing: {message}")

    def _hear_event(self, event: Message) -> None:
        self._note("event", event)
        if self.place is None or event["seq"] > self.place[0]:
            self._take(event)

    def _note(self, kind: Any, message: Message) -> None:
        self.witness.told.append(Told(kind, message["seq"], message.get("crc")))

    def _take(self, message: Message) -> None:
        self.place = message["seq"], message["crc"]
        self._state = message
        self.witness.board = taken_over(self.witness.board, message)

    def _choose(self) -> Sent | None:
        """A command on the place that it knows, or sometimes one that is not possible there."""
        assert self.place is not None
        state, chance = self._state, self._chance
        choices: list[tuple[Any, str]] = [("play", move["move"]) for move in state["legal"]]
        if state["can_undo"] and (not choices or chance.random() < 0.25):
            choices = [("undo", "group"), ("undo", "step")]
        if state["can_redo"] and chance.random() < 0.3:
            choices = [("redo", "group"), ("redo", "step")]
        if chance.random() < 0.03:
            choices = [("play", "a1G"), ("undo", "group"), ("redo", "step")]
        return Sent(*self.place, *chance.choice(choices)) if choices else None


def _place_and_detail(sent: Sent) -> Message:
    """The members of a command, over the socket or over HTTP."""
    return {"at": sent.at, "crc": sent.crc, "move" if sent.kind == "play" else "by": sent.detail}
