"""axe finds nothing on any screen, in any theme: WCAG 2.2 AA, as far as a program can tell."""

from collections.abc import Callable, Coroutine
from pathlib import Path
from typing import Any, Final

import pytest
from playwright.async_api import Page

from tests.browser.conftest import Visit
from tests.browser.hands import write
from tests.browser.screens import SCREENS, Screen
from tests.browser.table import Table, at_table
from tests.browser.town import Town

AXE: Final = Path(__file__).parents[2] / "clients" / "web" / "node_modules" / "axe-core" / "axe.min.js"
LEVELS: Final = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa"]
THEMES: Final = ["light", "dark", "contrast"]


async def violations(page: Page) -> list[str]:
    """What axe has against a page, a line for each element in each theme."""
    await page.evaluate(f"() => {{ {AXE.read_text()} }}")
    return [one for theme in THEMES for one in await _violations_in(theme, page)]


async def _violations_in(theme: str, page: Page) -> list[str]:
    await page.evaluate("theme => document.documentElement.dataset.theme = theme", theme)
    run = "levels => axe.run(document, {runOnly: levels, resultTypes: ['violations']})"
    found: dict[str, Any] = await page.evaluate(run, LEVELS)
    assert found["passes"], "it has looked at something"
    return [
        f"{theme}: {violation['id']}: {' '.join(map(str, node['target']))}: {node['failureSummary']}"
        for violation in found["violations"]
        for node in violation["nodes"]
    ]


@pytest.mark.parametrize("screen", SCREENS, ids=str)
async def test_axe_finds_nothing(screen: Screen, visit: Visit, town: Town) -> None:
    page = await screen.opened(await visit(town.ada), town)
    assert await violations(page) == []


async def the_menu(table: Table) -> None:
    await table.page.get_by_role("button", name="More").click()


async def a_question(table: Table) -> None:
    await table.page.get_by_role("button", name="Restart").click()


async def the_command_line(table: Table) -> None:
    await write(table, "a1a2")


async def a_pile(table: Table) -> None:
    await table.cell("a1").click(button="right")


async def the_points(table: Table) -> None:
    await table.page.get_by_role("group").locator("summary").first.click()


OPENED: Final[list[Callable[[Table], Coroutine[Any, Any, None]]]] = [
    the_menu,
    a_question,
    the_command_line,
    a_pile,
    the_points,
]


@pytest.mark.parametrize("opened", OPENED, ids=lambda opened: opened.__name__)
async def test_axe_finds_nothing_in_what_is_opened_on_the_board(
    opened: Callable[[Table], Coroutine[Any, Any, None]], visit: Visit, town: Town
) -> None:
    table = await at_table(await visit(town.ada), town.begun)
    await opened(table)
    assert await violations(table.page) == []


async def test_axe_finds_nothing_in_the_first_steps(visit: Visit) -> None:
    page = await (await visit(is_new=True)).open("/")
    await page.get_by_role("complementary").wait_for()
    assert await violations(page) == []
