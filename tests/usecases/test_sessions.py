"""Sessions in several processes on one store, of which none trusts what it remembers."""

import asyncio
from dataclasses import replace

import pytest

from service.engine.notation import parse_move
from service.ports import Claim, SeatHolder
from service.usecases.commands import Play, Resign
from service.usecases.dealing import Wish
from service.usecases.errors import (
    BadCursor,
    BadRequest,
    CorruptSession,
    IdempotencyKeyReused,
    NoSuchSession,
    NotYourSeat,
    SessionOver,
    Stale,
)
from service.usecases.history import Place
from tests.usecases.world import NOON, World

HOUR_MS = 60 * 60 * 1000


async def test_two_processes_play_one_session_in_turn(world: World) -> None:
    board = await world.dealt(await world.player())
    other = board.elsewhere(world.process())

    for number, move in enumerate(("b1G", "a2b1", "a3a2", "a4a3", "c1G", "a2c1"), start=1):
        mover, watcher = (board, other) if number % 2 else (other, board)
        watcher.seen = await mover.play(move)
        assert mover.seen.seq == number

    assert await world.process().sessions.view(board.id, board.player.id) == board.seen


async def test_a_process_that_remembers_less_plays_on_where_its_client_knew_and_else_tells_what_was_missed(
    world: World,
) -> None:
    board = await world.dealt(await world.player())
    other = board.elsewhere(world.process())
    await other.play("b1G")

    board.seen = other.seen
    await board.play("a2b1", "a3a2")

    with pytest.raises(Stale) as stale:
        await other.play("c2b1")
    assert [event.move for event in stale.value.missed or ()] == ["a2b1", "a3a2"]
    other.seen = board.seen
    assert (await other.play("a4a3")).seq == 4


async def test_of_two_moves_at_once_one_is_played_and_the_other_is_stale(world: World) -> None:
    board = await world.dealt(await world.player())
    processes = [board.elsewhere(world.process()) for _ in range(2)]

    answers = await asyncio.gather(
        *(one.play(move) for one, move in zip(processes, ("b1G", "c1G"), strict=True)), return_exceptions=True
    )

    assert [type(answer).__name__ for answer in answers] == ["Session", "Stale"]
    assert (await world.sessions.view(board.id, None)).seq == 1


async def test_a_session_that_expired_is_gone_also_for_a_process_that_remembers_it() -> None:
    world = World(ttl=HOUR_MS)
    board = await world.dealt(await world.player())
    await board.play("b1G")
    world.clock.time += HOUR_MS - 1
    await board.play("a2b1")
    world.clock.time += HOUR_MS

    with pytest.raises(NoSuchSession, match=f"There is no session '{board.id}', or no more."):
        await board.play("a3a2")
    with pytest.raises(NoSuchSession):
        await world.sessions.view(board.id, board.player.id)


async def test_a_seat_that_was_given_to_another_is_lost_at_once(world: World) -> None:
    board, other = await world.dealt(await world.player()), await world.player()
    await board.play("b1G")
    stored = world.store.sessions._stored[board.id]
    seats = (SeatHolder(other.id, other.name),)
    world.store.sessions._stored[board.id] = replace(stored, meta=replace(stored.meta, seats=seats))

    with pytest.raises(NotYourSeat):
        await board.play("a2b1")
    assert (await world.sessions.view(board.id, None)).seq == 1


async def test_a_session_of_an_exchanged_deal_is_read_anew(world: World) -> None:
    board, other = await world.dealt(await world.player()), await world.dealt(await world.player(), "pysol:2")
    stored = world.store.sessions._stored[board.id]
    world.store.sessions._stored[board.id] = replace(stored, meta=replace(stored.meta, deal="pysol:2"))

    assert (await world.sessions.view(board.id, None)).rows == other.seen.rows != board.seen.rows


async def test_only_so_many_sessions_are_remembered_and_the_others_are_read_again(world: World) -> None:
    player, process = await world.player(), world.process(cached=2)
    boards = [(await world.dealt(player)).elsewhere(process) for _ in range(4)]
    for move in ("b1G", "a2b1"):
        for board in boards:
            await board.play(move)

    assert [board.seen.seq for board in boards] == [2] * 4
    assert list(process.sessions._histories._kept) == [board.id for board in boards[2:]]


async def test_who_has_no_seat_plays_nothing_not_even_what_was_played(world: World) -> None:
    board = await world.dealt(await world.player())
    board.player = await world.player()

    for at in (None, Place(5)):
        with pytest.raises(NotYourSeat):
            await board.do(Play(parse_move("b1G")), at=at)


async def test_an_idempotency_key_makes_one_session_however_often_and_whoever_creates_it(world: World) -> None:
    player = await world.player()
    first = await world.create(player, "random", key="key")
    world.clock.time += HOUR_MS

    again = await world.process().dealing.create(player, Wish(deal="random"), "key")

    assert again == first
    with pytest.raises(IdempotencyKeyReused):
        await world.create(player, "random", rules="cadogan", key="key")
    assert len((await world.sessions.page(player, None, 10)).sessions) == 1


async def test_a_session_that_was_claimed_and_then_not_created_is_created_by_the_next_request(world: World) -> None:
    player = await world.player()
    made = await world.create(player, "42", key="key")
    claim = world.store.sessions._claims[player.id, "key"]
    del world.store.sessions._stored[made.id]
    world.clock.time += 1

    again = await world.create(player, "42", key="key")

    assert again == made
    assert isinstance(claim, Claim)
    assert claim.created == NOON


@pytest.mark.parametrize(
    ("rules", "deal", "field"), [("whist", "1", "rules"), ("modern", "x", "deal"), ("whist", "x", "rules")]
)
async def test_what_cannot_be_dealt_is_a_bad_request_that_names_its_field(
    rules: str, deal: str, field: str, world: World
) -> None:
    player = await world.player()

    with pytest.raises(BadRequest) as error:
        await world.create(player, deal, rules, key="key")
    assert error.value.field == field
    await world.create(player, key="key")


async def test_a_cursor_that_no_page_gave_is_a_bad_request(world: World) -> None:
    with pytest.raises(BadCursor, match="cursor: there should be the `next` of a page before"):
        await world.sessions.page(await world.player(), "x", 10)


async def test_a_bad_log_is_never_played_on(world: World) -> None:
    board = await world.dealt(await world.player())
    await board.play("b1G")
    stored = world.store.sessions._stored[board.id]
    world.store.sessions._stored[board.id] = replace(stored, log=stored.log[:9])

    for process in (world.here, world.process()):
        with pytest.raises(CorruptSession, match=f"The log of session {board.id} cannot be read: entry 1: "):
            await board.elsewhere(process).play("a2b1")
    assert world.store.sessions._stored[board.id].log == stored.log[:9]


async def test_a_game_that_is_over_takes_nothing_from_anybody(world: World) -> None:
    board = await world.dealt(await world.player())
    other = board.elsewhere(world.process())
    await board.do(Resign())
    other.seen = board.seen

    for one in (board, other):
        with pytest.raises(SessionOver, match=r"The session is over: resigned\."):
            await one.play("b1G")
