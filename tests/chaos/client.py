"""A client that goes from door to door, keeps its place by the rules of PROTOCOL.md, and remembers what it was told."""

import asyncio
import json
from abc import ABC, abstractmethod
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from random import Random
from typing import Any

import httpx
import websockets

from tests.chaos.history import Sent, Told, Witness, taken_over

ANSWER = 1.5  # seconds that it waits for an answer before it goes elsewhere
AWAY = frozenset({502, 503, 504})
"""What is answered where nobody is there: 503 by a service without its store, any of them by a proxy."""
LEFT = (OSError, TimeoutError, websockets.WebSocketException, httpx.HTTPError)

Message = dict[str, Any]


@dataclass(frozen=True)
class Seat:
    """Who somebody is in a session."""

    number: int
    token: str
    is_shared: bool


class Client(ABC):
    """One client of a session; without a seat it is a spectator, who never asks for anything."""

    def __init__(
        self,
        name: str,
        session: str,
        seat: Seat | None,
        doors: Sequence[str],
        http: httpx.AsyncClient,
        chance: Random,
    ) -> None:
        self.witness = Witness(name)
        self.pending: Sent | None = None
        self.place: tuple[int, str] | None = None
        self.quiet = False
        """Whether it has to end what it began, and only listen then."""
        self.session, self.seat, self.doors, self.http, self.chance = session, seat, doors, http, chance
        self.headers = {"Authorization": f"Bearer {seat.token}"} if seat else {}
        self.state: Message = {}
        self.refusals: Counter[int] = Counter()
        """How often each status said that nobody was there."""
        self.ready = False
        """Whether it was brought up to date since it came or was stale."""

    async def run(self) -> None:
        """Comes, stays, goes, and comes back, until it is cancelled."""
        while True:
            try:
                await self.visit(self.chance.choice(self.doors))
            except websockets.InvalidStatus as error:
                self.turned_away(error.response.status_code, f"{error.response.body!r}")
            except LEFT as error:
                if self.is_unexcused(error):
                    self.complain(f"{error!r}")
            await asyncio.sleep(self.chance.uniform(0, 0.1))

    @abstractmethod
    async def visit(self, door: str) -> None:
        """Stays at a door until it has enough, or raises one of LEFT."""

    def is_unexcused(self, error: Exception) -> bool:
        """Whether it had to part for a reason that no fault makes good."""
        return False

    def turned_away(self, status: int, said: str) -> None:
        """Takes note of a status that is no answer, and complains of one that no fault makes good."""
        self.refusals[status] += 1
        if status not in AWAY:
            self.complain(f"{status}: {said}")

    def complain(self, what: str) -> None:
        self.witness.complaints.append(what)

    def hear(self, text: str | bytes) -> None:
        """Takes over what a message tells of the session."""
        message: Message = json.loads(text)
        match message:
            case {"type": "snapshot" | "reset" as kind, "session": session}:
                self.begin(kind, session)
            case {"type": "event"}:
                self.hear_event(message)
            case {"type": "subbed"}:
                self.note("subbed", message)
                self.ready = True
            case {"type": "ack" | "stale" | "refused"}:
                self.hear_answer(message)

    def hear_answer(self, message: Message) -> None:
        self.complain(f"an answer to nothing: {message}")

    def begin(self, kind: Any, session: Message) -> None:
        """Takes over the whole session."""
        self.note(kind, session)
        self._take(session)
        self.ready = True

    def hear_event(self, event: Message, kind: Any = "event") -> None:
        """Takes over what comes after its place."""
        self.note(kind, event)
        if self.place is None or event["seq"] > self.place[0]:
            self._take(event)

    def note(self, kind: Any, message: Message) -> None:
        self.witness.told.append(Told(kind, message["seq"], message.get("crc")))

    def _take(self, message: Message) -> None:
        self.place = message["seq"], message["crc"]
        self.state = message
        self.witness.board = taken_over(self.witness.board, message)
