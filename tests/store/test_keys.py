"""Keys and scripts: what lies together in a cluster, and that no script goes beyond it."""

import re
from hashlib import sha1
from importlib import resources

import pytest
from redis.crc import key_slot

from service.ports import TOKENS_KEPT, Problem, Seating, StoredPlayer, Task, Verdict
from service.ports.boards import Board, Scope, Standing
from service.ports.daily import Day, Entrant, Field, PlayedDay, RunKind, StoredDay
from service.store.redis import keys
from service.store.redis.scripts import source
from service.store.redis.store import RedisStore
from tests.servers import Server
from tests.store.sessions import BOB, ID, RUN, claim, commit, committed, meta, resignation

SCRIPTS = sorted(
    file.name.removesuffix(".lua") for file in resources.files("service.store.redis").joinpath("lua").iterdir()
)
PLAYER = StoredPlayer(id="ann", name="Ann", created=0, recovery_digest="r")
ASKED = Problem(Task.SOLVE, "modern", "position", 9)
DAY = Day("2026-11-30", "modern")
BOARD = Board(str(DAY), Scope.FIRST, Field.PEOPLE)


def test_every_key_is_what_the_documents_say() -> None:
    assert keys.session_meta("s1") == "bc:{s:s1}:meta"
    assert keys.session_log("s1") == "bc:{s:s1}:log"
    assert keys.session_plans("s1") == "bc:{s:s1}:plans"
    assert keys.session_channel("s1") == "bc:{s:s1}"
    assert keys.report("d1") == "bc:{a:d1}"
    assert keys.SOLVER_JOBS == "bc:{solver}:jobs"
    assert keys.DONE == "bc:{solver}:done"
    assert keys.solver_wanted("d1:9") == "bc:{solver}:wanted:d1:9"
    assert keys.player("p1") == "bc:{p:p1}"
    assert keys.player_tokens("p1") == "bc:{p:p1}:tokens"
    assert keys.player_following("p1") == "bc:{p:p1}:following"
    assert keys.player_days("p1", "modern") == "bc:{p:p1}:days:modern"
    assert keys.DAILY_LEASE == "bc:{daily}:lease"
    assert keys.daily_void("modern") == "bc:{daily}:void:modern"
    assert keys.day("2026-11-30/modern") == "bc:{b:2026-11-30/modern}:day"
    assert keys.day_runs("2026-11-30/modern") == "bc:{b:2026-11-30/modern}:runs"
    assert keys.day_unsettled("2026-11-30/modern") == "bc:{b:2026-11-30/modern}:unsettled"
    assert keys.player_sessions("p1") == "bc:{p:p1}:sessions"
    assert keys.player_claim("p1", "k") == (
        "bc:{p:p1}:claim:8254c329a92850f6d539dd376f4816ee2764517da5e0235514af433164480d7a"
    )
    assert keys.token("d1") == "bc:{t:d1}"
    assert keys.recovery("d1") == "bc:{r:d1}"
    assert keys.ticket("d1") == "bc:{k:d1}"
    board = keys.board("2026-11-30/modern", "first", "people")
    assert board == "bc:{b:2026-11-30/modern}:first:people"
    assert keys.board_rows("h", "speed", "bots") == "bc:{b:h}:speed:bots:rows"
    assert keys.board_days("2026-W49/modern", "first", "people", "p1") == "bc:{b:2026-W49/modern}:first:people:days:p1"
    assert keys.board_draft("h", "t1", "open", "people") == "bc:{b:h}:draft:t1:open:people"
    assert keys.board_draft_rows("h", "t1", "open", "people") == "bc:{b:h}:draft:t1:open:people:rows"
    assert keys.board_version("h") == "bc:{b:h}:version"
    assert keys.board_removed("h") == "bc:{b:h}:removed"


def test_an_odd_id_cannot_reach_anothers_key() -> None:
    odd = ["a", "a}", "{a}", "a}:meta", "a}:log", "a}:plans", "a}:sessions", "a}:tokens", "a}:claim:k", "s:a", ""]
    made = [
        *(name(one) for one in odd for name in (keys.session_meta, keys.session_log, keys.session_plans)),
        *(name(one) for one in odd for name in (keys.player, keys.player_sessions)),
        *(name(one) for one in odd for name in (keys.player_tokens, keys.player_following)),
        *(name(one) for one in odd for name in (keys.token, keys.recovery, keys.ticket)),
        *(name(one) for one in odd for name in (keys.report, keys.solver_wanted)),
        keys.SOLVER_JOBS,
        keys.DONE,
        *(keys.player_claim(player, key) for player in odd for key in odd),
        *(name(one, "first", "people") for one in odd for name in (keys.board, keys.board_rows)),
        *(keys.board_days("h", "first", "people", one) for one in odd),
        *(name(one) for one in odd for name in (keys.board_version, keys.board_removed)),
    ]
    assert len(set(made)) == len(made)


async def test_no_script_touches_a_key_that_it_was_not_given_and_those_it_is_given_share_a_slot(
    redis_server: Server,
) -> None:
    called: set[str] = set()
    touched: set[str] = set()
    with redis_server.control.monitor() as monitor:  # type: ignore[no-untyped-call]  # redis-py leaves it untyped
        await call_every_script_in_every_way(redis_server.url)
        redis_server.control.echo("done")
        given: list[str] = []
        while (said := monitor.next_command())["command"] != "ECHO done":
            name, *words = said["command"].split(" ")
            if name == "EVALSHA":
                script, count, *rest = words
                called.add(script)
                given = rest[: int(count)]
                [slot] = {key_slot(key.encode()) for key in given}
            elif said["client_type"] == "lua" and name != "TIME":
                touches = words[1] if name in {"PUBSUB", "XGROUP"} else words[0]  # behind what it does
                assert touches in given or name in {"PUBSUB", "SPUBLISH"}
                assert key_slot(touches.encode()) == slot
                touched.add(touches)
    assert called == {sha1(source(script).encode()).hexdigest() for script in SCRIPTS}
    own = {name(ID) for name in (keys.session_meta, keys.session_log, keys.session_channel)}
    lists = {keys.SOLVER_JOBS, keys.DONE, keys.solver_wanted(ASKED.name)}
    home = {keys.board(*BOARD), keys.board_rows(*BOARD), keys.board_removed(BOARD.home), keys.board_version(BOARD.home)}
    assert touched >= home | {keys.board_days(*BOARD, "eve")}
    assert touched >= own | lists | {keys.player_sessions("ann"), keys.player_claim("ann", "k")}
    assert touched >= {name(str(DAY)) for name in (keys.day, keys.day_runs, keys.day_unsettled)} | {keys.DAILY_LEASE}
    assert touched >= {
        keys.player("ann"),
        keys.player_days("ann", "modern"),
        keys.player_tokens("ann"),
        keys.player_following("ann"),
    }


async def call_every_script_in_every_way(url: str) -> None:
    store = RedisStore(url, 60_000)
    for key in (None, "k", "k"):
        await store.sessions.claim(claim(key=key))
    assert [await store.sessions.create(meta(capacity=2, invite="code")) for _ in range(2)] == [True, False]
    log = resignation(b"")
    assert await store.sessions.join(ID, BOB, "code") is Seating.SEATED
    for made in (commit(), commit(), commit(player="bob"), commit(log, closes=True), commit(session="0" * 32)):
        await committed(store, made)
    assert [await store.sessions.leave(ID, "bob") for _ in range(2)] == [True, False]
    for token in range(TOKENS_KEPT + 1):
        await store.players.add(PLAYER, str(token))
    assert await store.players.give_token("nobody", "t", 0) is False
    assert await store.players.rename("ann", "Anna")
    for player in ("ann", "ann", "nobody"):
        await store.players.follow(player, "bob", 0)
    await store.sessions.create(meta("2" * 32))
    await store.sessions.claim(claim("2" * 32))
    await store.sessions.forget("ann")
    for _ in range(2):
        await store.jobs.ask(ASKED)
    job = await store.jobs.take()
    assert job
    await store.jobs.ask(ASKED)
    await store.jobs.finish(job)
    await call_every_script_of_boards(store)
    await call_every_script_of_days(store)
    await store.close()
    eternal = RedisStore(url, 0)
    await eternal.sessions.create(meta("1" * 32, capacity=2, invite="code"))
    assert await eternal.sessions.join("1" * 32, BOB, "code") is Seating.SEATED
    assert await eternal.sessions.leave("1" * 32, "bob") is True
    assert await committed(eternal, commit(session="1" * 32)) is Verdict.COMMITTED
    await eternal.close()


async def call_every_script_of_days(store: RedisStore) -> None:
    days, records, session = store.days, store.records, "3" * 32
    day = StoredDay(day=DAY, deal="seed:00", difficulty="gentle", plan="", par=0, commitment="", committed=0)
    for _ in range(2):
        await days.void(DAY)
        await days.finish(DAY, 0, "{}")
        await days.add(day)
        await days.enter(DAY, Entrant(session, "ann", RunKind.FIRST, Field.PEOPLE))
    assert [await days.lease(holder, 60_000) for holder in ("one", "one", "other")] == [True, True, False]
    first = PlayedDay(session, RunKind.FIRST, 0)
    for player in ("ann", "nobody"):
        await records.begin(player, DAY, first)
        await records.conclude(player, DAY, first)
        await records.conclude(player, DAY, first._replace(session="4" * 32))
    await store.sessions.create(meta(session, run=RUN))
    assert await committed(store, commit(session=session)) is Verdict.COMMITTED
    for one in (session, session, "0" * 32):
        await store.sessions.unseal(one)


async def call_every_script_of_boards(store: RedisStore) -> None:
    boards = store.boards
    for player, key in (("ann", 3), ("bob", 2), ("cyd", 2), ("dee", 2), ("ann", 2)):
        await boards.submit(BOARD, Standing(player, key))
    for cursor in (None, "2:cyd", "2:bud", "9:ann"):
        await boards.page(BOARD, cursor, 2)
    for player in ("cyd", "nobody"):
        await boards.around(BOARD, player, 1)
        await boards.rank(BOARD, player)
    for best, value in ((5, 7), (0, 7), (5, None)):
        await boards.add_up(BOARD, "eve", "2026-11-30", value, best)
    assert await boards.remove(BOARD.home, "ann") is True
    assert await boards.submit(BOARD, Standing("ann", 3)) is False
    await boards.add_up(BOARD, "ann", "2026-11-30", 7, 5)
    await boards.rebuild(BOARD.home, {BOARD: [Standing("ann", 3), Standing("bob", 2)]})


@pytest.mark.parametrize("script", SCRIPTS)
def test_a_script_says_what_it_is_for_and_what_it_takes_and_returns(script: str) -> None:
    header, _, body = source(script).partition("\n\n")
    lines = header.splitlines()
    assert all(line == "--" or line.startswith("-- ") for line in lines)
    assert re.match(r"-- [A-Z].*[.,]", lines[0])
    assert re.search(r"^-- returns  \S", header, re.MULTILINE)
    described = re.findall(r"^-- ((?:KEYS|ARGV)\[[\da])[^\]]*\] +\S", header, re.MULTILINE)
    assert described == sorted(described, key=lambda name: (name[:4] == "ARGV", name))
    assert set(described) >= set(re.findall(r"(?:KEYS|ARGV)\[[\da]", body))
