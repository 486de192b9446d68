"""A command is recognised by its place and its content; anything else at a place that is past is stale."""

import pytest

from service.engine.notation import parse_move
from service.usecases.commands import Command, Play, Redo, Resign, Restart, Undo
from service.usecases.errors import NothingTo, SessionOver, Stale
from service.usecases.history import Place
from tests.usecases.world import Board, World
from tests.web.playing import GROUP, ONE_LEFT, TO_AND_FRO

B1G = Play(parse_move("b1G"))


@pytest.mark.parametrize(
    ("before", "command", "then"),
    [
        ((), B1G, Undo()),
        ((B1G,), Play(parse_move("a2b1")), Restart()),
        ((B1G,), Undo(), Redo()),
        ((B1G,), Undo(by_group=False), Redo()),
        ((B1G, Undo()), Redo(), Undo()),
        ((B1G, Undo()), Redo(by_group=False), Undo()),
        ((B1G,), Restart(), Redo()),
        ((), Resign(), None),
        ((B1G,), Resign(), None),
    ],
)
@pytest.mark.parametrize("with_crc", [True, False])
async def test_every_kind_of_command_is_recognised_when_it_comes_again(
    before: tuple[Command, ...], command: Command, then: Command | None, with_crc: bool, world: World
) -> None:
    board = await world.dealt(await world.player())
    for earlier in before:
        await board.do(earlier)
    place = board.place if with_crc else Place(board.place.seq)
    first = await board.do(command)
    world.clock.time += 60_000
    if then:
        await board.do(then)
    length = board.seen.seq

    assert await board.do(command, at=place) == first
    assert (await world.sessions.view(board.id, board.player.id)).seq == length


async def test_a_retry_is_recognised_by_a_process_that_did_not_see_the_first(world: World) -> None:
    board = await world.dealt(await world.player())
    first = await board.do(B1G)
    await board.play("a2b1")

    assert await board.elsewhere(world.process()).do(B1G, at=Place(0, 0)) == first


async def test_the_winning_move_is_recognised_after_the_end(world: World) -> None:
    board = await world.dealt(await world.player(), ONE_LEFT)
    won = await board.play("a1G")

    assert await board.do(Play(parse_move("a1G")), at=Place(0, 0)) == won
    with pytest.raises(SessionOver, match=r"The session is over: won\."):
        await board.do(Play(parse_move("a1G")))


async def test_an_undo_of_one_step_and_of_a_group_of_one_are_the_same_command(world: World) -> None:
    board = await world.dealt(await world.player())
    await board.play("b1G")
    place = board.place
    undone = await board.do(Undo(by_group=True))

    assert await board.do(Undo(by_group=False), at=place) == undone


async def test_an_undo_of_one_step_is_no_undo_of_a_group_of_four(world: World) -> None:
    board = await world.dealt(await world.player())
    await board.play(*GROUP)
    place = board.place
    await board.do(Undo(by_group=True))

    with pytest.raises(Stale) as stale:
        await board.do(Undo(by_group=False), at=place)
    assert [(event.kind, event.count) for event in stale.value.missed or ()] == [("undo", 4)]


@pytest.mark.parametrize("command", [Play(parse_move("c1G")), Undo(), Redo(), Restart(), Resign()])
async def test_another_command_on_a_place_that_is_past_is_stale_whether_it_was_possible_there_or_not(
    command: Command, world: World
) -> None:
    board = await world.dealt(await world.player())
    await board.play("b1G")

    with pytest.raises(Stale, match=r"The session has gone on to 1 since 0\.") as stale:
        await board.do(command, at=Place(0, 0))
    assert [event.move for event in stale.value.missed or ()] == ["b1G"]
    assert stale.value.session == await world.sessions.view(board.id, board.player.id)


async def test_a_command_that_was_refused_is_refused_again(world: World) -> None:
    board = await world.dealt(await world.player())

    for _ in range(2):
        with pytest.raises(NothingTo, match=r"There is nothing to undo\."):
            await board.do(Undo())
    assert (await world.sessions.view(board.id, None)).seq == 0


async def to_and_fro(board: Board, moves: int) -> None:
    for number in range(moves):
        await board.play("e1c1" if number % 2 else "c1e1")


async def test_500_missed_entries_are_told_one_by_one_and_501_are_not(world: World) -> None:
    board = await world.dealt(await world.player(), TO_AND_FRO)
    await to_and_fro(board, 501)

    with pytest.raises(Stale, match=r"The session has gone on to 501 since 1\.") as stale:
        await board.do(Resign(), at=Place(1))
    assert [event.seq for event in stale.value.missed or ()] == list(range(2, 502))
    with pytest.raises(Stale, match=r"or too far back: begin again from the session\.") as stale:
        await board.do(Resign(), at=Place(0, 0))
    assert stale.value.missed is None
    assert stale.value.session.seq == 501

    told = await board.events(after=1)
    assert [event.seq for event in told.events or ()] == list(range(2, 502))
    reset = (await board.events(after=0)).reset
    assert reset == stale.value.session


async def test_a_retry_is_recognised_however_far_back(world: World) -> None:
    board = await world.dealt(await world.player(), TO_AND_FRO)
    first = await board.play("c1e1")
    await board.play("e1c1")
    await to_and_fro(board, 510)

    assert await board.do(Play(parse_move("c1e1")), at=Place(0, 0)) == first
