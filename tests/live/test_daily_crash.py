"""A service that is killed at any step between the last move of a run and the boards: they say what the log says."""

import asyncio
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

import httpx
import pytest
from redis import Redis

from service.engine.log import ENTRY_BYTES
from service.engine.notation import parse_move
from service.ports.boards import Scope
from service.ports.daily import Day, PlayedDay, RunKind
from service.store.redis import keys
from service.store.redis.store import RedisStore
from service.telemetry.meters import Meters
from service.usecases.commands import Commands, Play
from service.usecases.history import Histories, Place
from service.usecases.live import Live
from tests.conftest import now
from tests.live.client import guest
from tests.live.deadly import Death, Moment, deadly
from tests.live.replica import Replica, replica
from tests.live.test_crash import SIGKILL
from tests.live.today import DAYS_AHEAD, FixedClock, closing_at, keep_today, reckoned, rows_of, until_settled
from tests.servers import IN_MEMORY, WHEEL, Server, server
from tests.usecases.daily_world import plan

NEVER = Death(at=1_000)
AT_ONCE = 3
"""Services that are started at a time."""


@pytest.fixture
def redis() -> Iterator[Server]:
    with server(WHEEL, *IN_MEMORY) as one:
        yield one


class Story(NamedTuple):
    """How a run ends: what is played before, and the request that makes its last entry."""

    moves: list[str]
    path: str
    body: dict[str, str]
    is_timed: bool = False


RESIGNED = Story(plan()[:20], "resign", {})
WON = Story(plan()[:-1], "moves", {"move": plan()[-1]}, is_timed=True)


class Ran(NamedTuple):
    """A run whose service was killed, or not, and the entries that were acknowledged."""

    session: str
    player: str
    token: str
    acked: int


class Stage:
    """A store, a service that stays alive, and this process, which plays all but the last entry of each run."""

    def __init__(self, on: Server, store: RedisStore, alive: Replica, logs: Path) -> None:
        self.on, self.store, self.alive, self.logs = on, store, alive, logs
        histories, clock = Histories(store.sessions, 100), FixedClock(now())
        live = Live(histories, store.doorbells, clock, "test", Meters())
        self.commands = Commands(store.sessions, histories, live, clock, lambda _: None)
        self.starting = asyncio.Semaphore(AT_ONCE)

    async def begun(self, day: Day, story: Story) -> Ran:
        """A run but for its last entry."""
        async with guest(self.alive.url) as player:
            run = (await player.http.post(f"/v1/daily/{day}/run", json={"timed": story.is_timed})).json()
            for at, move in enumerate(story.moves):
                await self.commands.submit(run["id"], player.id, Play(parse_move(move)), Place(at))
            return Ran(run["id"], player.id, player.token, len(story.moves))

    async def ended(self, day: Day, story: Story, death: Death) -> tuple[Ran, int]:
        """A run whose last entry was sent to a service that dies so, and how many steps that took from there on."""
        ran, name = await self.begun(day, story), f"{death.at}-{death.moment.name}"
        async with self.starting, deadly(self.on.socket, name) as (proxy, url):
            doomed = await asyncio.to_thread(Replica, url, self.logs / name)
            proxy.doom(death, ran.session, doomed.kill)
            try:
                acked = await said_last(doomed.url, ran, story)
                if death == NEVER:
                    await until_settled(self.store, day)
                else:
                    await asyncio.wait_for(asyncio.to_thread(doomed.process.wait), 10)
            finally:
                doomed.kill()
                assert doomed.process.stdout
                doomed.process.stdout.close()
            assert doomed.process.returncode == SIGKILL
            return ran._replace(acked=acked), proxy.passed


async def said_last(url: str, ran: Ran, story: Story) -> int:
    """Asks for the last entry of a run; how many are acknowledged then."""
    headers = {"Authorization": f"Bearer {ran.token}"}
    async with httpx.AsyncClient(base_url=url, headers=headers) as http:
        try:
            body = {**story.body, "at": len(story.moves)}
            answer = await http.post(f"/v1/sessions/{ran.session}/{story.path}", json=body)
        except httpx.TransportError:
            return ran.acked
    assert answer.is_success, answer.text
    seq: int = answer.json()["seq"]
    return seq


def entries(redis: Any, ran: Ran) -> int:
    """How many entries the log has."""
    return int(redis.strlen(keys.session_log(ran.session))) // ENTRY_BYTES


@pytest.mark.parametrize("story", [RESIGNED, WON], ids=["resigned", "won"])
async def test_a_service_that_is_killed_on_the_way_to_the_board_leaves_one_that_equals_the_logs(
    redis: Server, tmp_path: Path, story: Story
) -> None:
    store = RedisStore(redis.url, session_ttl=0)
    day = Day(await keep_today(store), "modern")
    raw = Redis.from_url(redis.url)
    try:
        with replica(redis.url, tmp_path / "alive") as alive:
            stage = Stage(redis, store, alive, tmp_path)
            undisturbed = await stage.begun(day, story)
            assert await said_last(alive.url, undisturbed, story) == len(story.moves) + 1
            await until_settled(store, day)
            late, steps = await stage.ended(day, story, NEVER)
            assert steps > 3, "the commit, the board, the record and the day"
            deaths = [Death(0), Death(0, Moment.ANSWERED), *map(Death, range(1, steps))]
            ended = await asyncio.gather(*(stage.ended(day, story, death) for death in deaths))
            runs = [undisturbed, late, *(ran for ran, _ in ended)]
            lost = runs[2]

            last = len(story.moves) + 1
            lengths = [entries(raw, ran) for ran in runs]
            assert lengths == [last, last, last - 1] + [last] * (len(runs) - 3)
            assert all(ran.acked <= length for ran, length in zip(runs, lengths, strict=True))
            assert len({ran.acked for ran in runs}) == 2, "some were acknowledged, and some were not"
            left = {one.session for one in await store.days.unsettled(day, "", 100)}
            assert lost.session in left
            assert 2 < len(left) < len(runs), "some are not settled, and some are"

            with replica(redis.url, tmp_path / "next", DAYS_AHEAD=str(DAYS_AHEAD)):
                await until_settled(store, day, [lost.session])
                assert len(await rows_of(store, day)) == (1 + story.is_timed) * (len(runs) - 1)
            assert await said_last(alive.url, lost, story) == last
            await until_settled(store, day)

        expected = {(Scope.FIRST, ran.player): (1, reckoned(raw, ran.session, "modern")) for ran in runs}
        boards = await rows_of(store, day)
        assert {row: found for row, found in boards.items() if row[0] is Scope.FIRST} == expected
        timed = {player: result for (scope, player), (_, result) in boards.items() if scope is Scope.SPEED}
        assert timed == ({ran.player: expected[Scope.FIRST, ran.player][1] for ran in runs} if story.is_timed else {})
        for ran in runs:
            result, played = reckoned(raw, ran.session, "modern"), await store.records.days(ran.player, "modern")
            assert result
            assert played == {
                day.date: PlayedDay(ran.session, RunKind.FIRST, played[day.date].begun, True, result.won, result.points)
            }
        await closing_at(store, now()).recompute(day)
        assert await rows_of(store, day) == boards
    finally:
        raw.close()
        await store.close()
