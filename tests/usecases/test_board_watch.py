"""Telling those who watch a board, on a real store."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from functools import partial

import msgspec
import pytest

from service.ports import StoreUnavailable
from service.protocol.boards import BoardTop
from service.store.redis.store import RedisStore
from service.telemetry.meters import Meters
from service.usecases import board_watch
from service.usecases.board_watch import BoardWatch, follow
from service.usecases.boards import DayBoard
from service.usecases.errors import NoSuchDay
from service.usecases.feed import Told
from tests.servers import Server
from tests.usecases.test_boards import DAY, FIRST, SPEED, TOMORROW, Readers
from tests.usecases.world import NOON

SOON = 0.01  # seconds


class Ear:
    """What a watcher was told."""

    def __init__(self) -> None:
        self.heard: asyncio.Queue[bytes] = asyncio.Queue()

    def __call__(self, frame: bytes) -> None:
        self.heard.put_nowait(frame)

    async def next(self) -> bytes:
        async with asyncio.timeout(5):
            return await self.heard.get()

    async def points(self) -> list[tuple[int, int]]:
        """The rank and the points of each row that is told next."""
        return points(await self.next())

    async def is_silent(self) -> bool:
        await asyncio.sleep(10 * SOON)
        return self.heard.empty()


def points(frame: bytes) -> list[tuple[int, int]]:
    page = msgspec.json.decode(frame, type=BoardTop).board
    return [(row.rank, int(row.points or 0)) for row in page.rows]


@asynccontextmanager
async def running(watch: BoardWatch) -> AsyncIterator[None]:
    task = asyncio.create_task(watch.run())
    try:
        yield
        assert not task.done(), "it runs until it is cancelled"
    finally:
        task.cancel()
        with suppress(asyncio.CancelledError):
            await task


@pytest.fixture(autouse=True)
def often(monkeypatch: pytest.MonkeyPatch) -> None:
    """It is looked after the boards more often than once a second."""
    monkeypatch.setattr(board_watch, "LOOK_SECONDS", SOON)


@pytest.fixture
async def readers() -> Readers:
    filled = Readers()
    await filled.fill()
    return filled


@pytest.fixture
async def watch(readers: Readers) -> AsyncIterator[BoardWatch]:
    watching = BoardWatch(readers.boards, readers.store.boards, readers.store.days, Meters())
    async with running(watching):
        yield watching


async def test_a_watcher_has_the_top_and_is_told_when_it_has_changed(readers: Readers, watch: BoardWatch) -> None:
    ear = Ear()
    await watch.watch(FIRST, ear)
    assert await ear.points() == [(1, 900), (2, 700), (2, 700), (4, 500), (5, 300)]
    assert await ear.is_silent()
    await readers.submit("bob", 950)
    assert await ear.points() == [(1, 950), (2, 900), (3, 700), (4, 500), (5, 300)]
    assert await ear.is_silent()


async def test_a_row_that_is_taken_off_moves_the_others_up(readers: Readers, watch: BoardWatch) -> None:
    ear = Ear()
    await watch.watch(FIRST, ear)
    await ear.next()
    await readers.store.boards.remove(str(DAY), "ann")
    assert await ear.points() == [(1, 700), (1, 700), (3, 500), (4, 300)]


async def test_many_changes_at_once_are_told_once(
    readers: Readers, watch: BoardWatch, monkeypatch: pytest.MonkeyPatch
) -> None:
    ear = Ear()
    await watch.watch(FIRST, ear)
    await ear.next()
    for number in range(20):
        await readers.submit(f"new{number}", 1_000 + number)  # a store in memory lets nobody else have a turn
    assert (await ear.points())[0] == (1, 1_019)
    assert await ear.is_silent()


async def test_all_watchers_of_a_board_are_told_the_same_bytes(readers: Readers, watch: BoardWatch) -> None:
    ears = [Ear() for _ in range(3)]
    for ear in ears:
        await watch.watch(FIRST, ear)
    for _ in range(2):
        first, *others = [await ear.next() for ear in ears]
        assert all(other is first for other in others)
        await readers.submit("bob", 950)


async def test_others_have_a_turn_while_many_are_told_and_who_leaves_meanwhile_is_not_told(
    readers: Readers, watch: BoardWatch
) -> None:
    """Half of the watchers are left as soon as the loop has a turn between two of them."""
    told: list[int] = []
    is_telling = asyncio.Event()

    def tell(number: int, _: bytes) -> None:
        told.append(number)
        is_telling.set()

    watchers = [partial(tell, number) for number in range(4 * board_watch.BATCH)]
    await watch.watch(FIRST, watchers[0])
    for watcher in watchers[1:]:
        await watch.watch(FIRST, watcher)
    told.clear()
    is_telling.clear()
    await readers.submit("bob", 950)
    await is_telling.wait()
    first, left = set(told), set(range(0, len(watchers), 2))
    for number in left:
        watch.unwatch(FIRST, watchers[number])
    await asyncio.sleep(10 * SOON)
    assert len(first) == board_watch.BATCH
    assert set(told) == first | (set(range(len(watchers))) - left)
    assert len(told) == len(set(told))


async def test_boards_of_a_day_are_told_apart(readers: Readers, watch: BoardWatch) -> None:
    first, speed = Ear(), Ear()
    await watch.watch(FIRST, first)
    await watch.watch(SPEED, speed)
    await first.next()
    assert await speed.points() == []
    await readers.submit("ann", 900, SPEED)
    assert await speed.points() == [(1, 900)]
    assert await first.is_silent()


async def test_watchers_are_told_when_a_day_is_made_final(readers: Readers, watch: BoardWatch) -> None:
    ear = Ear()
    await watch.watch(FIRST, ear)
    before = msgspec.json.decode(await ear.next(), type=BoardTop).board
    await readers.store.days.finish(DAY, NOON, "{}")
    after = msgspec.json.decode(await ear.next(), type=BoardTop).board
    assert (before.final, after.final) == (False, True)
    assert not any(row.session for row in before.rows)
    assert all(row.session for row in after.rows)


async def test_who_watches_no_more_is_told_no_more(readers: Readers, watch: BoardWatch) -> None:
    going, staying = Ear(), Ear()
    await watch.watch(FIRST, going)
    await watch.watch(FIRST, staying)
    for ear in (going, staying):
        await ear.next()
    watch.unwatch(FIRST, going)
    watch.unwatch(FIRST, going)
    await readers.submit("bob", 950)
    await staying.next()
    assert going.heard.empty()
    for _ in range(2):
        watch.unwatch(FIRST, staying)
        assert not watch._watched


async def test_nobody_watches_a_day_that_is_to_come(watch: BoardWatch) -> None:
    for day in (TOMORROW, DAY._replace(rules="cadogan")):
        with pytest.raises(NoSuchDay):
            await watch.watch(DayBoard(day, *FIRST[1:]), Ear())
    assert not watch._watched


async def test_a_day_that_is_lost_costs_the_others_nothing(
    readers: Readers, watch: BoardWatch, caplog: pytest.LogCaptureFixture
) -> None:
    await readers.store.days.finish(TOMORROW, NOON, "{}")
    readers.clock.time += 24 * 3_600_000
    lost, kept = Ear(), Ear()
    await watch.watch(FIRST._replace(day=TOMORROW), lost)
    await watch.watch(FIRST, kept)
    for ear in (lost, kept):
        await ear.next()
    readers.clock.time -= 24 * 3_600_000  # the day is to come again
    await readers.submit("bob", 950, FIRST._replace(day=TOMORROW))
    await readers.submit("bob", 950)
    assert (await kept.points())[0] == (1, 950)
    assert "There is no challenge" in caplog.text


async def test_a_follower_has_the_top_then_each_change_and_is_no_watcher_once_it_has_gone(
    readers: Readers, watch: BoardWatch, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(board_watch, "KEEP_ALIVE_SECONDS", 20 * SOON)
    following = follow(watch, FIRST)
    assert await anext(following) is None
    assert await top(following) == (1, 900)
    assert await anext(following) is None  # after a while without news
    await readers.submit("bob", 950)
    assert await top(following) == (1, 950)
    await following.aclose()
    assert not watch._watched


async def test_a_slow_follower_has_the_last_state(readers: Readers, watch: BoardWatch) -> None:
    following, ear = follow(watch, FIRST), Ear()
    await anext(following)
    await watch.watch(FIRST, ear)
    for most in (950, 960):
        await readers.submit("bob", most)
        while (await ear.points())[0] != (1, most):
            pass
    assert await top(following) == (1, 960)
    await following.aclose()


async def top(following: AsyncIterator[Told | None]) -> tuple[int, int]:
    """The rank and the points of the first row that a follower has next."""
    told = await anext(following)
    assert told is not None
    assert told.kind == "board"
    return points(told.frame)[0]


async def test_a_store_that_was_away_is_asked_again(private_server: Server) -> None:
    readers = Readers(RedisStore(private_server.url, session_ttl=0))
    await readers.fill()
    watching, ear = BoardWatch(readers.boards, readers.store.boards, readers.store.days, Meters()), Ear()
    await watching.watch(FIRST, ear)
    await ear.next()
    async with running(watching):
        private_server.kill()
        with pytest.raises(StoreUnavailable):
            await watching.watch(SPEED, Ear())
        await asyncio.sleep(5 * SOON)
        private_server.start()
        await readers.submit("bob", 950)
        assert (await ear.points())[0] == (1, 950)
    await readers.store.close()
