"""Analyses: where a game was lost, as far as it is known, and how it could have been won."""

import asyncio
import random

import msgspec
import pytest

from service.engine.deal import start
from service.engine.moves import apply
from service.engine.notation import parse_deal, parse_move
from service.engine.position import Position
from service.engine.rules import PRESETS
from service.protocol import messages, shapes
from service.solver.results import Answer, Unwinnable, Won
from service.solver.solve import solve
from service.solver.verify import wins
from service.usecases.commands import Resign, Undo
from service.usecases.dealing import Wish
from service.usecases.errors import BadAddress, NotForSpectators, StillSecret
from service.usecases.live import Aside, Update
from tests.usecases.world import Board, World
from tests.web.playing import ONE_LEFT, TO_AND_FRO

MODERN = PRESETS["modern"]
WORDS: dict[type[Answer], str] = {Won: "yes", Unwinnable: "no"}


async def strayed(world: World) -> Board:
    """A game of pysol:1 that was played by chance until it was stuck."""
    board = await world.dealt(await world.player())
    chance = random.Random(0)
    while board.seen.status == "playing":
        await board.play(chance.choice(board.seen.legal).move)
    return board


async def analysed(board: Board, start: int | None = None, wait: float = 25) -> shapes.Analysis:
    return await board.process.analyses.analysis(board.id, board.player.id, start, wait)


def positions(found: shapes.Analysis) -> list[Position]:
    """The positions of pysol:1 that the moves went through."""
    line = [start(parse_deal("pysol:1"), MODERN)]
    for one in found.moves:
        line.append(apply(line[-1], parse_move(one.move), MODERN))
    return line


async def test_it_says_of_every_move_whether_the_game_could_be_won_after_it(world: World) -> None:
    board = await strayed(world)
    found = await analysed(board)

    answers = [solve(position, MODERN, 20_000) for position in positions(found)]
    assert [found.deal, *(one.winnable for one in found.moves)] == [WORDS[type(one)] for one in answers]
    assert found.done
    assert (found.seq, found.crc) == (board.seen.seq, board.seen.crc)
    assert found.lost_at == 1 + (found.winnable_until or 0) == len(found.moves) - 1
    assert found.searches < 7, "eighteen moves have a middle, and so on"


async def test_it_shows_a_win_from_where_the_game_could_last_be_won_or_from_any_move(world: World) -> None:
    board = await strayed(world)
    found = await analysed(board)

    assert found.line_from == found.winnable_until
    for begin in (None, 0, 3):
        one = await analysed(board, begin)
        at = found.line_from if begin is None else begin
        assert (one.line_from, one.line is None) == (at, False)
        assert wins(positions(one)[at or 0], MODERN, map(parse_move, one.line or ()))
    lost = await analysed(board, len(found.moves))
    assert (lost.line_from, lost.line) == (len(found.moves), None)


async def test_only_moves_that_stand_are_looked_at(world: World) -> None:
    board = await strayed(world)
    while board.seen.can_undo:
        await board.do(Undo())
    await board.play("b1G")

    found = await analysed(board)
    assert [one.move for one in found.moves] == ["b1G"]
    with pytest.raises(BadAddress, match="up to 1"):
        await analysed(board, 2)


async def test_a_game_that_is_won_needs_no_search(world: World) -> None:
    board = await world.dealt(await world.player(), ONE_LEFT)
    await board.play("a1G")

    found = await analysed(board)
    assert (found.done, found.deal, found.lost_at, found.line) == (True, "yes", None, [])
    assert (await analysed(board, 0)).line == ["a1G"]
    assert world.solving.asked == []


async def test_a_deal_that_nobody_can_win_is_lost_by_no_move(world: World) -> None:
    board = await world.dealt(await world.player(), TO_AND_FRO)
    await board.play("c1e1")

    found = await analysed(board)
    assert (found.deal, found.lost_at, found.winnable_until, found.line) == ("no", None, None, None)
    assert [one.winnable for one in found.moves] == ["no"]


async def test_when_time_is_up_it_tells_what_it_knows_and_whoever_asks_again_goes_on(world: World) -> None:
    board = await strayed(world)
    whole = await analysed(board)
    searches = len(world.solving.asked)
    other, seen = World(), []
    other.solving.takes = 1000
    board = await strayed(other)
    while not (found := await analysed(board, wait=1)).done:
        seen.append(found)
        assert found.line is None
    assert [one.searches for one in seen] == sorted(one.searches for one in seen)
    assert len(seen) >= 2
    assert found.moves == whole.moves
    assert len(set(other.solving.asked)) == searches
    for one in seen:
        known = [(a.winnable, b.winnable) for a, b in zip(one.moves, whole.moves, strict=True)]
        assert all(early in {"unknown", late} for early, late in known)


async def test_whoever_watches_is_told_of_each_search(world: World) -> None:
    board = await strayed(world)
    heard: list[messages.Analysis] = []

    def hear(news: Update | Aside | None) -> None:
        if isinstance(news, Aside):
            heard.append(msgspec.json.decode(news.frame, type=messages.Analysis))

    running = asyncio.create_task(world.here.live.run())
    await asyncio.sleep(0.01)  # it hears from now on
    await world.here.live.watch(board.id, hear)
    found = await analysed(board)
    await asyncio.sleep(0.01)
    running.cancel()
    await asyncio.gather(running, return_exceptions=True)

    assert [one.searches for one in heard] == list(range(1, found.searches + 1))
    assert {(one.session, one.seq) for one in heard} == {(board.id, board.seen.seq)}


async def test_a_secret_deal_is_not_analysed_before_the_end_and_a_closed_session_not_for_strangers(
    world: World,
) -> None:
    player = await world.player()
    made = await world.dealing.create(player, Wish(deal="secret", spectators=False), None)
    board = Board(world.here, player, made)

    with pytest.raises(NotForSpectators):
        await world.here.analyses.analysis(board.id, None, None, 25)
    with pytest.raises(StillSecret):
        await analysed(board)
    await board.do(Resign())
    assert (await analysed(board)).done
