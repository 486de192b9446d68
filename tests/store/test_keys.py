"""Keys and scripts: what lies together in a cluster, and that no script goes beyond it."""

import re
from hashlib import sha1
from importlib import resources

import pytest
from redis.crc import key_slot

from service.ports import Problem, Seating, Task, Verdict
from service.store.redis import keys
from service.store.redis.scripts import source
from service.store.redis.store import RedisStore
from tests.servers import Server
from tests.store.sessions import BOB, ID, claim, commit, committed, meta, resignation

SCRIPTS = sorted(
    file.name.removesuffix(".lua") for file in resources.files("service.store.redis").joinpath("lua").iterdir()
)
ASKED = Problem(Task.SOLVE, "modern", "position", 9)


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
    assert keys.player_sessions("p1") == "bc:{p:p1}:sessions"
    assert keys.player_claim("p1", "k") == (
        "bc:{p:p1}:claim:8254c329a92850f6d539dd376f4816ee2764517da5e0235514af433164480d7a"
    )
    assert keys.token("d1") == "bc:{t:d1}"
    assert keys.recovery("d1") == "bc:{r:d1}"
    assert keys.ticket("d1") == "bc:{k:d1}"


def test_an_odd_id_cannot_reach_anothers_key() -> None:
    odd = ["a", "a}", "{a}", "a}:meta", "a}:log", "a}:plans", "a}:sessions", "a}:claim:k", "s:a", ""]
    made = [
        *(name(one) for one in odd for name in (keys.session_meta, keys.session_log, keys.session_plans)),
        *(name(one) for one in odd for name in (keys.player, keys.player_sessions)),
        *(name(one) for one in odd for name in (keys.token, keys.recovery, keys.ticket)),
        *(name(one) for one in odd for name in (keys.report, keys.solver_wanted)),
        keys.SOLVER_JOBS,
        keys.DONE,
        *(keys.player_claim(player, key) for player in odd for key in odd),
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
    assert touched >= own | lists | {keys.player_sessions("ann"), keys.player_claim("ann", "k")}


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
    for _ in range(2):
        await store.jobs.ask(ASKED)
    job = await store.jobs.take()
    assert job
    await store.jobs.ask(ASKED)
    await store.jobs.finish(job)
    await store.close()
    eternal = RedisStore(url, 0)
    await eternal.sessions.create(meta("1" * 32, capacity=2, invite="code"))
    assert await eternal.sessions.join("1" * 32, BOB, "code") is Seating.SEATED
    assert await eternal.sessions.leave("1" * 32, "bob") is True
    assert await committed(eternal, commit(session="1" * 32)) is Verdict.COMMITTED
    await eternal.close()


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
