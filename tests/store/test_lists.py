"""A player's list of sessions, the same in every store."""

import pytest

from service.ports import Store, StoredSummary
from tests.conftest import OpenStore
from tests.store.sessions import BEGUN, claim, commit, committed, meta
from tests.store.waiting import until


def named(number: int) -> str:
    return f"{number:032x}"


async def create(store: Store, number: int, created: int | None = None, player: str = "ann") -> None:
    """Claims and creates a session, by default that many milliseconds after the beginning."""
    at = BEGUN + number if created is None else created
    await store.sessions.claim(claim(named(number), created=at, player=player))
    assert await store.sessions.create(meta(named(number), created=at))


async def page(store: Store, cursor: str | None = None, limit: int = 10) -> tuple[list[int], str | None]:
    """The numbers of a page's sessions, and the cursor of the next page."""
    found, following = await store.sessions.sessions_of("ann", cursor, limit)
    return [int(summary.meta.id, 16) for summary in found], following


async def test_a_player_without_sessions_has_an_empty_list(store: Store) -> None:
    await create(store, 1, player="bob")
    assert await page(store) == ([], None)


async def test_a_list_tells_what_each_session_is_and_how_long_its_log_is(store: Store) -> None:
    await create(store, 1)
    await create(store, 2)
    await committed(store, commit(session=named(1), status="stuck"))
    found, following = await store.sessions.sessions_of("ann", None, 10)
    assert found == [
        StoredSummary(meta(named(2), created=BEGUN + 2), 0),
        StoredSummary(meta(named(1), created=BEGUN + 1, status="stuck", updated=BEGUN + 1000), 1),
    ]
    assert following is None


async def test_the_newest_come_first_whatever_was_claimed_first(store: Store) -> None:
    for number in (3, 1, 2):
        await create(store, number)
    assert await page(store) == ([3, 2, 1], None)


async def test_sessions_of_one_millisecond_are_all_listed_once(store: Store) -> None:
    for number in range(1, 8):
        await create(store, number, created=BEGUN)
    first, cursor = await page(store, limit=3)
    second, cursor = await page(store, cursor, limit=3)
    third, cursor = await page(store, cursor, limit=3)
    assert first + second + third == [7, 6, 5, 4, 3, 2, 1]
    assert cursor is None


async def test_new_sessions_do_not_move_the_pages_that_follow(store: Store) -> None:
    for number in range(1, 5):
        await create(store, number)
    first, cursor = await page(store, limit=2)
    for number in range(5, 8):
        await create(store, number)
    second, cursor = await page(store, cursor, limit=2)
    assert first + second == [4, 3, 2, 1]
    assert await page(store, cursor, limit=2) == ([], None)


async def test_a_page_that_takes_in_the_very_last_may_be_followed_by_an_empty_one(store: Store) -> None:
    await create(store, 1)
    assert (await page(store, limit=2))[1] is None
    numbers, cursor = await page(store, limit=1)
    assert numbers == [1]
    assert await page(store, cursor, limit=1) == ([], None)


async def test_a_session_that_was_claimed_twice_is_listed_once(store: Store) -> None:
    await create(store, 1)
    await store.sessions.claim(claim(named(1), created=BEGUN + 1))
    assert await page(store) == ([1], None)


async def test_a_claim_that_another_stood_against_is_not_listed(store: Store) -> None:
    await store.sessions.claim(claim(named(1), key="k"))
    await store.sessions.claim(claim(named(2), key="k"))
    await store.sessions.create(meta(named(1)))
    await store.sessions.create(meta(named(2)))
    assert await page(store) == ([1], None)


async def test_claims_whose_sessions_were_never_created_are_left_out_and_end_no_list_early(store: Store) -> None:
    await create(store, 1)
    for number in range(2, 6):
        await store.sessions.claim(claim(named(number), created=BEGUN + number))
    await create(store, 6)
    numbers, cursor = await page(store, limit=2)
    assert numbers == [6]
    numbers, cursor = await page(store, cursor, limit=2)
    assert numbers == []
    assert cursor is not None
    assert await page(store, cursor, limit=3) == ([1], None)


async def test_sessions_that_expired_are_left_out(open_store: OpenStore) -> None:
    store = open_store(100)
    await create(store, 1)
    await create(store, 2)

    async def all_expired() -> bool:
        return await page(store) == ([], None)

    await until(all_expired)
    numbers, cursor = await page(store, limit=2)
    assert numbers == []
    assert await page(store, cursor, limit=2) == ([], None)


async def test_a_list_holds_the_thousand_newest(store: Store) -> None:
    for number in range(1, 1003):
        await store.sessions.claim(claim(named(number), created=BEGUN + number))
    for number in (1, 2, 3, 1002):
        await store.sessions.create(meta(named(number)))
    assert await page(store, limit=2000) == ([1002, 3], None)


@pytest.mark.parametrize(
    "cursor",
    [
        "",
        "1",
        named(1),
        f"1700000000001:{named(1)[1:]}",
        f"170000000000:{named(1)}",
        f"1700000000001:{named(1)}\n",
        f"1700000000001:{named(1).replace('0', 'G')}",
        f"\u0661700000000001:{named(1)}",
        "(1700000000001:" + named(1),
        "+",
        "-",
    ],
)
async def test_a_cursor_that_no_page_gave_is_refused(store: Store, cursor: str) -> None:
    with pytest.raises(ValueError, match=r"^there should be the `next` of a page before$"):
        await store.sessions.sessions_of("ann", cursor, 10)
