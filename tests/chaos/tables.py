"""The sessions of a run, and who sits at them."""

import asyncio
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from random import Random

import httpx

from tests.chaos.client import AWAY, Client, Message, Seat
from tests.chaos.history import Witness
from tests.chaos.readers import Poller, Reader
from tests.chaos.sockets import Player, Spectator

RULES = ["modern", "cadogan", "pysol"]
SHARED = 0.35
SETTING_UP = 20.0  # seconds in which services find a store again that is whole
WATCHERS: list[type[Client]] = [Spectator, Spectator, Poller, Reader]


@dataclass
class Table:
    """A session and all its clients."""

    id: str
    deal: str
    rules: str
    clients: list[Client]

    @property
    def witnesses(self) -> list[Witness]:
        return [client.witness for client in self.clients]


async def seated(doors: Sequence[str], http: httpx.AsyncClient, seed: int, number: int) -> Table:
    """A session with spectators, and either clients of one player's, who race each other, or two who share a board."""
    chance = Random(f"{seed} {number}")
    rules, deal = chance.choice(RULES), f"pysol:{chance.randrange(1, 10**6)}"
    is_shared = chance.random() < SHARED
    here, there = (f"http://{door}/v1" for door in (doors[0], doors[-1]))
    ann, bob = [(await _asked(http, f"{url}/players", {}))["token"] for url in (here, there)]
    sharing = {"mode": "free_hands", "seats": 2} if is_shared else {}
    session = await _asked(http, f"{here}/sessions", {"deal": deal, "rules": rules, **sharing}, ann)
    if is_shared:
        await _asked(http, f"{there}/sessions/{session['id']}/join", {"invite": session["invite"]}, bob)
        seats = [Seat(0, ann, is_shared), Seat(1, bob, is_shared)]
    else:
        seats = [Seat(0, ann, is_shared)] * chance.randint(1, 3)

    def client(kind: type[Client], which: int, seat: Seat | None) -> Client:
        own = Random(f"{seed} {number} {kind.__name__} {which}")
        name = f"{kind.__name__.lower()} {number}.{which}"
        home = doors[which % len(doors)]
        return kind(name, session["id"], seat, [*doors, home], http, own)

    players = [client(Player, which, seat) for which, seat in enumerate(seats)]
    watchers = [client(chance.choice(WATCHERS), which, None) for which in range(chance.randint(1, 3))]
    return Table(session["id"], deal, rules, players + watchers)


async def _asked(http: httpx.AsyncClient, url: str, body: Message, token: str = "") -> Message:
    """The answer of a service, which may be busy yet with what harmed it in the run before."""
    headers = {"Authorization": f"Bearer {token}"} if token else {}
    async with asyncio.timeout(SETTING_UP):
        while True:
            with suppress(httpx.HTTPError):
                answer = await http.post(url, json=body, headers=headers)
                if answer.status_code not in AWAY:
                    break
            await asyncio.sleep(0.1)
    assert answer.is_success, answer.text
    got: Message = answer.json()
    return got
