"""How one likes to play: everything changes at once, and is there the next time."""

from typing import Any, Final

import pytest
from playwright.async_api import Page, expect

from tests.browser.conftest import Visit
from tests.browser.hands import Mouse, Wish
from tests.browser.table import Table, at_table
from tests.browser.town import Town
from tests.engine.games import win
from tests.live.client import Guest

WIN: Final = win("modern", "pysol:2")
MOVES: Final = 12
_BACKGROUND: Final = "getComputedStyle(document.querySelector('main')).backgroundColor"
_FACES: Final = "[...document.querySelectorAll('[data-place] use')].map(use => use.getAttribute('href').split('#')[1])"


async def choose(page: Page, name: str) -> None:
    await page.get_by_role("radio", name=name, exact=True).check()


async def test_a_theme_is_worn_at_once_and_the_next_time(visit: Visit, town: Town) -> None:
    page = await (await visit(town.ada)).open("/settings")
    worn = set()
    for name in "Light", "Dark", "High contrast":
        await choose(page, name)
        worn.add(await page.evaluate(_BACKGROUND))
    assert len(worn) == 3
    await page.reload()
    await expect(page.get_by_role("radio", name="High contrast")).to_be_checked()
    assert await page.evaluate(_BACKGROUND) in worn


async def test_a_dark_device_has_a_dark_page(visit: Visit, town: Town) -> None:
    pages = [await (await visit(town.ada, color_scheme=scheme)).open("/settings") for scheme in ("light", "dark")]
    light, dark = [await page.evaluate(_BACKGROUND) for page in pages]
    assert light != dark


async def test_another_language_is_spoken_at_once_and_on_the_board(visit: Visit, town: Town) -> None:
    page = await (await visit(town.ada)).open("/settings")
    for name, heading, lang in (
        ("Русский", "Настройки", "ru"),
        ("Español", "Ajustes", "es"),
        ("Русский", "Настройки", "ru"),
    ):
        await choose(page, name)
        await expect(page.get_by_role("heading", level=1)).to_have_text(heading)
        await expect(page.locator("html")).to_have_attribute("lang", lang)
    await page.goto(f"{town.url}/play/{town.begun['id']}")
    table = Table(page)
    await table.reach(town.begun["seq"])
    assert (await table.names())["a1"].endswith("Тайный совет 1")


async def test_faces_are_as_large_as_one_likes(visit: Visit, town: Town) -> None:
    async def faces(faces: str, width: int) -> set[str]:
        """What marks the names of the faces that are shown."""
        viewport = {"width": width, "height": 800}
        table = await at_table(await visit(town.ada, {"faces": faces}, viewport=viewport), town.begun)
        shown: list[str] = await table.page.evaluate(_FACES)
        return {"-".join(name.split("-")[1:]) for name in shown if name != "back"}

    assert await faces("art", 1280) == {""}
    assert await faces("big", 1280) == {"big"}
    assert await faces("auto", 1280) == {""}
    assert await faces("auto", 360) == {"big"}


async def moving(table: Table) -> int:
    """How many animations ran while some moves were made."""
    running = 0
    for seq, (position, move, _) in enumerate(WIN.play.steps[:MOVES], 1):
        await Mouse().play(table, Wish.of(position, move, WIN.rules))
        await table.reach(seq)
        running += await table.page.evaluate("document.getAnimations().length")
    return running


@pytest.mark.parametrize(
    ("settings", "profile", "moves"),
    [
        ({}, {}, True),
        ({"motion": "off"}, {}, False),
        ({}, {"reduced_motion": "reduce"}, False),
    ],
    ids=["as the device likes", "none by choice", "none by the device"],
)
async def test_cards_glide_only_where_that_is_liked(
    settings: dict[str, Any], profile: dict[str, Any], moves: bool, visit: Visit, player: Guest
) -> None:
    table = await at_table(await visit(player, settings, **profile), await player.deal(WIN.deal))
    assert bool(await moving(table)) == moves


async def test_forced_colours_leave_the_focus_to_be_seen(visit: Visit, player: Guest) -> None:
    table = await at_table(await visit(player, forced_colors="active"), await player.deal(WIN.deal))
    cell = table.cell("a1")
    without = await cell.screenshot()
    await table.begin()
    await table.page.keyboard.press("ArrowDown")
    await table.page.keyboard.press("ArrowUp")
    assert await table.focus() == "a1"
    assert await cell.screenshot() != without
    outline = "cell => getComputedStyle(cell, '::after').outlineStyle"
    assert await cell.evaluate(outline) != "none"
