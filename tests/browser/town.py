"""Players and games, so that every screen has something to show."""

import contextlib
from collections.abc import AsyncIterator
from dataclasses import dataclass
from pathlib import Path

import httpx

from service.store import embedded
from service.store.redis.store import RedisStore
from tests.engine.games import win
from tests.live.client import PATIENCE, Guest, Message
from tests.live.today import keep_today

WIN = win("modern", "pysol:2")
CROWD = 3
"""Players on today's board beside Ada."""


@dataclass(frozen=True)
class Town:
    """Ada has games at many a stage, and a run of today's challenge that is over; Ben shares a board with her."""

    url: str
    date: str
    ada: Guest
    ben: Guest
    begun: Message
    vacant: Message
    turned: Message
    won: Message
    shared: Message
    open_to_others: Message


async def keep_days(data: Path) -> str:
    """Has today's challenge kept in a service's folder, and tells the date."""
    with embedded.reached(data) as url:
        store = RedisStore(url, session_ttl=0)
        try:
            return await keep_today(store)
        finally:
            await store.close()


@contextlib.asynccontextmanager
async def newcomer(url: str) -> AsyncIterator[Guest]:
    """A player whose connections are never idle, however long a test lasts."""
    unkept = httpx.Limits(max_keepalive_connections=0)
    async with httpx.AsyncClient(base_url=url, timeout=PATIENCE, limits=unkept) as http:
        yield Guest(http, (await http.post("/v1/players", json={})).json())


@contextlib.asynccontextmanager
async def town(url: str, date: str) -> AsyncIterator[Town]:
    async with contextlib.AsyncExitStack() as stack:
        ada, ben, *crowd = [await stack.enter_async_context(newcomer(url)) for _ in range(2 + CROWD)]
        shared = await ada.deal("pysol:4", mode="turns", seats=2)
        await joined(ben, shared)
        for number, player in enumerate([ada, *crowd]):
            await run_of_today(player, date, moves=10 * number + 5)
        yield Town(
            url=url,
            date=date,
            ada=ada,
            ben=ben,
            begun=await ada.play(await ada.deal("pysol:2"), *WIN.moves[:100]),
            vacant=await ada.play(await ada.deal("pysol:2"), *WIN.moves[:1]),
            turned=await ada.play(await ada.deal("pysol:61", rules="cadogan"), *win("cadogan", "pysol:61").moves[:30]),
            won=await ada.play(await ada.deal("pysol:2"), *WIN.moves),
            shared=shared,
            open_to_others=await ben.deal("pysol:5", mode="free_hands", seats=2),
        )


async def joined(player: Guest, session: Message) -> Message:
    """The session with the player on a seat of it, whose invite was told to them."""
    answer = await player.http.post(f"/v1/sessions/{session['id']}/join", json={"invite": session["invite"]})
    assert answer.is_success, answer.text
    after: Message = answer.json()
    return after


async def run_of_today(player: Guest, date: str, moves: int) -> None:
    """A run of so many moves, each the first that is legal, and its end."""
    answer = await player.http.post(f"/v1/daily/{date}/modern/run")
    assert answer.is_success, answer.text
    session: Message = answer.json()
    for _ in range(moves):
        session = await player.play(session, session["legal"][0]["move"])
    await player.command("resign", session)


async def seen(player: Guest, session: Message) -> Message:
    """The session as the service has it now."""
    answer = await player.http.get(f"/v1/sessions/{session['id']}")
    assert answer.is_success, answer.text
    now: Message = answer.json()
    return now


async def events_of(player: Guest, session: Message) -> list[Message]:
    """What the log of a session tells, from its beginning; it has to be short enough for one page."""
    answer = await player.http.get(f"/v1/sessions/{session['id']}/history")
    assert answer.is_success, answer.text
    page = answer.json()
    assert page["next"] is None
    events: list[Message] = page["events"]
    return events
