"""A service of the worker's own with the built client, one Chromium, and visitors who may not complain."""

from collections.abc import AsyncIterator, Awaitable, Callable
from pathlib import Path
from typing import Any

import pytest
import pytest_asyncio
from playwright.async_api import Browser

from service.web.pages import BUILT
from tests.browser import town as towns
from tests.browser.chromium import chromium
from tests.browser.town import Town
from tests.browser.visitors import KNOWN, Visitor, visitor
from tests.live.client import Guest
from tests.live.replica import replica

Visit = Callable[..., Awaitable[Visitor]]


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Has all of these tests run on one event loop, which is the browser's."""
    for item in items:
        if item.path.is_relative_to(Path(__file__).parent) and pytest_asyncio.is_async_test(item):
            item.add_marker(pytest.mark.asyncio(loop_scope="session"), append=False)


@pytest.fixture(scope="session")
def client() -> Path:
    """The folder of the built client."""
    if not (BUILT / "index.html").exists():
        pytest.fail(f"The web client is not built, there is nothing in {BUILT}: run `make client`.", pytrace=False)
    return BUILT


@pytest_asyncio.fixture(scope="session", loop_scope="session")
async def town(client: Path, tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[Town]:
    """The service on an embedded store, with today's challenge, and those who play there."""
    folder = tmp_path_factory.mktemp("service")
    with replica("", folder / "log", DATA=str(folder / "data")) as running:
        date = await towns.keep_days(folder / "data")
        async with towns.town(running.url, date) as peopled:
            yield peopled
        assert "Traceback" not in running.log


@pytest_asyncio.fixture(scope="session", loop_scope="session")
async def browser() -> AsyncIterator[Browser]:
    async with chromium() as started:
        yield started


@pytest_asyncio.fixture(loop_scope="session")
async def visit(browser: Browser, town: Town) -> AsyncIterator[Visit]:
    """Opens profiles, by default of somebody who has been here before; at the end none may have complained."""
    visitors: list[Visitor] = []

    async def one(
        player: Guest | None = None,
        settings: dict[str, Any] | None = None,
        at: str = town.url,
        is_new: bool = False,
        **options: Any,
    ) -> Visitor:
        kept = None if is_new else KNOWN | (settings or {})
        visitors.append(await visitor(browser, at, player, kept, **options))
        return visitors[-1]

    yield one
    for visited in visitors:
        await visited.context.close()
    for visited in visitors:
        visited.must_be_content()


@pytest_asyncio.fixture(loop_scope="session")
async def player(town: Town) -> AsyncIterator[Guest]:
    """A new player."""
    async with towns.newcomer(town.url) as guest:
        yield guest
