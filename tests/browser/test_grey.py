"""Cards on a screen without colours: the colour that builds is still to be seen."""

from typing import Any, Final

import pytest

from tests.browser.conftest import Visit
from tests.browser.grey import Grey, grey
from tests.browser.table import at_table
from tests.live.client import Guest

BLACK: Final = ("G1", "G3")
RED: Final = ("G5", "G7")
"""Foundations, where the aces lie."""
PIP: Final = {"art": (0.5, 0.5), "big": (0.5, 0.75)}
"""Where an ace has its large pip, in parts of the card."""
DIFFERENCE: Final = 25
"""Of 255, what one sees at once."""


async def aces(visit: Visit, player: Guest, **settings: Any) -> tuple[list[Grey], list[Grey]]:
    """The black aces and the red ones."""
    table = await at_table(await visit(player, settings), await player.deal())
    black, red = [[await grey(table.cell(place).locator("svg")) for place in places] for places in (BLACK, RED)]
    return black, red


@pytest.mark.parametrize("faces", PIP)
async def test_red_ink_is_lighter_than_black(faces: str, visit: Visit, player: Guest) -> None:
    black, red = await aces(visit, player, suits="two", faces=faces)
    assert min(ace.ink for ace in red) - max(ace.ink for ace in black) > DIFFERENCE


@pytest.mark.parametrize("faces", PIP)
async def test_distinct_suits_are_hollow_where_they_are_red(faces: str, visit: Visit, player: Guest) -> None:
    black, red = await aces(visit, player, suits="distinct", faces=faces)
    solid, hollow = [[ace.at(*PIP[faces]) for ace in ones] for ones in (black, red)]
    assert min(hollow) - max(solid) > 4 * DIFFERENCE
