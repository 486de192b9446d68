"""Boards of days on the socket, told by one service of what comes in at another."""

import asyncio
import time
from collections.abc import AsyncIterator
from socket import SO_RCVBUF, SOL_SOCKET, socket

import httpx
import pytest

from service.ports.boards import Board, Result, Scope, Standing
from service.ports.daily import Day, Field
from service.store.redis.store import RedisStore
from service.usecases.board_watch import LOOK_SECONDS
from service.usecases.boards import rank_key
from service.usecases.days import date_of, number_of
from tests.conftest import now
from tests.live.client import PATIENCE, Message, Socket, guest, opened, place, watching, welcomed
from tests.live.today import closing_at, keep_today
from tests.usecases.daily_world import plan

SNAPSHOTS = 300
"""More than fits into all buffers on the way to a client that does not read."""
MANY = 50
MANY_SECONDS = 1.0


class Today:
    """Today's challenge under `modern`, on the store of both services."""

    def __init__(self, store: RedisStore, date: str) -> None:
        self.store, self.day = store, Day(date, "modern")

    def topic(self, scope: Scope = Scope.FIRST, field: Field = Field.PEOPLE) -> str:
        return f"board:{self.day}/{scope}/{field}"

    async def submit(self, player: str, points: int, scope: Scope = Scope.FIRST) -> None:
        """Puts a result on a board for people."""
        found = Result(f"run-of-{player}", False, points, 0, 1, 1, 500)
        await self.store.boards.submit(
            Board(str(self.day), scope, Field.PEOPLE), Standing(player, rank_key(found), found)
        )


@pytest.fixture
async def today(redis_url: str) -> AsyncIterator[Today]:
    store = RedisStore(redis_url, session_ttl=0)
    yield Today(store, await keep_today(store))
    await store.close()


async def shown(socket: Socket, topic: str) -> Message:
    """A board that the socket subscribes to."""
    await socket.say("sub", topic=topic)
    return await board(socket, topic)


async def board(socket: Socket, topic: str) -> Message:
    """The board that the socket hears of next, which has this topic."""
    message = await socket.hear()
    assert (message["type"], message["topic"]) == ("board", topic)
    page: Message = message["board"]
    return page


def points(page: Message) -> list[tuple[int, int]]:
    return [(row["rank"], row["points"]) for row in page["rows"]]


async def is_silent(socket: Socket) -> bool:
    """Whether nothing comes for longer than a change would take."""
    await asyncio.sleep(2 * LOOK_SECONDS)
    await socket.say("ping")
    message = await socket.hear()
    return message == {"type": "pong"}


async def test_a_run_that_ends_at_one_service_is_told_on_the_board_at_the_other(
    replicas: tuple[str, str], today: Today
) -> None:
    one, other = replicas
    topic = today.topic(field=Field.NEWCOMERS)
    async with guest(one) as player, welcomed(other) as socket:
        before = await shown(socket, topic)
        run = (await player.http.post(f"/v1/daily/{today.day}/run", json={})).json()
        await player.command("resign", await player.play(run, *plan(today.day)[:1]))
        after = await board(socket, topic)
    async with httpx.AsyncClient(base_url=other, timeout=PATIENCE) as http:
        page = (await http.get(f"/v1/leaderboards/daily/{today.day}", params={"field": "newcomers"})).json()

    assert (before["size"], before["rows"]) == (0, [])
    assert after == page
    [row] = after["rows"]
    assert row["player"]["id"] == player.id
    assert not {"you", "session"} & row.keys()


async def test_who_plays_has_the_board_on_the_sessions_own_socket(replicas: tuple[str, str], today: Today) -> None:
    async with guest(replicas[0]) as player:
        session = await player.deal()
        async with watching(replicas[0], session, player) as socket:
            await shown(socket, today.topic())
            await today.submit("ann", 900)
            assert points(await board(socket, today.topic())) == [(1, 900)]
            ack = await socket.ask("play", session=session["id"], move="b1G", **place(session))
            assert (ack["type"], ack["seq"]) == ("ack", 1)


async def test_many_results_make_few_messages_and_the_last_tells_all_of_them(
    replicas: tuple[str, str], today: Today
) -> None:
    async with welcomed(replicas[0]) as socket, welcomed(replicas[1]) as other:
        for one in (socket, other):
            assert (await shown(one, today.topic()))["size"] == 0
        begin = time.monotonic()
        for number in range(MANY):
            await today.submit(f"p{number}", number)
            await asyncio.sleep(MANY_SECONDS / MANY)
        took = time.monotonic() - begin
        for one in (socket, other):
            pages = [await board(one, today.topic())]
            while pages[-1]["size"] < MANY:
                pages.append(await board(one, today.topic()))
            assert points(pages[-1])[0] == (1, MANY - 1)
            assert len(pages) <= took // LOOK_SECONDS + 2
        assert all(await asyncio.gather(is_silent(socket), is_silent(other)))


async def test_who_reads_too_slowly_has_the_last_state_alone(service: str, today: Today) -> None:
    async with guest(service) as player, welcomed(service) as mine:
        session = await player.deal()
        await shown(mine, today.topic())
        with narrow(service) as link:
            async with opened(service, None, sock=link) as slow:
                await slow.say("hello", v=1)
                assert (await slow.hear())["type"] == "welcome"
                await shown(slow, today.topic())
                slow.burst("sub", SNAPSHOTS, topic=f"session:{session['id']}")
                await asyncio.sleep(LOOK_SECONDS)
                for number in (700, 800, 900):
                    await today.submit("ann", number)
                    assert points(await board(mine, today.topic())) == [(1, number)]
                await slow.say("ping")
                heard = await slow.hear_until("pong")

    [told] = [message["board"] for message in heard if message["type"] == "board"]
    assert points(told) == [(1, 900)]


def narrow(url: str) -> socket:
    """A connection to a service that has room for little."""
    link = socket()
    link.setsockopt(SOL_SOCKET, SO_RCVBUF, 4096)
    host, _, port = url.removeprefix("http://").partition(":")
    link.connect((host, int(port)))
    return link


async def test_who_is_taken_off_a_board_is_gone_before_the_viewers_eyes(
    replicas: tuple[str, str], today: Today
) -> None:
    for player, number in (("ann", 900), ("bob", 800)):
        await today.submit(player, number)
    async with welcomed(replicas[0]) as socket:
        assert points(await shown(socket, today.topic())) == [(1, 900), (2, 800)]
        await closing_at(today.store, now()).remove(today.day, "ann")
        assert points(await board(socket, today.topic())) == [(1, 800)]


async def test_rows_lead_to_their_runs_as_soon_as_the_day_is_final(replicas: tuple[str, str], today: Today) -> None:
    await today.submit("ann", 900)
    async with welcomed(replicas[0]) as socket:
        before = await shown(socket, today.topic())
        await today.store.days.finish(today.day, now(), "{}")
        after = await board(socket, today.topic())

    assert [(page["final"], page["rows"][0].get("session")) for page in (before, after)] == [
        (False, None),
        (True, "run-of-ann"),
    ]


async def test_after_an_unsub_nothing_more_is_told_of_the_board_and_others_go_on(
    replicas: tuple[str, str], today: Today
) -> None:
    left, kept = today.topic(), today.topic(Scope.OPEN)
    async with welcomed(replicas[0]) as socket, welcomed(replicas[0]) as other:
        for topic in (left, kept):
            await shown(socket, topic)
        await shown(other, left)
        await socket.say("unsub", topic=left)
        assert await socket.hear() == {"type": "unsubbed", "topic": left}
        for number in (800, 900):
            await today.submit("ann", number)
            await today.submit("ann", number, Scope.OPEN)
            assert points(await board(socket, kept)) == [(1, number)]
            assert points(await board(other, left)) == [(1, number)]
        assert await is_silent(socket)
        assert points(await shown(socket, left)) == [(1, 900)]


async def test_a_socket_that_goes_leaves_the_others_their_board(replicas: tuple[str, str], today: Today) -> None:
    async with welcomed(replicas[0]) as socket:
        await shown(socket, today.topic())
        async with welcomed(replicas[0]) as going:
            await shown(going, today.topic())
        await today.submit("ann", 900)
        assert points(await board(socket, today.topic())) == [(1, 900)]


@pytest.mark.parametrize(
    ("name", "code"),
    [
        ("2026-11-30", "bad_request"),
        ("2026-11-30/modern", "bad_request"),
        ("2026-11-30/modern/first/people/top", "bad_request"),
        ("2026-02-30/modern/first/people", "bad_request"),
        ("today/modern/first/people", "bad_request"),
        ("2026-11-30/pysol/first/people", "bad_request"),
        ("2026-11-30/modern/late/people", "bad_request"),
        ("2026-11-30/modern/first/people\n", "bad_request"),
        ("2026-11-30/modern/first/}\u0000{", "bad_request"),
        ("2099-01-01/modern/first/people", "no_such_day"),
        ("2026-01-01/cadogan/speed/bots", "no_such_day"),
    ],
)
async def test_what_is_no_board_is_refused_and_the_socket_goes_on(
    replicas: tuple[str, str], today: Today, name: str, code: str
) -> None:
    topic = f"board:{name}"
    async with welcomed(replicas[0]) as socket:
        await socket.say("sub", topic=topic)
        refused = await socket.hear()
        await socket.say("unsub", topic=topic)
        unsubbed = await socket.hear()
        assert (await shown(socket, today.topic()))["size"] == 0

    assert (refused["type"], refused["code"], refused["topic"]) == ("refused", code, topic)
    assert "session" not in refused
    assert (code == "no_such_day") != ("board:2026-11-30/modern/first/people" in refused["detail"])
    assert unsubbed == {"type": "unsubbed", "topic": topic}


async def test_a_day_that_is_to_come_has_no_board(replicas: tuple[str, str], today: Today) -> None:
    tomorrow = today.day._replace(date=date_of(number_of(today.day.date) + 1))
    [stored] = await today.store.days.find([tomorrow])
    assert stored
    async with welcomed(replicas[0]) as socket:
        await socket.say("sub", topic=f"board:{tomorrow}/first/people")
        assert (await socket.hear())["code"] == "no_such_day"
