"""Boards, the same in every store, beside a list that is sorted anew each time, and how Redis keeps them."""

import asyncio
import random

import pytest

from service.ports import Store, StoreUnavailable
from service.ports.boards import MAX_KEY, MEAN_OF, Board, BoardPage, Result, Scope, Standing
from service.ports.daily import Field
from service.store.redis import boards as redis_boards
from service.store.redis import keys
from tests.servers import Server
from tests.store.waiting import opened

HOME = "2026-11-30/modern"
BOARD = Board(HOME, Scope.FIRST, Field.PEOPLE)
BESIDE = [
    BOARD._replace(scope=Scope.OPEN),
    BOARD._replace(scope=Scope.SPEED),
    BOARD._replace(field=Field.BOTS),
    BOARD._replace(field=Field.NEWCOMERS),
    BOARD._replace(home="2026-11-30/cadogan"),
]
WEEK = Board("2026-W49/modern", Scope.FIRST, Field.PEOPLE)
RESULT = Result("5e551010", True, 8_123, 2, 80, 1_123, 9_876)
Keys = dict[str, int]


async def filled(store: Store, rows: Keys, board: Board = BOARD) -> None:
    await asyncio.gather(*(store.boards.submit(board, Standing(player, key)) for player, key in rows.items()))


def random_rows(chance: random.Random, size: int) -> Keys:
    """Many of them share a key."""
    return {f"{chance.getrandbits(32):08x}": chance.randrange(-2, size // 3) for _ in range(size)}


def in_order(rows: Keys) -> list[tuple[int, str, int]]:
    """The rank, the player and the key of each row, by the definition of a rank."""
    places = sorted(rows.items(), key=lambda row: (row[1], row[0]), reverse=True)
    return [(1 + sum(other > key for other in rows.values()), player, key) for player, key in places]


def told(page: BoardPage) -> list[tuple[int, str, int]]:
    return [(row.rank, row.standing.player, row.standing.key) for row in page.rows]


async def whole(store: Store, board: Board = BOARD) -> list[tuple[int, str, int]]:
    """All rows of a board, in one page."""
    page = await store.boards.page(board, None, 1_000)
    assert page.following is None
    assert page.size == len(page.rows)
    return told(page)


async def test_an_empty_board_has_no_rows_and_nobody_stands_on_it(store: Store) -> None:
    nothing = BoardPage([], 0, None)
    assert await store.boards.page(BOARD, None, 10) == nothing
    assert await store.boards.page(BOARD, "5:ann", 10) == nothing
    assert await store.boards.around(BOARD, "ann", 3) == nothing
    assert await store.boards.among(BOARD, ["ann"]) == nothing
    assert await store.boards.among(BOARD, []) == nothing
    assert await store.boards.rank(BOARD, "ann") is None
    assert await store.boards.remove(HOME, "ann") is False


async def test_equals_share_a_rank_and_the_next_one_counts_them_all(store: Store) -> None:
    await filled(store, {"ann": 40, "bob": 30, "cyd": 30, "dee": 20, "eve": 20, "fay": 20, "gus": 0})
    assert [(rank, key) for rank, _, key in await whole(store)] == [
        (1, 40), (2, 30), (2, 30), (4, 20), (4, 20), (4, 20), (7, 0),
    ]  # fmt: skip
    assert [await store.boards.rank(BOARD, player) for player in ("ann", "cyd", "fay", "gus", "hal")] == [
        1, 2, 4, 7, None,
    ]  # fmt: skip


@pytest.mark.parametrize("seed", range(3))
async def test_every_view_is_as_a_sorted_list_has_it(store: Store, seed: int) -> None:
    chance = random.Random(seed)
    rows = random_rows(chance, 60)
    await filled(store, rows)
    model = in_order(rows)
    assert await whole(store) == model
    for at in range(0, len(model), 7):
        rank, player, _ = model[at]
        assert await store.boards.rank(BOARD, player) == rank
        around = await store.boards.around(BOARD, player, 4)
        assert told(around) == model[max(0, at - 4) : at + 5]
        assert around.size == len(model)
    chosen = [*chance.sample(list(rows), 9), "nobody"]
    among = await store.boards.among(BOARD, [*chosen, chosen[0]])
    assert told(among) == [row for row in model if row[1] in chosen]
    assert (among.size, among.following) == (len(model), None)


@pytest.mark.parametrize("limit", [1, 2, 7, 60, 100])
async def test_pages_follow_one_another_to_the_end(store: Store, limit: int) -> None:
    rows = random_rows(random.Random(limit), 60)
    await filled(store, rows)
    pages = [await store.boards.page(BOARD, None, limit)]
    while (cursor := pages[-1].following) is not None:
        pages.append(await store.boards.page(BOARD, cursor, limit))
    assert [len(page.rows) for page in pages[:-1]] == [limit] * (len(pages) - 1)
    assert len(pages) == -(-len(rows) // limit)
    assert [row for page in pages for row in told(page)] == in_order(rows)


@pytest.mark.parametrize("seed", range(6))
async def test_whoever_stands_still_is_on_one_page_whatever_others_do(store: Store, seed: int) -> None:
    chance = random.Random(seed)
    rows = random_rows(chance, 50)
    await filled(store, rows)
    still = set(chance.sample(list(rows), 25))
    read, cursor = [], None
    while True:
        page = await store.boards.page(BOARD, cursor, 4)
        read += told(page)
        if (cursor := page.following) is None:
            break
        last = page.rows[-1].standing.player
        moved = [last, *chance.sample([one for one in rows if one not in still], 3)]
        for player in moved:  # also the one that the cursor names
            if player in still:
                continue
            if chance.random() < 0.4:
                await store.boards.remove(HOME, player)
            else:
                await store.boards.submit(BOARD, Standing(player, chance.randrange(20)))
        await filled(store, {f"new{chance.random()}": chance.randrange(-2, 20) for _ in range(3)})
    of_still = [(player, key) for _, player, key in read if player in still]
    assert of_still == [(player, key) for _, player, key in in_order(rows) if player in still]


async def test_a_page_goes_on_where_a_row_stood_among_many_equals(store: Store) -> None:
    rows = {f"{number:04x}": 7 for number in range(300)}
    await filled(store, rows | {"low": 1, "top": 9})
    model, gone = in_order(rows | {"low": 1, "top": 9}), set()
    for at in (0, 1, 2, 150, 299, 300, 301):
        _, player, key = model[at]
        await store.boards.remove(HOME, player)
        gone.add(player)
        page = await store.boards.page(BOARD, f"{key}:{player}", 3)
        behind = [row[1] for row in model[at + 1 :] if row[1] not in gone]
        assert [row[1] for row in told(page)] == behind[:3]


@pytest.mark.parametrize("cursor", ["", "5", ":ann", "x:ann", "5:", "1.5:ann", "99999999999999999:ann", "5;ann", "-:a"])
async def test_a_cursor_that_no_page_gave_is_refused(store: Store, cursor: str) -> None:
    with pytest.raises(ValueError, match="`next`"):
        await store.boards.page(BOARD, cursor, 3)


async def test_an_equal_or_lower_result_changes_nothing(store: Store) -> None:
    assert await store.boards.submit(BOARD, Standing("ann", 50, RESULT)) is True
    [version] = await store.boards.versions([HOME])
    for key in (50, 49, -3):
        other = RESULT._replace(session="another", points=key)
        assert await store.boards.submit(BOARD, Standing("ann", key, other)) is False
    assert (await store.boards.page(BOARD, None, 5)).rows[0].standing == Standing("ann", 50, RESULT)
    assert await store.boards.versions([HOME]) == [version]


async def test_a_better_result_takes_the_place_of_what_stood(store: Store) -> None:
    better = RESULT._replace(session="another", won=False)
    assert [await store.boards.submit(BOARD, Standing("ann", *row)) for row in ((50, RESULT), (51, better))] == [
        True
    ] * 2
    [row] = (await store.boards.page(BOARD, None, 5)).rows
    assert row.standing == Standing("ann", 51, better)
    assert (await store.boards.among(BOARD, ["ann"])).rows == [row]


async def test_of_results_in_any_order_the_best_stands(store: Store) -> None:
    chance = random.Random(5)
    results = [(f"p{number % 7}", chance.randrange(100)) for number in range(60)]
    await asyncio.gather(
        *(store.boards.submit(BOARD, Standing(player, key, RESULT._replace(points=key))) for player, key in results)
    )
    best = {player: max(key for one, key in results if one == player) for player, _ in results}
    page = await store.boards.page(BOARD, None, 10)
    assert told(page) == in_order(best)
    assert all(row.standing.result == RESULT._replace(points=row.standing.key) for row in page.rows)


@pytest.mark.parametrize("key", [MAX_KEY, -MAX_KEY, 0, MAX_KEY - 1])
async def test_every_key_is_exact(store: Store, key: int) -> None:
    await filled(store, {"ann": key, "bob": max(key - 1, -MAX_KEY), "cyd": min(key + 1, MAX_KEY)})
    [bob, ann, cyd] = [(await store.boards.among(BOARD, [one])).rows[0] for one in ("bob", "ann", "cyd")]
    assert ann.standing.key == key
    assert (bob.rank > ann.rank) == (key > -MAX_KEY)
    assert (ann.rank > cyd.rank) == (key < MAX_KEY)
    page = await store.boards.page(BOARD, None, 2)
    assert told(await store.boards.page(BOARD, page.following, 2)) == (await whole(store))[2:]


@pytest.mark.parametrize("player", ["a:b", "}", "x\r\ny", "\x00", "Königin", "🂡", " ", "5:ann"])
async def test_odd_players_stand_where_they_belong(store: Store, player: str) -> None:
    rows = {player: 5, "ann": 5, "zed": 5, "low": 1}
    await filled(store, rows)
    assert await whole(store) == in_order(rows)
    page = await store.boards.page(BOARD, f"5:{player}", 9)
    assert told(page) == [row for row in in_order(rows) if (row[2], row[1]) < (5, player)]
    await store.boards.remove(HOME, player)
    again = await store.boards.page(BOARD, f"5:{player}", 9)
    assert [row.standing for row in again.rows] == [row.standing for row in page.rows]


async def test_boards_are_apart(store: Store) -> None:
    for number, board in enumerate((BOARD, *BESIDE)):
        await store.boards.submit(board, Standing("ann", number))
    for number, board in enumerate((BOARD, *BESIDE)):
        assert await whole(store, board) == [(1, "ann", number)]


async def test_every_change_is_another_version_of_its_home_alone(store: Store) -> None:
    homes = [HOME, "2026-11-29/modern", WEEK.home]
    assert await store.boards.versions(homes) == [0, 0, 0]
    assert await store.boards.versions([]) == []
    seen = {0}
    changes = (
        lambda: store.boards.submit(BOARD, Standing("ann", 1)),
        lambda: store.boards.submit(BESIDE[0], Standing("ann", 1)),
        lambda: store.boards.submit(BOARD, Standing("ann", 2)),
        lambda: store.boards.remove(HOME, "ann"),
        lambda: store.boards.rebuild(HOME, {}),
    )
    for change in changes:
        await change()
        version, *others = await store.boards.versions(homes)
        assert version not in seen
        assert others == [0, 0]
        seen.add(version)


async def test_whoever_is_taken_off_stays_off_all_boards_of_the_home(store: Store) -> None:
    for board in (BOARD, *BESIDE):
        await filled(store, {"ann": 3, "bob": 2, "cyd": 1}, board)
    assert await store.boards.remove(HOME, "ann") is True
    assert await store.boards.remove(HOME, "ann") is False
    for board in (BOARD, *BESIDE[:-1]):
        assert await store.boards.submit(board, Standing("ann", 99)) is False
        assert await whole(store, board) == [(1, "bob", 2), (2, "cyd", 1)]
    assert await whole(store, BESIDE[-1]) == [(1, "ann", 3), (2, "bob", 2), (3, "cyd", 1)]
    await store.boards.rebuild(HOME, {BOARD: [Standing("ann", 99, RESULT), Standing("bob", 5, RESULT)]})
    assert await whole(store) == [(1, "bob", 5)]
    assert await store.boards.removed(HOME) == {"ann"}


async def test_a_rebuild_leaves_these_boards_and_no_others(store: Store) -> None:
    chance = random.Random(1)
    for board in (BOARD, *BESIDE):
        await filled(store, {"old": 3}, board)
    rows = random_rows(chance, 2 * redis_boards.BATCH + 1)
    standings = [Standing(player, key, RESULT._replace(session=player)) for player, key in rows.items()]
    await store.boards.rebuild(HOME, {BOARD: standings, BESIDE[0]: standings[:3], BESIDE[1]: []})
    model, cursor = in_order(rows), None
    read: list[tuple[int, str, int]] = []
    while len(read) < len(model):
        page = await store.boards.page(BOARD, cursor, 500)
        assert page.size == len(model)
        assert all(row.standing.result == RESULT._replace(session=row.standing.player) for row in page.rows)
        read += told(page)
        cursor = page.following
    assert read == model
    assert await whole(store, BESIDE[0]) == in_order({one.player: one.key for one in standings[:3]})
    for board in BESIDE[1:-1]:
        assert await whole(store, board) == []
    assert await whole(store, BESIDE[-1]) == [(1, "old", 3)]


async def test_a_board_that_was_rebuilt_goes_on(store: Store) -> None:
    await store.boards.rebuild(HOME, {BOARD: [Standing("ann", 5, RESULT)]})
    assert await store.boards.submit(BOARD, Standing("ann", 4)) is False
    assert await store.boards.submit(BOARD, Standing("bob", 5)) is True
    assert [rank for rank, *_ in await whole(store)] == [1, 1]


async def test_days_add_up_to_the_best_of_them_whatever_their_order_and_however_often(store: Store) -> None:
    chance = random.Random(4)
    worth = {f"2026-11-{day:02}": chance.randrange(10_000) for day in range(23, 30)}
    counted = [*worth.items(), *worth.items()]
    chance.shuffle(counted)
    for date, value in counted:
        await store.boards.add_up(WEEK, "ann", date, value, 5)
    best = sum(sorted(worth.values())[-5:])
    assert await whole(store, WEEK) == [(1, "ann", best)]
    [version] = await store.boards.versions([WEEK.home])
    await store.boards.add_up(WEEK, "ann", *counted[0], 5)
    assert await store.boards.versions([WEEK.home]) == [version]


async def test_a_sum_goes_down_with_a_day_that_counts_less_or_no_more(store: Store) -> None:
    for date, value in (("2026-11-23", 10), ("2026-11-24", 20), ("2026-11-23", 4)):
        await store.boards.add_up(WEEK, "ann", date, value, 5)
    assert await whole(store, WEEK) == [(1, "ann", 24)]
    await store.boards.add_up(WEEK, "ann", "2026-11-24", None, 5)
    assert await whole(store, WEEK) == [(1, "ann", 4)]
    for _ in range(2):
        await store.boards.add_up(WEEK, "ann", "2026-11-23", None, 5)
    assert await whole(store, WEEK) == []


async def test_a_mean_needs_its_days_and_is_rounded_down(store: Store) -> None:
    for day in range(1, MEAN_OF):
        await store.boards.add_up(WEEK, "ann", f"2026-11-{day:02}", 100, 0)
    assert await whole(store, WEEK) == []
    await store.boards.add_up(WEEK, "ann", "2026-11-20", 6, 0)
    assert await whole(store, WEEK) == [(1, "ann", 606 // 7)]
    await store.boards.add_up(WEEK, "ann", "2026-11-20", None, 0)
    assert await whole(store, WEEK) == []


async def test_the_days_of_players_and_of_boards_do_not_mix(store: Store) -> None:
    bots = WEEK._replace(field=Field.BOTS)
    for board, player, value in ((WEEK, "ann", 1), (WEEK, "bob", 2), (bots, "ann", 4)):
        await store.boards.add_up(board, player, "2026-11-23", value, 5)
    assert await whole(store, WEEK) == [(1, "bob", 2), (2, "ann", 1)]
    assert await whole(store, bots) == [(1, "ann", 4)]


async def test_whoever_is_taken_off_a_period_counts_there_no_more(store: Store) -> None:
    await store.boards.add_up(WEEK, "ann", "2026-11-23", 9, 5)
    assert await store.boards.remove(WEEK.home, "ann") is True
    await store.boards.add_up(WEEK, "ann", "2026-11-24", 9, 5)
    assert await whole(store, WEEK) == []


async def test_all_that_is_kept_of_a_home_is_under_its_own_keys_and_no_draft_stays(redis_server: Server) -> None:
    async with opened(redis_server.url) as store:
        await store.boards.submit(BOARD, Standing("ann", 1, RESULT))
        await store.boards.remove(HOME, "bob")
        await store.boards.rebuild(HOME, {BOARD: [Standing("ann", 1, RESULT)], BESIDE[2]: [Standing("cyd", 1)]})
        await store.boards.add_up(WEEK, "ann", "2026-11-23", 9, 5)
    control = redis_server.control
    kept = {
        keys.board(*BOARD),
        keys.board_rows(*BOARD),
        keys.board(*BESIDE[2]),
        keys.board_version(HOME),
        keys.board_removed(HOME),
        keys.board(*WEEK),
        keys.board_days(*WEEK, "ann"),
        keys.board_version(WEEK.home),
    }
    assert set(control.keys()) == kept
    assert {control.ttl(name) for name in kept} == {-1}


async def test_a_rebuild_that_stops_half_way_changes_nothing_and_its_draft_goes(
    redis_server: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    control = redis_server.control
    async with opened(redis_server.url) as store:
        await filled(store, {"old": 3})
        with monkeypatch.context() as patch:
            patch.setattr(redis_boards, "DRAFT_SECONDS", 0)  # each part expires at once
            with pytest.raises(StoreUnavailable):
                await store.boards.rebuild(HOME, {BOARD: [Standing("ann", 5, RESULT)]})
        assert await whole(store) == [(1, "old", 3)]
        await store.boards.rebuild(HOME, {BOARD: [Standing("ann", 5, RESULT)]})
        assert await whole(store) == [(1, "ann", 5)]
    assert not control.keys("*draft*")


async def test_a_damaged_result_costs_its_row_alone_what_it_tells(
    redis_server: Server, caplog: pytest.LogCaptureFixture
) -> None:
    async with opened(redis_server.url) as store:
        for player, key in (("ann", 2), ("bob", 1)):
            await store.boards.submit(BOARD, Standing(player, key, RESULT))
        redis_server.control.hset(keys.board_rows(*BOARD), "ann", "[1,")
        page = await store.boards.page(BOARD, None, 5)
    assert [row.standing for row in page.rows] == [Standing("ann", 2), Standing("bob", 1, RESULT)]
    assert "a result is damaged" in caplog.text


async def test_a_store_that_is_away_says_so(private_server: Server) -> None:
    async with opened(private_server.url) as store:
        await filled(store, {"ann": 1})
        private_server.kill()
        for attempt in (store.boards.page(BOARD, None, 5), store.boards.submit(BOARD, Standing("ann", 2))):
            with pytest.raises(StoreUnavailable):
                async with asyncio.timeout(10):
                    await attempt
