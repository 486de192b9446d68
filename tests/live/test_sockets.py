"""How the open sockets are sent away."""

import asyncio
import contextlib
from functools import partial

from service.web.sockets import BATCH, FIRST_RETRY_MS, RETRY_STEP_MS, Sockets


async def test_every_socket_is_sent_away_once_each_with_its_own_time_and_others_have_turns_between() -> None:
    sockets, told, seen = Sockets(), dict[int, int](), set[int]()

    async def look_on() -> None:
        while len(told) < 2 * BATCH + 1:
            seen.add(len(told))
            await asyncio.sleep(0)

    with contextlib.ExitStack() as stack:
        for number in range(2 * BATCH + 1):
            stack.enter_context(sockets.one(partial(told.__setitem__, number)))
        looking = asyncio.create_task(look_on())
        await asyncio.sleep(0)
        await sockets.send_away()
        await looking

    assert seen == {0, BATCH, 2 * BATCH}
    assert sorted(told.values()) == [FIRST_RETRY_MS + RETRY_STEP_MS * number for number in range(2 * BATCH + 1)]


async def test_a_socket_that_has_gone_is_not_sent_away_and_one_that_comes_later_is_at_once() -> None:
    sockets, gone, late = Sockets(), list[int](), list[int]()
    with sockets.one(gone.append):
        pass
    await sockets.send_away()
    with sockets.one(late.append):
        assert late == [FIRST_RETRY_MS]

    assert gone == []
