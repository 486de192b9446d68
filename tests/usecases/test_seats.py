"""Who has a seat in a session that is shared."""

import pytest

from service.engine.sharing import Mode
from service.ports import StoredPlayer
from service.protocol import shapes
from service.usecases.commands import Resign
from service.usecases.dealing import Wish
from service.usecases.errors import (
    BadRequest,
    IdempotencyKeyReused,
    NoFreeSeat,
    NoSuchSession,
    NotForSpectators,
    SessionOver,
    SoloSession,
    WrongInvite,
)
from tests.usecases.world import Board, World

SHARED = [Mode.FREE_HANDS, Mode.TURNS, Mode.DEPARTMENTS]


async def shared(world: World, player: StoredPlayer, mode: Mode = Mode.FREE_HANDS, seats: int = 2) -> shapes.Session:
    """A new session of the player's, to which others may come."""
    return await world.dealing.create(player, Wish(deal="pysol:1", mode=mode, seats=seats), key=None)


def invite_of(session: shapes.Session) -> str:
    assert session.invite
    return session.invite


@pytest.mark.parametrize("mode", SHARED)
async def test_a_shared_session_has_two_seats_unless_more_are_wished_for(mode: Mode, world: World) -> None:
    player = await world.player()

    made = [await world.dealing.create(player, Wish(mode=mode, seats=seats), key=None) for seats in (None, 2, 4)]

    assert [session.capacity for session in made] == [2, 2, 4]
    assert {session.mode for session in made} == {mode.value}
    assert {len(session.seats) for session in made} == {1}
    assert len({session.invite for session in made}) == 3


@pytest.mark.parametrize(
    ("mode", "seats", "why"),
    [
        (Mode.SOLO, 2, "there should be 1 of them in the mode solo"),
        (Mode.SOLO, 0, "there should be 1 of them in the mode solo"),
        (Mode.TURNS, 1, "there should be 2 to 4 of them in the mode turns"),
        (Mode.DEPARTMENTS, 5, "there should be 2 to 4 of them in the mode departments"),
    ],
)
async def test_a_mode_takes_only_so_many_seats(mode: Mode, seats: int, why: str, world: World) -> None:
    with pytest.raises(BadRequest, match=f"^seats: {why}$"):
        await world.dealing.create(await world.player(), Wish(mode=mode, seats=seats), key=None)


async def test_a_key_comes_back_with_the_same_mode_and_seats_only(world: World) -> None:
    player = await world.player()
    made = await world.dealing.create(player, Wish(mode=Mode.TURNS), "key")

    assert await world.dealing.create(player, Wish(mode=Mode.TURNS, seats=2), "key") == made
    for other in (Wish(), Wish(mode=Mode.TURNS, seats=3), Wish(mode=Mode.DEPARTMENTS)):
        with pytest.raises(IdempotencyKeyReused):
            await world.dealing.create(player, other, "key")


async def test_whoever_joins_sees_the_session_from_the_first_free_seat_and_has_it_listed(world: World) -> None:
    one, other = await world.player(), await world.player()
    session = await shared(world, one)
    world.clock.time += 1000

    joined = await world.process().sessions.join(session.id, other, invite_of(session))

    assert joined.you == 1
    assert joined.seats == [shapes.Seat(0, one.id, one.name), shapes.Seat(1, other.id, other.name)]
    assert joined.legal == session.legal
    assert joined == await world.sessions.view(session.id, other.id)
    for player in (one, other):
        (listed,) = (await world.sessions.page(player, None, 10)).sessions
        assert (listed.id, listed.created_at) == (session.id, session.created_at)


async def test_joining_again_is_answered_alike_and_repairs_the_list_after_a_crash(world: World) -> None:
    one, other = await world.player(), await world.player()
    session = await shared(world, one)
    joined = await world.sessions.join(session.id, other, invite_of(session))
    del world.store.sessions._listed[other.id]
    world.clock.time += 1000

    for _ in range(2):
        assert await world.sessions.join(session.id, other, "whatever") == joined
        assert [listed.id for listed in (await world.sessions.page(other, None, 10)).sessions] == [session.id]


async def test_a_code_is_known_however_it_is_typed(world: World) -> None:
    session = await shared(world, await world.player(), seats=4)
    code = invite_of(session)
    assert len(code) == 9
    typed = [code.lower(), code.replace("-", ""), f" {' '.join(code)}. ".replace("0", "o").replace("1", "l")]

    for text in typed:
        assert (await world.sessions.join(session.id, await world.player(), text)).you is not None


async def test_a_wrong_code_a_full_session_and_one_that_is_over_or_gone_give_no_seat(world: World) -> None:
    one, other, third = [await world.player() for _ in range(3)]
    session = await shared(world, one)
    code = invite_of(session)
    solo = await world.create(one)

    for wrong in ("", "-", code[:-1], code + "0", "é" * 8, "\ud800"):
        with pytest.raises(WrongInvite):
            await world.sessions.join(session.id, other, wrong)
    with pytest.raises(WrongInvite):
        await world.sessions.join(solo.id, other, "")
    with pytest.raises(NoSuchSession):
        await world.sessions.join("nowhere", other, code)
    await Board(world.here, one, session).do(Resign())
    with pytest.raises(SessionOver, match="resigned"):
        await world.sessions.join(session.id, other, code)
    full = await shared(world, one)
    await world.sessions.join(full.id, other, invite_of(full))
    with pytest.raises(NoFreeSeat):
        await world.sessions.join(full.id, third, invite_of(full))
    assert (await world.sessions.page(third, None, 10)).sessions == []


async def test_a_seat_that_is_given_back_goes_to_the_next_and_is_no_longer_listed(world: World) -> None:
    one, other, third = [await world.player() for _ in range(3)]
    session = await shared(world, one)
    await world.sessions.join(session.id, other, invite_of(session))

    for _ in range(2):
        await world.process().sessions.leave(session.id, one)
    assert (await world.sessions.view(session.id, one.id)).you is None
    assert (await world.sessions.page(one, None, 10)).sessions == []
    assert (await world.sessions.join(session.id, third, invite_of(session))).you == 0
    for player in (other, third):
        await world.sessions.leave(session.id, player)
    assert (await world.sessions.view(session.id, None)).seats == []


async def test_nobody_leaves_a_solo_session_or_one_that_is_not_there(world: World) -> None:
    player = await world.player()

    with pytest.raises(SoloSession):
        await world.sessions.leave((await world.create(player)).id, player)
    with pytest.raises(NoSuchSession):
        await world.sessions.leave("nowhere", player)


async def test_whoever_has_left_a_session_without_spectators_sees_it_no_more(world: World) -> None:
    one, other = await world.player(), await world.player()
    session = await world.dealing.create(one, Wish(mode=Mode.TURNS, spectators=False), key=None)
    await world.sessions.join(session.id, other, invite_of(session))
    await world.sessions.leave(session.id, other)

    with pytest.raises(NotForSpectators):
        await world.sessions.view(session.id, other.id)
