"""How fast commits are, beside the same script sent by redis-py: `python -m tests.bench.commits`.

Thirty sessions commit an entry each in every turn of the loop, over the real store and as redis-py would do it: in one
pipeline of EVALSHAs, or with one awaited call each. All take turns on one server. Each figure is the median of three
rounds; the ratios, of commits a second and of this process's processor time, come last.
"""

import asyncio
from collections.abc import Awaitable, Callable, Iterator
from statistics import median
from time import perf_counter, process_time
from typing import Any, NamedTuple

import msgspec
import uvloop
from redis.asyncio import Redis

from service.engine.log import ENTRY_BYTES, Entry, crc_of, pack
from service.engine.moves import Kind
from service.ports import Commit, StoreUnavailable, Verdict
from service.store.redis import keys
from service.store.redis.scripts import digest, source
from service.store.redis.store import RedisStore
from tests.servers import IN_MEMORY, WHEEL, server
from tests.store.sessions import meta

ROUNDS = 3
TURNS = 400
WARMING = 20
TTL = 7_776_000_000
SESSIONS = [f"{number:032x}" for number in range(30)]

Turn = list[Commit]
Play = Callable[[Turn], Awaitable[None]]


class Cost(NamedTuple):
    """Of one commit, in seconds."""

    passed: float
    worked: float


def turns() -> Iterator[Turn]:
    """The commits of each turn, one for each session."""
    logs = dict.fromkeys(SESSIONS, b"")
    for at in range(TURNS):
        made = []
        for session, tail in logs.items():
            entry = pack(Entry(Kind.RESIGN, time=at), crc_of(tail))
            made.append(
                Commit(
                    session=session,
                    player="ann",
                    seat=0,
                    at=at,
                    crc=crc_of(tail),
                    entry=entry,
                    status="running",
                    closes=False,
                    time=at,
                )
            )
            logs[session] = entry
        yield made


def ours(store: RedisStore, client: Redis) -> Play:
    """The store's own way."""

    async def play(turn: Turn) -> None:
        done = asyncio.get_running_loop().create_future()
        left = len(turn)

        def settle(verdict: Verdict | StoreUnavailable) -> None:
            nonlocal left
            assert verdict is Verdict.COMMITTED
            left -= 1
            if not left:
                done.set_result(None)

        for commit in turn:
            store.sessions.commit(commit, settle)
        await done

    return play


def pipeline(store: RedisStore, client: Redis) -> Play:
    """One pipeline of redis-py's a turn."""

    async def play(turn: Turn) -> None:
        pipe = client.pipeline(transaction=False)
        for commit in turn:
            pipe.evalsha(*_call(commit))
        assert await pipe.execute() == [[0]] * len(turn)

    return play


def awaited(store: RedisStore, client: Redis) -> Play:
    """One call of redis-py's a commit, all at once."""

    async def play(turn: Turn) -> None:
        assert await asyncio.gather(*(client.evalsha(*_call(commit)) for commit in turn)) == [[0]] * len(turn)

    return play


def _call(commit: Commit) -> tuple[Any, ...]:
    session = commit.session
    names = (keys.session_meta(session), keys.session_log(session))
    end = b"" if not commit.at else commit.crc.to_bytes(4, "big")
    facts = keys.session_channel(session), "seat0", "ann", False, commit.at * ENTRY_BYTES, "running", True, commit.time
    return digest(_COMMIT), len(names), *names, TTL, msgspec.msgpack.encode([facts]), end, commit.entry


_COMMIT = source("commit")
OURS = "ours"
WAYS = {OURS: ours, "redis-py-pipeline": pipeline, "redis-py-awaited": awaited}


async def cost(url: str, way: Callable[[RedisStore, Redis], Play]) -> Cost:
    """One round, on sessions that have just begun."""
    store, client = RedisStore(url, TTL), Redis.from_url(url)
    await client.flushall()
    await client.script_load(_COMMIT)
    for session in SESSIONS:
        await store.sessions.create(meta(session))
    play, made = way(store, client), list(turns())
    for turn in made[:WARMING]:
        await play(turn)
    begun = perf_counter(), process_time()
    for turn in made[WARMING:]:
        await play(turn)
    count = len(SESSIONS) * (TURNS - WARMING)
    result = Cost((perf_counter() - begun[0]) / count, (process_time() - begun[1]) / count)
    await store.close()
    await client.aclose()
    return result


def main() -> None:
    with server(WHEEL, *IN_MEMORY) as one:
        rounds = [{name: uvloop.run(cost(one.url, way)) for name, way in WAYS.items()} for _ in range(ROUNDS)]
    costs = {name: Cost(*(median(one[name][part] for one in rounds) for part in range(2))) for name in WAYS}
    print(f"{'':24}{'commits/s':>12}{'µs of our processor':>24}")
    for name, (passed, worked) in costs.items():
        print(f"{name:24}{1 / passed:12,.0f}{worked * 1e6:24.1f}")
    passed, worked = costs.pop(OURS)
    for name, theirs in costs.items():
        print(f"ratio {name} {theirs.passed / passed:.2f}")
        print(f"ratio {name}-processor {theirs.worked / worked:.2f}")


if __name__ == "__main__":
    main()
