"""The routes of boards, on the real service."""

import asyncio
import json
from collections.abc import Callable, Coroutine, Iterator
from typing import Any

import httpx
import pytest

from service.ports import Store
from service.ports.boards import Board, Result, Scope, Standing
from service.ports.daily import Day, Field, StoredDay
from service.store.redis import keys
from service.store.redis.store import RedisStore
from service.usecases.boards import rank_key
from service.usecases.days import EPOCH, week_of
from tests.web.playing import Guest, Json, done, refused, wrong_fields
from tests.web.running import Running

DAY = Day("2026-02-03", "modern")
BOARD = Board(str(DAY), Scope.FIRST, Field.PEOPLE)
URL = f"/v1/leaderboards/daily/{DAY}"
WEEK = f"{week_of(DAY.date)}/modern"

Do = Callable[[Callable[[Store], Coroutine[Any, Any, Any]]], None]


@pytest.fixture
def do(service: Running) -> Do:
    """Does something with the service's store, on which there is the day, and nothing on its boards."""

    def done(step: Callable[[Store], Coroutine[Any, Any, Any]]) -> None:
        async def steps() -> None:
            store = RedisStore(f"unix://{service.redis.get_connection_kwargs()['path']}", session_ttl=0)
            try:
                await step(store)
            finally:
                await store.close()

        asyncio.run(steps())

    for home in (str(DAY), WEEK, "all/modern"):
        for name in service.redis.keys(keys.board(home, "*", "*")) + service.redis.keys(keys.board_version(home)):
            service.redis.delete(name)
        service.redis.delete(keys.board_removed(home))
    service.redis.delete(keys.day(str(DAY)))
    done(lambda store: store.days.add(STORED))
    return done


STORED = StoredDay(day=DAY, deal="seed:00", difficulty="steady", plan="S", par=1, commitment="c0", committed=0)


def submit(player: str, points: int) -> Callable[[Store], Coroutine[Any, Any, bool]]:
    found = Result(f"run-of-{player}", False, points, 1, 8, 9, 500)
    return lambda store: store.boards.submit(BOARD, Standing(player, rank_key(found), found))


def read(http: httpx.Client, path: str = URL, **query: object) -> Json:
    return done(http.get(path, params=query))  # type: ignore[arg-type]


def told(page: Json) -> list[tuple[int, str | None]]:
    return [(row["rank"], row["player"]["name"]) for row in page["rows"]]


def test_the_top_of_a_day_is_for_everybody_to_see(http: httpx.Client, guest: Guest, rival: Guest, do: Do) -> None:
    for player, points in ((guest.id, 800), (rival.id, 800), ("gone", 900)):
        do(submit(player, points))
    answer = http.get(URL)
    page = done(answer)
    assert (page["date"], page["rules"], page["size"], page["final"], page["next"]) == (*DAY, 3, False, None)
    assert sorted(told(page), key=str) == sorted([(1, None), (2, guest.name), (2, rival.name)], key=str)
    assert answer.headers["cache-control"].startswith("public, max-age=")
    assert "Authorization" not in answer.headers.get("vary", "")
    assert not any({"you", "session"} & row.keys() for row in page["rows"])
    same = guest.get(URL)
    assert (same.content, same.headers["etag"]) == (answer.content, answer.headers["etag"])


def test_pages_go_on_by_their_cursor(http: httpx.Client, do: Do) -> None:
    for number in range(5):
        do(submit(f"p{number}", 100 * number))
    page, points = read(http, limit=2), []
    while True:
        points += [row["points"] for row in page["rows"]]
        if page["next"] is None:
            break
        page = read(http, limit=2, cursor=page["next"])
    assert points == [400, 300, 200, 100, 0]


def test_around_me_is_mine_and_leads_to_my_run_alone(guest: Guest, do: Do) -> None:
    for player, points in ((guest.id, 800), ("a", 700), ("b", 900), ("c", 950)):
        do(submit(player, points))
    answer = guest.get(f"{URL}?view=me&limit=3")
    rows = done(answer)["rows"]
    assert [(row["rank"], row["you"], row.get("session")) for row in rows] == [
        (2, False, None), (3, True, f"run-of-{guest.id}"), (4, False, None),
    ]  # fmt: skip
    assert answer.headers["cache-control"] == "private, no-cache"
    assert "Authorization" in answer.headers["vary"]


def test_ones_own_views_need_a_token(http: httpx.Client, do: Do) -> None:
    for view in ("me", "following"):
        refused(http.get(URL, params={"view": view}), 401, "unauthorised")


def test_those_i_follow_are_shown_with_me(guest: Guest, rival: Guest, http: httpx.Client, do: Do) -> None:
    for player, points in ((guest.id, 800), ("a", 900), (rival.id, 950)):
        do(submit(player, points))
    do(lambda store: store.players.follow(guest.id, rival.id, 0))
    assert told(done(guest.get(f"{URL}?view=following"))) == [(1, rival.name), (3, guest.name)]


def test_a_board_that_has_not_changed_is_not_sent_again(http: httpx.Client, do: Do) -> None:
    do(submit("a", 900))
    first = http.get(URL)
    again = http.get(URL, headers={"If-None-Match": first.headers["etag"]})
    assert (again.status_code, again.content) == (304, b"")
    assert again.headers["etag"] == first.headers["etag"]
    assert again.headers["cache-control"] == first.headers["cache-control"]
    assert http.get(URL, headers={"If-None-Match": "*"}).status_code == 304
    do(submit("b", 800))
    changed = http.get(URL, headers={"If-None-Match": first.headers["etag"]})
    assert changed.status_code == 200
    assert changed.headers["etag"] != first.headers["etag"]


def test_when_the_day_is_final_rows_lead_to_their_runs(http: httpx.Client, do: Do) -> None:
    do(submit("a", 900))
    before = http.get(URL)
    do(lambda store: store.days.finish(DAY, 1, "{}"))
    after = http.get(URL, headers={"If-None-Match": before.headers["etag"]})
    [row] = done(after)["rows"]
    assert row["session"] == "run-of-a"
    assert after.json()["final"] is True


def test_periods_have_boards(http: httpx.Client, guest: Guest, do: Do) -> None:
    do(lambda store: store.boards.add_up(Board(WEEK, *BOARD[1:]), guest.id, DAY.date, 1_234, 5))
    page = read(http, f"/v1/leaderboards/{WEEK}")
    assert (page["period"], page["rules"]) == tuple(WEEK.split("/"))
    [row] = page["rows"]
    assert row == {"rank": 1, "player": {"id": guest.id, "name": guest.name}, "total": 1_234}
    [mine] = done(guest.get(f"/v1/leaderboards/{WEEK}?view=me"))["rows"]
    assert mine == row | {"you": True}
    for period in ("all", "2026-02", "week", "month"):
        assert read(http, f"/v1/leaderboards/{period}/modern", field="bots")["rows"] == []


@pytest.mark.parametrize("path", ["2099-01-01/modern", "2026-02-03/cadogan", "2099-01-01/modern/stream"])
def test_a_day_that_is_not_there_has_no_board(http: httpx.Client, do: Do, path: str) -> None:
    refused(http.get(f"/v1/leaderboards/daily/{path}"), 404, "no_such_day")


@pytest.mark.parametrize(
    ("path", "field"),
    [
        ("daily/2026-02-30/modern", "date"),
        ("daily/2025-12-31/modern", "date"),
        ("daily/2026-02-03/pysol", "rules"),
        ("daily/2026-02-03/modern/stream?scope=late", "query.scope"),
        ("daily/2026-02-03/modern?scope=late", "query.scope"),
        ("daily/2026-02-03/modern?field=all", "query.field"),
        ("daily/2026-02-03/modern?view=worst", "query.view"),
        ("daily/2026-02-03/modern?limit=0", "query.limit"),
        ("daily/2026-02-03/modern?limit=101", "query.limit"),
        ("daily/2026-02-03/modern?cursor=x", "cursor"),
        ("fortnight/modern", "period"),
        ("week/pysol", "rules"),
    ],
)
def test_what_names_no_board_is_refused(http: httpx.Client, do: Do, path: str, field: str) -> None:
    assert set(wrong_fields(http.get(f"/v1/leaderboards/{path}"), 400)) == {field}


def test_a_stream_tells_the_top_and_every_change(service: Running, guest: Guest, do: Do) -> None:
    do(submit(guest.id, 800))
    with httpx.stream("GET", f"{service.url}{URL}/stream", timeout=10) as answer:
        assert answer.headers["content-type"].startswith("text/event-stream")
        assert answer.headers["cache-control"] == "no-store"
        lines = answer.iter_lines()
        assert told(next_page(lines)) == [(1, guest.name)]
        do(submit("a", 900))
        assert told(next_page(lines)) == [(1, None), (2, guest.name)]
        do(lambda store: store.boards.remove(str(DAY), "a"))
        assert told(next_page(lines)) == [(1, guest.name)]


def next_page(lines: Iterator[str]) -> Json:
    """The board in the next event of a stream."""
    for line in lines:
        if line == "event: board":
            message: Json = json.loads(next(lines).removeprefix("data: "))
            assert (message["type"], message["topic"]) == ("board", f"board:{DAY}/first/people")
            page: Json = message["board"]
            return page
    raise AssertionError("the stream has ended")


def test_the_first_day_has_a_week_of_its_year(http: httpx.Client) -> None:
    assert read(http, f"/v1/leaderboards/{week_of(EPOCH)}/modern")["rows"] == []
