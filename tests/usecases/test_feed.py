"""Following a session: every entry once and in order, however slow one is and whatever is lost."""

import asyncio
from collections.abc import AsyncGenerator
from contextlib import aclosing
from dataclasses import replace

import msgspec
import pytest

from service.engine.log import ENTRY_BYTES
from service.engine.sharing import Mode
from service.protocol import messages, shapes
from service.usecases import feed
from service.usecases.commands import Redo, Undo
from service.usecases.dealing import Wish
from service.usecases.errors import NoSuchSession, NotForSpectators
from service.usecases.feed import WAITING_LIMIT, Told, events, follow
from service.usecases.history import Place
from service.usecases.live import Update
from service.usecases.views import MISSED_LIMIT
from tests.usecases.world import Board, World

Following = AsyncGenerator[Told | None]


def following(board: Board, place: Place | None = None) -> "aclosing[Following]":
    """The board as its player follows it."""
    return aclosing(follow(board.process.live, board.id, board.player.id, place))


async def told(following: Following, count: int) -> list[Told]:
    """The next things that are told."""
    found: list[Told] = []
    async with asyncio.timeout(5):
        while len(found) < count:
            if one := await anext(following):
                found.append(one)
    return found


def seqs(told: list[Told]) -> list[int]:
    """The seqs of what has to be events."""
    decoder = msgspec.json.Decoder(shapes.Event)
    read = [decoder.decode(one.frame) for one in told]
    assert [one.kind for one in told] == ["event"] * len(told)
    assert [one.place for one in told] == [(event.seq, messages.parse_crc(event.crc)) for event in read]
    return [event.seq for event in read]


async def to_and_fro(board: Board, count: int) -> None:
    """So many entries."""
    for number in range(count):
        await board.do(Redo() if number % 2 else Undo())


async def test_it_begins_with_the_session_and_goes_on_with_its_entries(world: World) -> None:
    board = await world.dealt(await world.player())
    async with following(board) as stream:
        assert await anext(stream) is None
        (snapshot,) = await told(stream, 1)
        await board.play("b1G", "a2b1")
        assert seqs(await told(stream, 2)) == [1, 2]

    assert (snapshot.kind, snapshot.place) == ("snapshot", (0, 0))


async def test_from_a_place_it_brings_what_was_missed(world: World) -> None:
    board = await world.dealt(await world.player())
    await board.play("b1G")
    place = board.place
    await board.play("a2b1", "a3a2")

    for known in (place, Place(place.seq)):
        async with following(board, known) as stream:
            assert seqs(await told(stream, 2)) == [2, 3]


async def test_from_too_far_back_it_begins_with_the_session(world: World) -> None:
    board = await world.dealt(await world.player())
    await board.play("b1G")
    await to_and_fro(board, MISSED_LIMIT)

    async with following(board, Place(0, 0)) as stream:
        (first,) = await told(stream, 1)
    assert (first.kind, first.place) == ("snapshot", (board.place.seq, board.place.crc))


async def test_from_a_place_that_is_not_in_the_history_it_begins_with_a_reset(world: World) -> None:
    board = await world.dealt(await world.player())

    async with following(board, Place(1, 1)) as stream:
        (first,) = await told(stream, 1)
    assert (first.kind, first.place) == ("reset", (0, 0))


@pytest.mark.parametrize("count", [WAITING_LIMIT, WAITING_LIMIT + 1, MISSED_LIMIT])
async def test_whoever_does_not_read_for_long_misses_nothing(count: int, world: World) -> None:
    board = await world.dealt(await world.player())
    await board.play("b1G")
    async with following(board, board.place) as stream:
        assert await anext(stream) is None
        await to_and_fro(board, count)
        room = world.here.live._rooms[board.id]
        (inbox,) = room.watchers
        assert isinstance(inbox, feed._Inbox)
        assert len(inbox._news) <= WAITING_LIMIT

        assert seqs(await told(stream, count)) == list(range(2, count + 2))


async def test_whoever_does_not_read_for_too_long_is_given_the_session_anew(world: World) -> None:
    board = await world.dealt(await world.player())
    await board.play("b1G")
    async with following(board, board.place) as stream:
        assert await anext(stream) is None
        await to_and_fro(board, MISSED_LIMIT + 1)
        (anew,) = await told(stream, 1)
        assert (anew.kind, anew.place) == ("snapshot", (board.place.seq, board.place.crc))
        await board.do(Redo())
        assert seqs(await told(stream, 1)) == [board.place.seq]


async def test_without_news_it_says_so_after_a_while(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(feed, "KEEP_ALIVE_SECONDS", 0.01)
    board = await world.dealt(await world.player())

    async with following(board, board.place) as stream:
        assert [await anext(stream) for _ in range(3)] == [None] * 3
        await board.play("b1G")
        assert seqs(await told(stream, 1)) == [1]


async def test_a_gap_in_the_news_is_filled_from_the_log(world: World) -> None:
    board = await world.dealt(await world.player())
    elsewhere = board.elsewhere(world.process())
    async with following(board, board.place) as stream:
        assert await anext(stream) is None
        await elsewhere.play("b1G", "a2b1")
        history = await elsewhere.process.live.read(board.id)
        _, last = history.turns_from(history.at(0))
        (watcher,) = world.here.live._rooms[board.id].watchers
        watcher(Update(history.meta, last))

        assert seqs(await told(stream, 2)) == [1, 2]


async def test_a_log_that_lost_its_end_is_a_reset(world: World) -> None:
    board = await world.dealt(await world.player())
    before = await board.play("b1G")
    await board.play("a2b1")
    async with following(board, board.place) as stream:
        assert await anext(stream) is None
        stored = world.store.sessions._stored[board.id]
        world.store.sessions._stored[board.id] = replace(stored, log=stored.log[:-ENTRY_BYTES])
        await world.here.live.read(board.id)
        (reset,) = await told(stream, 1)
        board.seen = before
        await board.play("g2b1")
        assert seqs(await told(stream, 1)) == [2]

    assert reset.kind == "reset"
    assert msgspec.json.decode(reset.frame, type=messages.Reset).session == before


async def test_news_of_entries_that_were_lost_before_they_were_told_are_dropped(world: World) -> None:
    board = await world.dealt(await world.player())
    before = await board.play("b1G")
    async with following(board, board.place) as stream:
        assert await anext(stream) is None
        lost = await board.play("a2b1")
        stored = world.store.sessions._stored[board.id]
        world.store.sessions._stored[board.id] = replace(stored, log=stored.log[:-ENTRY_BYTES])
        await world.here.live.read(board.id)
        assert await anext(stream) is None, "it has read the log"
        board.seen = before
        kept = await board.play("g2b1")
        (event,) = await told(stream, 1)

    assert event.place == (2, messages.parse_crc(kept.crc)) != (2, messages.parse_crc(lost.crc))


async def test_a_session_that_is_gone_ends_it(world: World) -> None:
    board = await world.dealt(await world.player())
    async with following(board, board.place) as stream:
        assert await anext(stream) is None
        del world.store.sessions._stored[board.id]
        world.here.live._rooms[board.id].lose()

        with pytest.raises(NoSuchSession):
            await told(stream, 1)
    assert world.here.live._rooms == {}


async def test_what_is_no_entry_is_told_by_its_type_and_ends_no_poll(world: World) -> None:
    board = await world.dealt(await world.player())
    said = messages.Reaction(board.id, 0, "well_played")
    poll = asyncio.create_task(events(world.here.live, board.id, None, board.place, wait=5))
    async with following(board, board.place) as stream:
        assert await anext(stream) is None
        await asyncio.sleep(0)
        world.here.live._rooms[board.id].say(said)
        assert await told(stream, 1) == [Told("reaction", messages.encode(said))]
        for _ in range(10):
            await asyncio.sleep(0)
        assert not poll.done()
        await board.play("b1G")
        assert [event.seq for event in (await poll).events or ()] == [1]


async def test_whoever_takes_a_seat_or_leaves_it_has_the_session_told_anew(world: World) -> None:
    one, other = await world.player(), await world.player()
    session = await world.dealing.create(one, Wish(deal="pysol:1", mode=Mode.TURNS, spectators=False), key=None)
    assert session.invite
    joined = await world.sessions.join(session.id, other, session.invite)
    mine, theirs = Board(world.here, one, session), Board(world.here, other, joined)
    async with following(mine, mine.place) as stream, following(theirs, theirs.place) as left:
        assert [await anext(stream), await anext(left)] == [None, None]
        for one_stream in (stream, left):
            assert (await told(one_stream, 1))[0].kind == "snapshot", "since seats may have changed before"
        await world.sessions.leave(session.id, other)
        await world.here.live.read(session.id)
        (anew,) = await told(stream, 1)
        with pytest.raises(NotForSpectators):
            await told(left, 1)

    assert anew.kind == "snapshot"
    assert [seat.seat for seat in msgspec.json.decode(anew.frame, type=messages.Snapshot).session.seats] == [0]


async def test_it_leaves_nothing_behind(world: World) -> None:
    board = await world.dealt(await world.player())
    async with following(board) as stream:
        await told(stream, 1)
        assert list(world.here.live._rooms) == [board.id]
        assert world.here.live.presences._sessions[board.id].here == {0: 1}

    assert world.here.live._rooms == {}
    assert not world.here.live.presences._sessions[board.id].here
    with pytest.raises(NoSuchSession):
        await anext(follow(world.here.live, "nowhere", None, None))
    assert world.here.live._rooms == {}
