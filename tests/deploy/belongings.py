"""What a service keeps for people: put there over HTTP, and read again, all of it, to be compared."""

import asyncio
import time
from datetime import UTC, datetime, timedelta
from typing import Any, NamedTuple

import httpx

from tests.live.client import Guest, Message, bearer, guest

PREPARING = 60.0  # seconds in which the first days are prepared
SETTLING = 20.0  # seconds in which a run that ended is on its boards
DAY_LEFT = timedelta(minutes=3)  # what a test needs of the day that it begins on
RULES = ["modern", "cadogan"]
VIEWS = ["top", "me", "following"]


class Owner(NamedTuple):
    """A player, and what is theirs."""

    id: str
    headers: dict[str, str]
    sessions: list[str]


class Belongings(NamedTuple):
    """Everybody's, on a date."""

    date: str
    owners: list[Owner]


async def acquire(url: str, players: int = 3) -> Belongings:
    """Players who follow each other, their sessions, alone and shared, ended and not, and their runs on boards."""
    date = await _today(url)
    found: list[Owner] = []
    for number in range(players):
        moves = number + 2  # after so few there are always more
        async with guest(url) as player:
            sessions = [await _played(player, await player.deal(f"pysol:{number + 1}", rules="modern"), moves)]
            resigned = await _played(player, await player.deal("secret", rules="cadogan"), moves)
            sessions += [await player.command("resign", resigned)]
            sessions += [await player.deal(f"pysol:{number + 9}", mode="free_hands", seats=2)]
            sessions += [await _ran(player, date, rules, moves) for rules in RULES]
            for other in found:
                (await player.http.put(f"/v1/players/me/following/{other.id}")).raise_for_status()
            found.append(Owner(player.id, bearer(player), [session["id"] for session in sessions]))
    belongings = Belongings(date, found)
    await _until_on_boards(url, belongings)
    return belongings


async def read(url: str, belongings: Belongings) -> dict[str, Any]:
    """Every answer about them, by its path and who asks."""
    date = belongings.date
    boards = [f"/v1/leaderboards/daily/{date}/{rules}?field=newcomers&view={view}" for rules in RULES for view in VIEWS]
    days = [f"/v1/daily/{date}/{rules}" for rules in RULES]
    mine = ["/v1/players/me", "/v1/players/me/following", "/v1/sessions"]
    mine += [f"/v1/players/me/days/{rules}" for rules in RULES]
    answers: dict[str, Any] = {}
    for owner in belongings.owners:
        theirs = [f"/v1/sessions/{session}{part}" for session in owner.sessions for part in ("", "/history")]
        async with httpx.AsyncClient(base_url=url, headers=owner.headers, timeout=10, trust_env=False) as http:
            for path in [*boards, *days, *mine, f"/v1/players/{owner.id}", *theirs]:
                answer = await http.get(path)
                assert answer.is_success, f"{path}: {answer.text}"
                answers[f"{path} for {owner.id}"] = answer.json()
    return answers


async def _today(url: str) -> str:
    """Today's date once its challenges are prepared, on a day that lasts a while."""
    now = datetime.now(UTC)
    left = datetime.combine(now.date() + timedelta(days=1), datetime.min.time(), UTC) - now
    await asyncio.sleep(left.total_seconds() if left < DAY_LEFT else 0)
    date = datetime.now(UTC).date().isoformat()
    async with httpx.AsyncClient(base_url=url, timeout=10, trust_env=False) as http, asyncio.timeout(PREPARING):
        for rules in RULES:
            while not (await http.get(f"/v1/daily/{date}/{rules}")).is_success:  # noqa: ASYNC110 - it is another process
                await asyncio.sleep(0.2)
    return date


async def _played(player: Guest, session: Message, moves: int) -> Message:
    """The session after some moves."""
    for _ in range(moves):
        session = await player.play(session, session["legal"][0]["move"])
    return session


async def _ran(player: Guest, date: str, rules: str, moves: int) -> Message:
    """The player's first run of a day, given up after some moves."""
    answer = await player.http.post(f"/v1/daily/{date}/{rules}/run")
    answer.raise_for_status()
    return await player.command("resign", await _played(player, answer.json(), moves))


async def _until_on_boards(url: str, belongings: Belongings) -> None:
    """Returns when everybody is on them, as a newcomer, which one is for three days."""
    deadline = time.monotonic() + SETTLING
    async with httpx.AsyncClient(base_url=url, timeout=10, trust_env=False) as http:
        for rules in RULES:
            path = f"/v1/leaderboards/daily/{belongings.date}/{rules}?field=newcomers"
            while (await http.get(path)).json()["size"] < len(belongings.owners):
                assert time.monotonic() < deadline, f"the board of {rules} does not have everybody"
                await asyncio.sleep(0.05)
