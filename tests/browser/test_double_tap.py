"""A double tap promotes a card, and does no more where its first half has moved the card already."""

from tests.browser.conftest import Visit
from tests.browser.hands import write
from tests.browser.table import at_table
from tests.browser.town import WIN
from tests.live.client import Guest


async def test_a_double_tap_makes_one_move_and_is_told_of_no_other(visit: Visit, player: Guest) -> None:
    session = await player.deal(WIN.deal, rules=WIN.preset)
    table = await at_table(await visit(player), session)
    assert WIN.moves[0].endswith("G")

    await table.page.mouse.dblclick(*await table.centre(WIN.moves[0][:2]), delay=30)
    await table.reach(1)
    await write(table, WIN.moves[1])  # which is answered after all that was wished before
    await table.reach(2)

    assert (await table.stand()).seq == 2
    assert "Not possible" not in " ".join(await table.said())
