"""How the open sockets are sent away."""

import asyncio
from functools import partial

from service.web.sockets import BATCH, FIRST_RETRY_MS, RETRY_STEP_MS, Sockets


async def test_every_socket_is_sent_away_once_each_with_its_own_time_and_others_have_turns_between() -> None:
    sockets, told, seen = Sockets(), dict[int, int](), set[int]()

    async def look_on() -> None:
        while len(told) < 2 * BATCH + 1:
            seen.add(len(told))
            await asyncio.sleep(0)

    for number in range(2 * BATCH + 1):
        sockets.enter(partial(told.__setitem__, number), "here")
    looking = asyncio.create_task(look_on())
    await asyncio.sleep(0)
    await sockets.send_away()
    await looking

    assert seen == {0, BATCH, 2 * BATCH}
    assert sorted(told.values()) == [FIRST_RETRY_MS + RETRY_STEP_MS * number for number in range(2 * BATCH + 1)]


async def test_a_socket_that_has_gone_is_not_sent_away_and_one_that_comes_later_is_at_once() -> None:
    sockets, gone, late = Sockets(), list[int](), list[int]()
    leave = gone.append
    sockets.enter(leave, "here")
    sockets.exit(leave)
    await sockets.send_away()
    sockets.enter(late.append, "here")

    assert (gone, late) == ([], [FIRST_RETRY_MS])


def test_sockets_are_counted_by_where_they_come_from() -> None:
    sockets, leaves = Sockets(), [list[int]().append for _ in range(3)]
    for leave, address in zip(leaves, ("here", "here", "there"), strict=True):
        sockets.enter(leave, address)
    sockets.exit(leaves[0])

    assert (sockets.total, sockets.of("here"), sockets.of("there"), sockets.of("nowhere")) == (2, 1, 1, 0)
