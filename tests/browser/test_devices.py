"""Several pages on one session: two devices of one player, and players who share a board."""

from playwright.async_api import expect

from tests.browser.conftest import Visit
from tests.browser.hands import Mouse, Wish
from tests.browser.table import Table, at_table
from tests.browser.town import joined, newcomer, seen
from tests.engine.games import win
from tests.live.client import Guest

WIN = win("modern", "pysol:2")


async def play(table: Table, seq: int) -> None:
    """Makes the move that leads to an entry of the log."""
    position, move, _ = WIN.play.steps[seq - 1]
    await Mouse().play(table, Wish.of(position, move, WIN.rules))


async def test_the_second_device_shows_the_move_of_the_first(visit: Visit, player: Guest) -> None:
    session = await player.deal(WIN.deal)
    one, other = [await at_table(await visit(player), session) for _ in range(2)]
    for seq in range(1, 21):
        await play((one, other)[seq % 2], seq)
        await one.reach(seq)
        await other.reach(seq)
    for table in one, other:
        await table.must_show(await seen(player, session))
        assert await table.seqs() == list(range(21))


async def test_both_devices_move_at_once_and_one_move_is_made(visit: Visit, player: Guest) -> None:
    session = await player.deal(WIN.deal)
    one, other = [await at_table(await visit(player), session) for _ in range(2)]
    await play(one, 1)
    await play(other, 1)
    await one.reach(1)
    await other.reach(1)
    now = await seen(player, session)
    assert now["seq"] == 1
    for table in one, other:
        await table.must_show(now)


async def test_a_friend_joins_by_the_invitation_and_both_play(visit: Visit, player: Guest) -> None:
    session = await player.deal(WIN.deal, mode="turns", seats=2)
    mine = await at_table(await visit(player), session)
    async with newcomer(str(player.http.base_url)) as friend:
        page = await (await visit(friend)).open(f"/join/{session['id']}#{session['invite']}")
        await page.get_by_role("button", name="Join").click()
        theirs = Table(page)
        await theirs.reach(0)
        for seq in range(1, 13):
            await play((mine, theirs)[(await seen(player, session))["turn"]], seq)
            await mine.reach(seq)
            await theirs.reach(seq)
        await mine.must_show(await seen(player, session))
        await theirs.must_show(await seen(friend, session))


async def test_a_phrase_is_heard_by_the_others(visit: Visit, player: Guest) -> None:
    session = await player.deal(WIN.deal, mode="free_hands", seats=2)
    async with newcomer(str(player.http.base_url)) as friend:
        await joined(friend, session)
        mine, theirs = [await at_table(await visit(one), session) for one in (player, friend)]
        await expect(mine.here).to_have_count(2)
        await theirs.page.get_by_role("button", name="Say something").click()
        await theirs.page.get_by_role("button", name="Well played").click()
        await mine.hear("says: Well played")
