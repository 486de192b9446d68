"""Guests, tokens and tickets, with chance that repeats itself and a clock that is set."""

import pytest

from service.protocol.shapes import Player, Ticket
from service.usecases.errors import Unauthorised
from tests.usecases.world import NOON, World


async def test_a_guest_is_made_of_chance_and_the_clock(world: World) -> None:
    player = await world.players.create_guest()

    assert player == Player(
        id="16c6e9c92d99bf35",
        name="Kindly Bittern",
        token="f5b165224a58b791df6af1d8303e61cdc4bb86c3d1c427103c344c4189eb2f1e",
        recovery_code="VNMY4-FE23R-HK1G5-RVCE6",
    )
    stored = await world.players.by_token(player.token)
    assert (stored.id, stored.name, stored.created) == (player.id, player.name, NOON)
    assert player.token not in repr(stored)
    assert player.recovery_code not in repr(stored)


@pytest.mark.parametrize("token", ["", "0" * 64, "\ud800", "💥"])
async def test_a_token_that_was_never_given_is_nobodys(token: str, world: World) -> None:
    await world.players.create_guest()

    with pytest.raises(Unauthorised, match=r"The token is not known, or no longer\."):
        await world.players.by_token(token)


async def test_a_token_is_known_by_every_letter_of_it(world: World) -> None:
    token = (await world.players.create_guest()).token

    with pytest.raises(Unauthorised):
        await world.players.by_token(token.upper())


async def test_a_ticket_names_its_player_once(world: World) -> None:
    player, _ = await world.player(), await world.player()
    ticket = await world.players.issue_ticket(player)
    assert ticket == Ticket(ticket.ticket, 30)

    assert await world.players.by_ticket(ticket.ticket) == player
    with pytest.raises(Unauthorised, match=r"The ticket is not known, or no longer\."):
        await world.players.by_ticket(ticket.ticket)


async def test_a_ticket_is_good_for_30_seconds(world: World) -> None:
    player = await world.player()
    used, late = await world.players.issue_ticket(player), await world.players.issue_ticket(player)

    world.clock.time = NOON + 29_999
    assert await world.players.by_ticket(used.ticket) == player
    world.clock.time = NOON + 30_000
    with pytest.raises(Unauthorised):
        await world.players.by_ticket(late.ticket)


async def test_a_token_is_no_ticket_and_a_ticket_no_token(world: World) -> None:
    made = await world.players.create_guest()
    ticket = await world.players.issue_ticket(await world.players.by_token(made.token))

    with pytest.raises(Unauthorised):
        await world.players.by_ticket(made.token)
    with pytest.raises(Unauthorised):
        await world.players.by_token(ticket.ticket)
