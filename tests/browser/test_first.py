"""Somebody comes for the first time: a board, no form, and a page that is honest when there is no network."""

from typing import Any

import httpx
import pytest
from playwright.async_api import Page, expect

from tests.browser.conftest import Visit
from tests.browser.hands import write
from tests.browser.table import Table
from tests.browser.town import Town
from tests.live.client import Guest


async def landed(page: Page) -> Table:
    """The board of a new guest, with the first steps seen through."""
    table = Table(page)
    await table.reach(0)
    return table


async def play_any(table: Table) -> None:
    """Makes a move that the service says is possible."""
    stand = await table.stand()
    token = await table.page.evaluate("JSON.parse(localStorage.player).token")
    async with httpx.AsyncClient(base_url=table.page.url, headers={"Authorization": f"Bearer {token}"}) as http:
        legal = (await http.get(f"/v1/sessions/{stand.session}")).json()["legal"]
    await write(table, legal[0]["move"])
    await table.reach(stand.seq + 1)


async def test_one_lands_on_a_board_and_plays_without_any_form(visit: Visit) -> None:
    page = await (await visit(is_new=True)).open("/")
    table = await landed(page)
    assert await page.locator("input:visible, form:visible").count() == 0
    await play_any(table)


async def test_the_game_goes_on_after_the_page_is_loaded_anew(visit: Visit) -> None:
    visitor = await visit(is_new=True)
    table = await landed(await visitor.open("/"))
    await play_any(table)
    stand = await table.stand()
    await table.page.goto(f"{visitor.url}/")
    await table.reach(stand.seq)
    assert await table.stand() == stand


async def test_three_steps_are_shown_once(visit: Visit) -> None:
    visitor = await visit(is_new=True)
    page = await visitor.open("/")
    coach = page.get_by_role("complementary", name="How it is played")
    for step in 1, 2, 3:
        await expect(coach).to_contain_text(f"{step} of 3")
        await coach.get_by_role("button", name="Play" if step == 3 else "Next").click()
    await expect(coach).to_have_count(0)
    await page.reload()
    await (await landed(page)).root.wait_for()
    await expect(coach).to_have_count(0)


@pytest.mark.parametrize(
    ("locale", "language", "heading"),
    [("ru-RU", "ru", "Настройки"), ("es-MX", "es", "Ajustes"), ("fr-FR", "en", "Settings")],
)
async def test_it_speaks_the_language_of_the_browser(locale: str, language: str, heading: str, visit: Visit) -> None:
    page = await (await visit(is_new=True, locale=locale)).open("/settings")
    await expect(page.locator("html")).to_have_attribute("lang", language)
    await expect(page.get_by_role("heading", level=1)).to_have_text(heading)


async def test_without_a_network_it_says_so_and_shows_what_it_has(visit: Visit) -> None:
    visitor = await visit(is_new=True)
    visitor.excuse("ERR_INTERNET_DISCONNECTED|Failed to load resource|WebSocket")
    page = (await landed(await visitor.open("/"))).page
    await page.evaluate("navigator.serviceWorker.ready")
    await visitor.context.set_offline(offline=True)  # which cuts no socket: test_faults.py does
    for path, heading in ("/settings", "Settings"), ("/rules", "Rules"):
        await page.goto(visitor.url + path)
        await expect(page.get_by_role("heading", level=1)).to_have_text(heading)
    await page.goto(f"{visitor.url}/")
    await expect(page.get_by_text("This device is offline")).to_be_visible()
    await visitor.context.set_offline(offline=False)
    await page.goto(f"{visitor.url}/")
    await landed(page)


async def test_it_can_be_installed(visit: Visit) -> None:
    visitor = await visit()
    page = await visitor.open("/settings")
    await page.evaluate("navigator.serviceWorker.ready")
    tools = await visitor.context.new_cdp_session(page)
    manifest: dict[str, Any] = await tools.send("Page.getAppManifest")
    assert (manifest["url"], manifest["errors"]) == (f"{visitor.url}/manifest.webmanifest", [])
    errors = (await tools.send("Page.getInstallabilityErrors"))["installabilityErrors"]
    assert [error["errorId"] for error in errors if error["errorId"] != "in-incognito"] == []


async def test_keys_are_told_by_their_place_not_by_their_letter(visit: Visit, player: Guest, town: Town) -> None:
    session = await player.deal("pysol:2")
    visitor = await visit(player)
    table = Table(await visitor.open(f"/play/{session['id']}"))
    await table.reach(0)
    await table.begin()
    tools = await visitor.context.new_cdp_session(table.page)
    cyrillic = {"KeyN": "\N{CYRILLIC SMALL LETTER TE}", "Enter": "\r", "KeyU": "\N{CYRILLIC SMALL LETTER GHE}"}
    for seq, (code, letter) in enumerate(cyrillic.items()):
        for kind in "keyDown", "keyUp":
            await tools.send("Input.dispatchKeyEvent", {"type": kind, "code": code, "key": letter, "text": letter})
        await table.reach(seq)
    await table.hear("One step taken back.")
