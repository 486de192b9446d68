"""Boards as people read them."""

from itertools import permutations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from service.ports import Store, StoredPlayer
from service.ports.boards import MAX_KEY, Board, Result, Scope, Standing
from service.ports.daily import Day, Field, StoredDay
from service.protocol.boards import BoardPage, BoardPlayer
from service.store.memory import MemoryStore
from service.telemetry.meters import Meters
from service.usecases.boards import Asked, Boards, DayBoard, rank_key, speed_key
from service.usecases.commands import MAX_ENTRIES
from service.usecases.days import date_of, number_of, today
from service.usecases.errors import BadCursor, NoSuchDay, Unauthorised
from tests.usecases.world import NOON, Clock

DAY = Day(today(NOON), "modern")
TOMORROW = Day(date_of(number_of(DAY.date) + 1), "modern")
FIRST = DayBoard(DAY, Scope.FIRST, Field.PEOPLE)
SPEED = FIRST._replace(scope=Scope.SPEED)
HOME = f"{today(NOON)[:7]}/modern"
NAMES = {"ann": "Ann", "bob": "Bob", "cyd": "Cyd", "dee": "Dee"}
POINTS = {"ann": 900, "bob": 700, "cyd": 700, "dee": 500, "gone": 300}

results = st.builds(
    Result,
    session=st.just("s"),
    won=st.booleans(),
    points=st.integers(0, 20_000),
    assists=st.integers(0, MAX_ENTRIES + 80),
    promoted=st.integers(0, 80),
    tempo=st.integers(0, 6_400),
    tenths=st.integers(0, 10**9),
)


@given(results, results)
def test_a_win_goes_before_points_and_points_before_fewer_assists_and_nothing_else_counts(
    one: Result, other: Result
) -> None:
    def order(result: Result) -> tuple[bool, int, int]:
        return result.won, result.points, -result.assists

    assert (rank_key(one) > rank_key(other)) == (order(one) > order(other))
    assert (rank_key(one) == rank_key(other)) == (order(one) == order(other))
    assert 0 <= rank_key(one) <= MAX_KEY


@given(results, results)
def test_the_faster_win_has_the_larger_key(one: Result, other: Result) -> None:
    assert (speed_key(one) > speed_key(other)) == (one.tenths < other.tenths)
    assert abs(speed_key(one)) <= MAX_KEY


def test_finish_times_in_any_order_rank_the_same() -> None:
    ranked = {
        tuple(
            rank_key(Result("s", False, points, 1, 9, 9, tenths))
            for points, tenths in zip((3, 2, 2), times, strict=True)
        )
        for times in permutations((10, 20, 30))
    }
    assert len(ranked) == 1


def result(player: str, points: int) -> Result:
    return Result(f"run of {player}", points > 800, points, 2, points // 100, points % 100, 1_234)


class Readers:
    """Boards that are filled, on a store in memory or on another."""

    def __init__(self, store: Store | None = None) -> None:
        self.clock = Clock()
        self.store = store or MemoryStore(self.clock.now, session_ttl=0)
        self.boards = Boards(self.store.boards, self.store.players, self.store.days, self.clock, Meters())

    async def fill(self) -> None:
        for player, name in NAMES.items():
            await self.store.players.add(
                StoredPlayer(id=player, name=name, created=0, recovery_digest=player), f"token of {player}"
            )
        for day in (DAY, TOMORROW):
            await self.store.days.add(
                StoredDay(day=day, deal="", difficulty="steady", plan="", par=0, commitment="", committed=0)
            )
        for player, points in POINTS.items():
            await self.submit(player, points)

    async def submit(self, player: str, points: int, board: DayBoard = FIRST) -> None:
        found = result(player, points)
        where = Board(str(board.day), board.scope, board.field)
        await self.store.boards.submit(where, Standing(player, rank_key(found), found))

    async def day(self, view: str = "top", player: str | None = None, **asked: object) -> BoardPage:
        return await self.boards.day(FIRST, Asked(view, player, **asked))  # type: ignore[arg-type]


@pytest.fixture
async def readers() -> Readers:
    filled = Readers()
    await filled.fill()
    return filled


def told(page: BoardPage) -> list[tuple[int, str]]:
    return [(row.rank, row.player.id) for row in page.rows]


ALL = [(1, "ann"), (2, "cyd"), (2, "bob"), (4, "dee"), (5, "gone")]


async def test_a_page_tells_what_it_is_of_and_what_is_behind_it(readers: Readers) -> None:
    page = await readers.day(limit=2)
    assert (page.date, page.rules, page.scope, page.field, page.view) == (DAY.date, "modern", "first", "people", "top")
    assert (page.size, page.final) == (5, False)
    assert told(page) == ALL[:2]
    assert told(await readers.day(cursor=page.next, limit=9)) == ALL[2:]


async def test_rows_show_what_a_run_came_to_under_the_players_name_now(readers: Readers) -> None:
    await readers.store.players.rename("ann", "Queen Ann")
    [row, *_] = (await readers.day()).rows
    assert row.player == BoardPlayer("ann", "Queen Ann")
    assert (row.points, row.won, row.assists, row.promoted, row.tempo) == (900, True, 2, 9, 0)


async def test_the_row_of_a_player_who_is_gone_is_nameless(readers: Readers) -> None:
    assert (await readers.day()).rows[-1].player == BoardPlayer("gone", None)
    await readers.store.players.remove("ann")
    assert (await readers.day()).rows[0].player == BoardPlayer("ann", None)


async def test_the_top_is_the_same_for_everybody(readers: Readers) -> None:
    assert await readers.day(player="bob") == await readers.day()
    assert not any(row.session for row in (await readers.day(player="bob")).rows)


async def test_until_the_day_is_final_only_ones_own_row_leads_to_a_run(readers: Readers) -> None:
    page = await readers.day("me", "cyd")
    assert [(row.player.id, row.session) for row in page.rows if row.session] == [("cyd", "run of cyd")]
    await readers.store.days.finish(DAY, NOON, "{}")
    for page in (await readers.day(), await readers.day("me", "cyd")):
        assert page.final is True
        assert [row.session for row in page.rows] == [f"run of {row.player.id}" for row in page.rows]


async def test_around_me_shows_me_between_others_and_goes_on_below(readers: Readers) -> None:
    page = await readers.day("me", "bob", limit=3)
    assert told(page) == ALL[1:4]
    assert [row.you for row in page.rows] == [False, True, False]
    assert told(await readers.day("me", "bob", cursor=page.next, limit=3)) == ALL[4:]
    assert told(await readers.day("me", "bob", limit=1)) == [(2, "bob")]


async def test_around_somebody_without_a_row_is_nothing(readers: Readers) -> None:
    page = await readers.day("me", "eve")
    assert (page.rows, page.size, page.next) == ([], 5, None)


async def test_those_i_follow_have_their_ranks_among_all_and_so_have_i(readers: Readers) -> None:
    for other in ("ann", "dee", "eve"):
        await readers.store.players.follow("bob", other, NOON)
    page = await readers.day("following", "bob")
    assert told(page) == [(1, "ann"), (2, "bob"), (4, "dee")]
    assert [row.you for row in page.rows] == [False, True, False]
    assert (page.size, page.next) == (5, None)


@pytest.mark.parametrize("view", ["me", "following"])
async def test_ones_own_views_need_a_player(readers: Readers, view: str) -> None:
    with pytest.raises(Unauthorised):
        await readers.day(view)


@pytest.mark.parametrize(("view", "cursor"), [("top", "x"), ("me", "x"), ("following", "1:ann")])
async def test_a_cursor_that_no_page_gave_is_refused(readers: Readers, view: str, cursor: str) -> None:
    with pytest.raises(BadCursor):
        await readers.day(view, "bob", cursor=cursor)


async def test_a_day_that_is_to_come_has_no_board_as_if_there_were_none(readers: Readers) -> None:
    never = DAY._replace(rules="cadogan")
    refusals = []
    for day in (TOMORROW, never):
        with pytest.raises(NoSuchDay) as refused:
            await readers.boards.day(FIRST._replace(day=day), Asked())
        refusals.append(str(refused.value).replace(str(day), "it"))
    assert len(set(refusals)) == 1
    readers.clock.time += 24 * 3_600_000
    assert (await readers.boards.day(FIRST._replace(day=TOMORROW), Asked())).size == 0


async def test_times_are_told_on_the_speed_board_alone(readers: Readers) -> None:
    await readers.submit("ann", 900, SPEED)
    [row] = (await readers.boards.day(SPEED, Asked())).rows
    assert row.seconds == 123.4
    assert not any(row.seconds for row in (await readers.day()).rows)


async def test_whoever_is_taken_off_leaves_the_others_to_move_up(readers: Readers) -> None:
    await readers.store.boards.remove(str(DAY), "ann")
    assert told(await readers.day()) == [(1, "cyd"), (1, "bob"), (3, "dee"), (4, "gone")]


async def test_a_period_adds_up_days(readers: Readers) -> None:
    board = Board(HOME, Scope.FIRST, Field.PEOPLE)
    for player, date, value in (("ann", "1", 5), ("ann", "2", 6), ("bob", "1", 11), ("cyd", "1", 1)):
        await readers.store.boards.add_up(board, player, date, value, 31)
    page = await readers.boards.period(HOME, Field.PEOPLE, Asked())
    assert f"{page.period}/{page.rules}" == HOME
    assert [(row.rank, row.player.name, row.total) for row in page.rows] == [
        (1, "Bob", 11),
        (1, "Ann", 11),
        (3, "Cyd", 1),
    ]
    mine = await readers.boards.period(HOME, Field.PEOPLE, Asked("me", "ann"))
    assert [row.you for row in mine.rows] == [False, True, False]
