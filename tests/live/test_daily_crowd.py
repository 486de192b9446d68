"""Two hundred players of one day on two services, of which one is killed: the final boards are those of the logs."""

import asyncio
import contextlib
import json
from collections.abc import Iterator
from itertools import groupby
from pathlib import Path
from typing import Any

import httpx
import websockets
from redis import Redis

from service.engine.log import ENTRY_BYTES
from service.ports.boards import Result, Scope
from service.ports.daily import Day
from service.store.redis import keys
from service.store.redis.store import RedisStore
from service.usecases.closing import MARGIN_MS
from service.usecases.days import ends
from tests.live.client import PATIENCE, Message, Socket, place, watching
from tests.live.replica import Replica, replica
from tests.live.today import closing_at, keep_today, reckoned, rows_of
from tests.usecases.daily_world import plan

PLAYERS = 200
WINNERS = 3
MOST_MOVES = 33
START = "00000000"


class Runner:
    """A player of the day, with what is acknowledged of the run: `acked` has the checksum of every entry."""

    def __init__(self, number: int, services: list[str]) -> None:
        self.number, self.services = number, services
        self.id = self.token = self.session = ""
        self.acked: list[str] = []
        wins = number < WINNERS
        moves = plan() if wins else plan()[: number * 7 % (MOST_MOVES + 1)]
        self.commands: list[Message] = [{"type": "play", "move": move} for move in moves]
        if moves and not wins and number % 4 == 1:
            self.commands.append({"type": "undo"})
        self.resigns = not wins and number % 2 == 0

    @property
    def place(self) -> Message:
        return place({"seq": len(self.acked), "crc": [START, *self.acked][-1]})

    async def begin(self, http: httpx.AsyncClient) -> None:
        url = self.services[0]
        player = (await http.post(f"{url}/v1/players", json={})).json()
        self.id, self.token = player["id"], player["token"]
        self.session = (await self._post(http, "/v1/daily/today/modern/run", {}))["id"]

    async def play(self, http: httpx.AsyncClient, told: "Half") -> None:
        """Gives all commands, on another service where the one before is gone, and then resigns or leaves."""
        while len(self.acked) < len(self.commands):
            try:
                async with watching(self.services[0], {"id": self.session}, self, **self._resume()) as socket:  # type: ignore[arg-type]
                    self._check(socket)
                    await self._play_on(socket, told)
            except (websockets.WebSocketException, OSError):
                self.services = self.services[1:]
        if self.resigns:
            path = f"/v1/sessions/{self.session}/resign"
            try:
                ended = await self._post(http, path, self.place)
            except httpx.TransportError:
                self.services = self.services[1:]
                ended = await self._post(http, path, self.place)
            self.acked.append(ended["crc"])

    def _resume(self) -> Message:
        return {"seq": len(self.acked), "crc": self.place["crc"]}

    def _check(self, socket: Socket) -> None:
        """What was acknowledged is there, and at most the one command more that was under way."""
        _, *missed, subbed = map(json.loads, socket.heard)
        assert subbed["type"] == "subbed"
        assert len(missed) <= 1

    async def _play_on(self, socket: Socket, told: "Half") -> None:
        for command in self.commands[len(self.acked) :]:
            members = {"session": self.session, **command, **self.place}
            ack = await socket.ask(members.pop("type"), **members)
            assert (ack["type"], ack["seq"]) == ("ack", len(self.acked) + 1)
            self.acked.append(ack["crc"])
            told.count()

    async def _post(self, http: httpx.AsyncClient, path: str, body: Message) -> Message:
        answer = await http.post(self.services[0] + path, json=body, headers={"Authorization": f"Bearer {self.token}"})
        assert answer.is_success, answer.text
        got: Message = answer.json()
        return got


class Half:
    """Has a service killed once half of all commands are acknowledged."""

    def __init__(self, commands: int, doomed: Replica) -> None:
        self.left, self.doomed = commands // 2, doomed

    def count(self) -> None:
        self.left -= 1
        if self.left == 0:
            self.doomed.kill()


@contextlib.contextmanager
def bytes_of(redis_url: str) -> Iterator[Any]:
    with contextlib.closing(Redis.from_url(redis_url)) as redis:
        yield redis


async def test_the_final_boards_of_a_crowd_are_those_of_the_logs_though_a_service_was_killed(
    redis_url: str, tmp_path: Path
) -> None:
    store = RedisStore(redis_url, session_ttl=0)
    day = Day(await keep_today(store), "modern")
    limits = httpx.Limits(max_connections=50)
    with replica(redis_url, tmp_path / "one") as one, replica(redis_url, tmp_path / "two") as other:
        async with httpx.AsyncClient(timeout=3 * PATIENCE, limits=limits) as http:
            runners = [Runner(number, [one.url, other.url] if number % 2 else [other.url]) for number in range(PLAYERS)]
            await asyncio.gather(*(runner.begin(http) for runner in runners))
            half = Half(sum(len(runner.commands) for runner in runners), one)
            await asyncio.gather(*(runner.play(http, half) for runner in runners))
        assert one.process.returncode == -9
        moved = [runner for runner in runners if runner.number % 2 and len(runner.services) == 1]
        assert len(moved) > PLAYERS / 10, "many were at play when their service was killed"

    await closing_at(store, ends(day.date) + MARGIN_MS).recompute(day)
    boards = await rows_of(store, day)
    records = [(await store.records.days(runner.id, "modern"))[day.date] for runner in runners]
    [stored] = await store.days.find([day])
    left = await store.days.unsettled(day, "", PLAYERS)
    await store.close()
    with bytes_of(redis_url) as redis:
        logs = [redis.get(keys.session_log(runner.session)) or b"" for runner in runners]
        results = {runner.id: reckoned(redis, runner.session, "modern") for runner in runners}

    for runner, log in zip(runners, logs, strict=True):
        assert [log[end - 4 : end].hex() for end in range(ENTRY_BYTES, len(log) + 1, ENTRY_BYTES)] == runner.acked
    assert boards == {(Scope.FIRST, player): found for player, found in naively_ranked(results).items()}
    assert len(boards) == sum(bool(runner.commands) for runner in runners) < PLAYERS
    assert len({rank for rank, _ in boards.values()}) < len(boards), "some share a rank"
    for runner, record in zip(runners, records, strict=True):
        result = results[runner.id]
        assert (record.session, record.moves) == (runner.session, result is not None)
        assert (record.won, record.points) == ((result.won, result.points) if result else (False, 0))
    assert left == []
    assert stored
    assert json.loads(stored.summary)["wins"] == WINNERS


def naively_ranked(results: dict[str, Result | None]) -> dict[str, tuple[int, Result]]:
    """The rank of each result, 1, 2, 2, 4: one more than there are better ones."""

    def key(result: Result) -> tuple[bool, int, int]:
        return result.won, result.points, -result.assists

    ranked: dict[str, tuple[int, Result]] = {}
    played = sorted(((player, one) for player, one in results.items() if one), key=lambda row: key(row[1]))
    for _, equals in groupby(reversed(played), key=lambda row: key(row[1])):
        rank = len(ranked) + 1
        ranked |= {player: (rank, one) for player, one in equals}
    return ranked
