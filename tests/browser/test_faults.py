"""The network and the service fail in mid game: the board ends as the log does, and the page says what goes on."""

import asyncio
from collections.abc import AsyncIterator, Callable, Coroutine
from contextlib import AsyncExitStack
from pathlib import Path
from typing import Any, TypeAlias

import pytest
import pytest_asyncio
from playwright.async_api import WebSocketRoute, expect

from tests.browser.conftest import Visit
from tests.browser.hands import Mouse, Wish
from tests.browser.table import Table, at_table
from tests.browser.town import events_of, newcomer, seen
from tests.chaos.proxy import Way
from tests.chaos.world import Service
from tests.engine.games import win
from tests.live.client import Guest

Fault: TypeAlias = Callable[[Service], Coroutine[Any, Any, None]]

WIN = win("modern", "pysol:2")
MOVES = 36
EVERY = 9
"""Moves between two faults."""
RETURN = 30.0  # seconds within which a page finds back


@pytest_asyncio.fixture(loop_scope="session")
async def house(client: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[Service]:
    """A service with an embedded store behind a proxy, to be harmed."""
    monkeypatch.setenv("DATA", str(tmp_path / "data"))
    async with AsyncExitStack() as stack:
        service = Service("", tmp_path / "log")
        await service.start()
        stack.push_async_callback(service.drain)
        service.door = f"http://127.0.0.1:{await service.proxy.open(stack)}"
        yield service
        assert service.mistakes() == []


@pytest_asyncio.fixture(loop_scope="session")
async def guest(house: Service) -> AsyncIterator[Guest]:
    async with newcomer(house.door) as one:
        yield one


async def cut(house: Service) -> None:
    """Every link breaks."""
    house.proxy.cut()


async def unheard(house: Service) -> None:
    """What the service says is lost for a while, then every link: a move is made, and nobody is told."""
    await house.proxy.mute(Way.DOWN, 0.5)


async def unsaid(house: Service) -> None:
    """What the page says is lost for a while, then every link."""
    await house.proxy.mute(Way.UP, 0.5)


async def late(house: Service) -> None:
    await house.proxy.delay(0.2, 1.0)


async def killed(house: Service) -> None:
    """The service dies by kill -9, and is there again."""
    house.kill()
    await house.start()


FAULTS: list[Fault] = [cut, unheard, unsaid, late, killed]


@pytest.mark.parametrize("fault", FAULTS, ids=lambda fault: fault.__name__)
async def test_the_board_ends_as_the_log_does(fault: Fault, house: Service, guest: Guest, visit: Visit) -> None:
    session = await guest.deal(WIN.deal, rules=WIN.preset)
    visitor = await visit(guest, at=house.door)
    visitor.excuse("ERR_|WebSocket|Failed to load resource")  # the faults are the test's
    table = await at_table(visitor, session)

    async with asyncio.TaskGroup() as faults:
        for seq in range(1, MOVES + 1):
            if seq % EVERY == 0:
                faults.create_task(fault(house))
                await asyncio.sleep(0)  # so that the fault has begun
            await play(table, seq)

    assert [event["move"] for event in await events_of(guest, session)] == list(WIN.moves[:MOVES])
    await table.must_show(await seen(guest, session))


async def test_a_page_says_that_it_is_cut_off_and_plays_on_when_it_is_back(
    house: Service, guest: Guest, visit: Visit
) -> None:
    session = await guest.deal(WIN.deal, rules=WIN.preset)
    visitor = await visit(guest, at=house.door)
    visitor.excuse("ERR_|WebSocket|Failed to load resource")
    table = await at_table(visitor, session)
    await play(table, 1)
    await expect(table.trouble).to_have_count(0)

    house.proxy.shun({"127.0.0.1"})
    await expect(table.trouble).to_contain_text("Connection lost")
    await table.hear("Connection lost.")
    await Mouse().play(table, wish(2))
    await expect(table.trouble).to_contain_text("Your move waits")
    assert (await table.stand()).seq == 1
    house.proxy.forgive()
    await table.come_back()
    await table.reach(2, within=RETURN)
    await expect(table.trouble).to_have_count(0)

    await table.hear("The connection is back.")
    await table.must_show(await seen(guest, session))


async def test_a_socket_that_says_all_twice_changes_nothing(guest: Guest, house: Service, visit: Visit) -> None:
    session = await guest.deal(WIN.deal, rules=WIN.preset)
    visitor = await visit(guest, at=house.door)
    await visitor.context.route_web_socket("**/v1/**", _doubled)
    table = await at_table(visitor, session)
    for seq in range(1, MOVES + 1):
        await play(table, seq)

    assert [event["move"] for event in await events_of(guest, session)] == list(WIN.moves[:MOVES])
    await table.must_show(await seen(guest, session))
    assert await table.seqs() == list(range(MOVES + 1)), "it never goes back"


def _doubled(page: WebSocketRoute) -> None:
    """Passes on each message twice, but for the hello, which may be said once."""
    server = page.connect_to_server()

    def up(message: str | bytes) -> None:
        server.send(message)
        if '"play"' in str(message):
            server.send(message)

    def down(message: str | bytes) -> None:
        page.send(message)
        if '"event"' in str(message) or '"ack"' in str(message):
            page.send(message)

    page.on_message(up)
    server.on_message(down)


def wish(seq: int) -> Wish:
    """The move that leads to an entry of the log."""
    position, move, _ = WIN.play.steps[seq - 1]
    return Wish.of(position, move, WIN.rules)


async def play(table: Table, seq: int) -> None:
    await Mouse().play(table, wish(seq))
    await table.reach(seq, within=RETURN)
