"""Histories: the game at every place of a log."""

from itertools import pairwise

import pytest

from service.engine.log import ENTRY_BYTES
from service.usecases.history import Histories, History, Place, read
from tests.usecases.world import Board, World
from tests.web.playing import GROUP


async def history_of(board: Board, world: World) -> History:
    return await Histories(world.store.sessions, limit=1).fresh(board.id)


async def played(world: World) -> Board:
    board = await world.dealt(await world.player())
    await board.play(*GROUP)
    return board


async def test_a_history_knows_the_places_it_went_through_and_no_others(world: World) -> None:
    board = await world.dealt(await world.player())
    places = [board.place]
    for move in GROUP:
        await board.play(move)
        places.append(board.place)
    history = await history_of(board, world)

    for place in places:
        assert history.knows(place)
        assert history.knows(Place(place.seq))
        assert not history.knows(Place(place.seq, 0xFFFFFFFF))
    assert not history.knows(Place(5))
    assert not history.knows(Place(5, board.place.crc))
    assert [history.ends_at(place) for place in places] == [False] * 4 + [True]
    assert history.ends_at(Place(4))
    assert not history.ends_at(Place(4, 0))


async def test_a_history_has_the_game_at_every_place_and_each_turn_between(world: World) -> None:
    history = await history_of(await played(world), world)

    games = [history.at(seq) for seq in range(5)]
    assert [game.seq for game in games] == [0, 1, 2, 3, 4]
    assert games[-1] is history.game
    turns = list(history.turns_from(games[1]))
    assert [str(turn.entry.move) for turn in turns] == list(GROUP[1:])
    assert [(turn.before, turn.after) for turn in turns] == list(pairwise(games[1:]))
    assert list(history.turns_from(history.game)) == []


async def test_what_is_known_of_a_log_is_gone_on_from_and_never_changes_what_is_read(world: World) -> None:
    board = await played(world)
    stored = world.store.sessions._stored[board.id]
    whole = read(stored)
    known = History(stored.meta, stored.log[: 2 * ENTRY_BYTES], whole.at(2))

    assert read(stored, known) == whole
    assert read(stored, whole) == whole


@pytest.mark.parametrize("seq", [0, 1, 3])
async def test_a_log_that_became_shorter_is_read_from_the_beginning(seq: int, world: World) -> None:
    board = await played(world)
    stored = world.store.sessions._stored[board.id]
    whole = read(stored)
    cut = type(stored)(stored.meta, stored.log[: seq * ENTRY_BYTES])

    assert read(cut, whole).game == whole.at(seq)
