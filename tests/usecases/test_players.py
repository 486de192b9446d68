"""Guests, what proves who they are, what they are called, and what is left of them: with chance that repeats itself."""

import pytest

from service.engine.sharing import Mode
from service.protocol import people
from service.usecases.dealing import Wish
from service.usecases.errors import BadRequest, FollowingFull, NameRefused, NoSuchPlayer, NoSuchSession, Unauthorised
from service.usecases.names import NameFault, refusal_of
from tests.usecases.world import NOON, World


async def test_a_guest_is_made_of_chance_and_the_clock(world: World) -> None:
    player = await world.players.create_guest()

    assert player == people.Player(
        id="16c6e9c92d99bf35",
        name="Kindly Bittern",
        token="f5b165224a58b791df6af1d8303e61cdc4bb86c3d1c427103c344c4189eb2f1e",
        recovery_code="VNMY4-FE23R-HK1G5-RVCE6",
        bot=False,
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
    assert ticket == people.Ticket(ticket.ticket, 30)

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


async def test_a_bot_says_so_and_a_name_comes_in_the_language_that_is_asked_for(world: World) -> None:
    bot = await world.players.create_guest("ru", bot=True)
    stored = await world.players.by_token(bot.token)

    assert (bot.name, bot.bot) == ("Отважный Бекас", True)
    assert world.players.profile(stored) == people.Profile(
        id=bot.id, name="Отважный Бекас", bot=True, created_at="2026-11-01T12:00:00.000Z"
    )
    assert await world.players.person(bot.id) == people.Person(bot.id, "Отважный Бекас", bot=True)


async def test_a_recovery_code_gives_one_more_token_however_it_is_typed(world: World) -> None:
    made = await world.players.create_guest()
    player = await world.players.by_token(made.token)
    typed = made.recovery_code.lower().replace("-", " ").replace("1", "l").replace("0", "o")
    tokens = {made.token}
    for code in (made.recovery_code, typed):
        recovered = await world.players.recover(code)
        assert recovered == people.Recovered(made.id, made.name, bot=False, token=recovered.token)
        tokens.add(recovered.token)

    assert len(tokens) == 3
    for token in tokens:
        assert await world.players.by_token(token) == player


@pytest.mark.parametrize("code", ["", "7KQ2M-9XVTA-C4H8R-ZW5EP", "\ud800"])
async def test_a_recovery_code_that_was_never_given_is_nobodys(code: str, world: World) -> None:
    await world.players.create_guest()

    with pytest.raises(Unauthorised, match=r"The recovery code is not known, or no longer\."):
        await world.players.recover(code)


async def test_a_token_is_no_recovery_code_and_a_recovery_code_no_token(world: World) -> None:
    made = await world.players.create_guest()

    with pytest.raises(Unauthorised):
        await world.players.recover(made.token)
    with pytest.raises(Unauthorised):
        await world.players.by_token(made.recovery_code)


async def test_a_new_recovery_code_voids_the_old_one(world: World) -> None:
    made = await world.players.create_guest()
    renewed = await world.players.renew_recovery(await world.players.by_token(made.token))

    assert (await world.players.recover(renewed.recovery_code)).id == made.id
    with pytest.raises(Unauthorised):
        await world.players.recover(made.recovery_code)


async def test_a_player_is_renamed_for_seats_that_are_taken_afterwards(world: World) -> None:
    made = await world.players.create_guest()
    before = await world.create(await world.players.by_token(made.token))
    renamed = await world.players.rename(await world.players.by_token(made.token), "  Ada  L. ")
    player = await world.players.by_token(made.token)
    after = await world.create(player)

    assert renamed == world.players.profile(player)
    assert renamed.name == "Ada L."
    assert [seat.name for seat in (*before.seats, *after.seats)] == [made.name, "Ada L."]
    assert (await world.sessions.view(before.id, player.id)).seats[0].name == made.name


async def test_a_name_that_is_refused_changes_nothing_and_the_reason_is_told(world: World) -> None:
    player = await world.player()
    with pytest.raises(NameRefused, match="looks like, is for those who run") as refusal:
        await world.players.rename(player, "adm1n")

    assert refusal.value.reason == "reserved"
    assert await world.players.person(player.id) == people.Person(player.id, player.name, bot=False)


@pytest.mark.parametrize("fault", NameFault)
def test_there_is_a_sentence_for_every_reason(fault: NameFault) -> None:
    assert str(refusal_of(fault)).endswith(".")


async def test_whoever_is_deleted_is_nobody_and_has_nothing(world: World) -> None:
    made = await world.players.create_guest()
    player, friend = await world.players.by_token(made.token), await world.player()
    ticket = await world.players.issue_ticket(player)
    solo = await world.create(player)
    together = await world.dealing.create(friend, Wish(mode=Mode.TURNS, deal="pysol:1"), None)
    await world.sessions.join(together.id, player, together.invite or "")
    await world.players.follow(friend, player.id)
    await world.players.delete(player)

    for lost in (world.players.by_token(made.token), world.players.recover(made.recovery_code)):
        with pytest.raises(Unauthorised):
            await lost
    with pytest.raises(Unauthorised):
        await world.players.by_ticket(ticket.ticket)
    with pytest.raises(NoSuchPlayer):
        await world.players.person(player.id)
    with pytest.raises(NoSuchSession):
        await world.sessions.view(solo.id, player.id)
    seats = (await world.sessions.view(together.id, friend.id)).seats
    assert [seat.name for seat in seats] == [friend.name]
    assert await world.players.following(friend) == people.Following([])


async def test_a_deletion_that_broke_off_is_called_again_with_the_same_token(world: World) -> None:
    made = await world.players.create_guest()
    player = await world.players.by_token(made.token)
    solo = await world.create(player)
    await world.store.sessions.forget(player.id)  # and here it breaks off

    await world.players.delete(await world.players.by_token(made.token))
    with pytest.raises(Unauthorised):
        await world.players.by_token(made.token)
    with pytest.raises(NoSuchSession):
        await world.sessions.view(solo.id, player.id)


async def test_what_is_asked_while_the_player_is_deleted_comes_too_late(world: World) -> None:
    player, other = await world.player(), await world.player()
    await world.players.delete(player)

    for late in (
        world.players.rename(player, "Ada"),
        world.players.renew_recovery(player),
        world.players.follow(player, other.id),
    ):
        with pytest.raises(Unauthorised, match="The token is not known"):
            await late


async def test_a_player_follows_others_the_newest_first_by_the_names_they_have_now(world: World) -> None:
    player, *others = [await world.player() for _ in range(4)]
    for other in others:
        world.clock.time += 1
        await world.players.follow(player, other.id)
    await world.players.rename(others[2], "Zoë")
    await world.players.unfollow(player, others[1].id)

    told = [people.Followed(others[2].id, "Zoë"), people.Followed(others[0].id, others[0].name)]
    assert await world.players.following(player) == people.Following(told)


async def test_nobody_follows_themselves_or_nobody_or_everybody(world: World) -> None:
    player, other = await world.player(), await world.player()
    with pytest.raises(BadRequest, match="player: there should be another player than yourself"):
        await world.players.follow(player, player.id)
    with pytest.raises(NoSuchPlayer, match="There is no player 'nobody', or no more"):
        await world.players.follow(player, "nobody")

    for number in range(500):
        await world.store.players.follow(player.id, str(number), NOON)
    with pytest.raises(FollowingFull, match="You follow 500 players"):
        await world.players.follow(player, other.id)
