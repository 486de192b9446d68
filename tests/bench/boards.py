"""How fast a large board is, beside a bare ZREVRANK on it: `python -m tests.bench.boards [ROWS]`.

A million rows, or as many as are asked for, are loaded straight into Redis. Then the store ranks players, turns pages,
looks around players and takes results, one after the other over one connection, and the same client says a bare
ZREVRANK. In each round every one of them has its turn; each figure is the median of the rounds.
"""

import random
import socket
import sys
from collections.abc import Awaitable, Callable, Iterator
from itertools import count, islice
from statistics import median, quantiles
from time import perf_counter
from typing import Any, NamedTuple

import msgspec
import uvloop

from service.ports.boards import Board, Result, Scope, Standing
from service.ports.daily import Field
from service.store.redis import keys
from service.store.redis.store import RedisStore
from service.usecases.boards import rank_key
from tests.servers import IN_MEMORY, WHEEL, Server, server

ROWS = 1_000_000
ROUNDS = 5
CALLS = 1_000
BATCH = 500
LIMIT = 20
BOARD = Board("2026-11-30/modern", Scope.FIRST, Field.PEOPLE)
BARE = "ZREVRANK"

Call = Callable[[Standing], Awaitable[None]]


class Cost(NamedTuple):
    """Of one call: from the client and back, and of the server's processor alone; in microseconds."""

    p50: float
    p99: float
    worked: float


def rows(size: int) -> Iterator[Standing]:
    """Players in no order, about half of whom have won; many share a key."""
    chance = random.Random(size)
    for _ in range(size):
        won = chance.random() < 0.5
        promoted = 80 if won else chance.randrange(80)
        tempo, assists = chance.randrange(promoted * 20 + 1), chance.randrange(4)
        points = max(0, 100 * promoted + tempo + 1000 * won - 50 * assists)
        result = Result(f"{chance.getrandbits(128):032x}", won, points, assists, promoted, tempo, 9_000)
        yield Standing(f"{chance.getrandbits(64):016x}", rank_key(result), result)


def load(one: Server, size: int) -> tuple[float, list[Standing]]:
    """Has the server hold the board, and answers the bytes of a row there, and some rows from all over it."""
    before = used_memory(one)
    sets, hashes = keys.board(*BOARD).encode(), keys.board_rows(*BOARD).encode()
    made, sample = rows(size), []
    with socket.socket(socket.AF_UNIX) as link:
        link.connect(str(one.socket))
        replies = link.makefile("rb")
        while standings := list(islice(made, BATCH)):
            scores = [part for row in standings for part in (b"%d" % row.key, row.player.encode())]
            results = [part for row in standings for part in (row.player.encode(), msgspec.json.encode(row.result))]
            link.sendall(packed(b"ZADD", sets, *scores) + packed(b"HSET", hashes, *results))
            assert [replies.readline() for _ in range(2)] == [b":%d\r\n" % len(standings)] * 2
            sample.append(standings[0])
    return (used_memory(one) - before) / size, random.Random(size).sample(sample, min(CALLS, len(sample)))


def packed(*words: bytes) -> bytes:
    """A command as the protocol of Redis has it."""
    return b"*%d\r\n" % len(words) + b"".join(b"$%d\r\n%b\r\n" % (len(word), word) for word in words)


def used_memory(one: Server) -> int:
    return int(one.control.info("memory")["used_memory"])


def calls(store: RedisStore) -> dict[str, Call]:
    """What is measured, each about a row that was loaded; a submission takes another one."""
    name, more = keys.board(*BOARD), count(1)

    async def bare(row: Standing) -> None:
        await store._client.ask(name, (BARE, name, row.player))

    async def rank(row: Standing) -> None:
        assert await store.boards.rank(BOARD, row.player)

    async def around(row: Standing) -> None:
        assert (await store.boards.around(BOARD, row.player, LIMIT // 2)).rows

    async def page(row: Standing) -> None:
        assert (await store.boards.page(BOARD, f"{row.key}:{row.player}", LIMIT)).rows

    async def page_behind_gone(row: Standing) -> None:
        assert (await store.boards.page(BOARD, f"{row.key}:{row.player}+", LIMIT)).rows

    async def submit(row: Standing) -> None:
        assert await store.boards.submit(BOARD, Standing(f"{row.player}+", row.key + next(more), row.result))

    ways = {"rank": rank, "around-me": around, "page": page, "page-behind-gone": page_behind_gone, "submit": submit}
    return {BARE: bare, **ways}


async def cost(one: Server, call: Call, sample: list[Standing]) -> Cost:
    """Of a call about each row of a sample, one after the other."""
    one.control.config_resetstat()
    times = []
    for row in sample:
        begun = perf_counter()
        await call(row)
        times.append(1e6 * (perf_counter() - begun))
    stats: Any = one.control.info("commandstats")
    [worked] = [stats[name]["usec_per_call"] for name in ("cmdstat_evalsha", "cmdstat_zrevrank") if name in stats][:1]
    percentiles = quantiles(times, n=100)
    return Cost(percentiles[49], percentiles[98], worked)


async def measured(one: Server, sample: list[Standing]) -> list[dict[str, Cost]]:
    """What each call costs in each round, of which the first only warms."""
    store = RedisStore(one.url, 0)
    ways = calls(store)
    found = [{name: await cost(one, call, sample) for name, call in ways.items()} for _ in range(1 + ROUNDS)]
    await store.close()
    return found[1:]


def main() -> None:
    size = int(sys.argv[1]) if len(sys.argv) > 1 else ROWS
    with server(WHEEL, *IN_MEMORY) as one:
        each, sample = load(one, size)
        rounds = uvloop.run(measured(one, sample))
    costs = {name: Cost(*(median(one[name][part] for one in rounds) for part in range(3))) for name in rounds[0]}
    print(f"{size:,} rows, {each:.0f} bytes each")
    print(f"{'µs':24}{'p50':>12}{'p99':>12}{'of the server':>16}")
    for name, (p50, p99, worked) in costs.items():
        print(f"{name:24}{p50:12.0f}{p99:12.0f}{worked:16.1f}")
    bare = costs.pop(BARE)
    for name, found in costs.items():
        print(f"ratio {name} {found.p50 / bare.p50:.2f}")


if __name__ == "__main__":
    main()
