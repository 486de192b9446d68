"""A run of a day is sealed: until the store says else nobody but its player sees it, and nobody its deal."""

from collections.abc import AsyncIterator, Awaitable, Callable
from dataclasses import replace
from typing import Any

import pytest
from msgspec import UNSET

from service.engine.notation import parse_move
from service.ports import Claim, StoredPlayer
from service.ports.daily import Day, Run, RunKind
from service.protocol import shapes
from service.usecases import lookout
from service.usecases.commands import Play, Redo, Resign, Restart, Undo
from service.usecases.errors import CorruptSession, NotForSpectators, SessionOver, Stale, StillSecret
from service.usecases.feed import events, follow
from service.usecases.history import Place
from service.usecases.lookout import Lookout
from service.usecases.solutions import Solutions, scope_of
from tests.usecases.world import NOON, Board, World

ENDS = NOON + 3_600_000
RUN = Run(Day("2026-11-01", "modern"), RunKind.FIRST, ENDS)


async def dealt(world: World, player: StoredPlayer) -> Board:
    """A run of the player's, as the daily challenge creates it."""
    ordinary = await world.dealt(player)
    stored = await world.store.sessions.load(ordinary.id)
    assert stored
    meta = replace(stored.meta, id=ordinary.id[::-1], run=RUN, secret=True, spectators=False)
    assert await world.store.sessions.create(meta)
    return Board(world.here, player, await world.sessions.view(meta.id, player.id))


@pytest.fixture
async def run(world: World) -> Board:
    return await dealt(world, await world.player())


async def followed(world: World, session: str, player: str | None) -> list[object]:
    told: AsyncIterator[object] = follow(world.here.live, session, player, None)
    return [await anext(told)]


Question = Callable[[World, str, str | None], Awaitable[Any]]
QUESTIONS: dict[str, Question] = {
    "the record": lambda world, session, player: world.sessions.record(session, player),
    "whether it can be won": lambda world, session, player: world.here.hints.winnable(session, player),
    "an analysis": lambda world, session, player: world.here.analyses.analysis(session, player, None, 0),
}
VIEWS: dict[str, Question] = {
    "the session": lambda world, session, player: world.sessions.view(session, player),
    "its events": lambda world, session, player: events(world.here.live, session, player, Place(0), 0),
    "its stream": followed,
}


@pytest.mark.parametrize("end", ["", "resigned", "out of time"])
@pytest.mark.parametrize("question", QUESTIONS.values(), ids=QUESTIONS)
async def test_what_would_tell_the_deal_is_refused_to_the_player_too_until_the_run_is_unsealed(
    world: World, run: Board, question: Question, end: str
) -> None:
    await run.play("b1G")
    if end == "resigned":
        await run.do(Resign())
    elif end:
        world.clock.time = ENDS
    with pytest.raises(StillSecret):
        await question(world, run.id, run.player.id)
    view = await world.sessions.view(run.id, run.player.id)
    assert (view.secret, view.deal) == (True, None)

    await world.store.sessions.unseal(run.id)
    assert await question(world, run.id, None)
    view = await world.sessions.view(run.id, None)
    assert (view.secret, view.deal, view.spectators) == (False, "pysol:1", True)


@pytest.mark.parametrize("question", (QUESTIONS | VIEWS).values(), ids=QUESTIONS | VIEWS)
async def test_nobody_else_sees_anything_of_a_run_also_when_it_is_over(
    world: World, run: Board, question: Question
) -> None:
    other = (await world.player()).id
    for _ in range(2):
        for stranger in (other, None):
            with pytest.raises(NotForSpectators):
                await question(world, run.id, stranger)
        if run.seen.status == "playing":
            await run.do(Resign())


async def test_a_list_tells_no_deal_of_a_run_that_is_over_but_sealed(world: World, run: Board) -> None:
    async def listed() -> shapes.Summary:
        page = await world.sessions.page(run.player, None, 10)
        return next(one for one in page.sessions if one.id == run.id)

    claim = Claim(player=run.player.id, session=run.id, created=NOON, key=None, fingerprint="")
    await world.store.sessions.claim(claim)
    await run.do(Resign())
    assert ((await listed()).secret, (await listed()).deal) == (True, None)
    await world.store.sessions.unseal(run.id)
    assert ((await listed()).secret, (await listed()).deal, (await listed()).status) == (False, "pysol:1", "resigned")


async def test_a_run_says_which_it_is_and_no_other_session_does(world: World, run: Board) -> None:
    assert run.seen.daily == shapes.RunInfo("2026-11-01", "first", "2026-11-01T13:00:00.000Z")
    assert (await world.dealt(run.player)).seen.daily is UNSET


async def test_from_its_end_on_a_run_takes_no_command_and_answers_retries_as_before(world: World, run: Board) -> None:
    first = run.place
    world.clock.time = ENDS - 1
    await run.play("b1G")
    played = run.seen
    world.clock.time = ENDS

    for process in (world.here, world.process()):
        board = run.elsewhere(process)
        for command in (Undo(), Redo(), Restart(), Resign()):
            with pytest.raises(SessionOver, match="expired"):
                await board.do(command)
        for question in (process.hints.hint, process.hints.ask):
            with pytest.raises(SessionOver, match="expired"):
                await question(run.id, run.player.id, run.place)
        with pytest.raises(Stale):
            await board.do(Undo(), first)
    assert world.solving.asked == []
    assert await run.do(Play(parse_move("b1G")), first) == played


async def test_a_run_that_is_over_says_so_also_after_its_end(world: World, run: Board) -> None:
    await run.do(Resign())
    world.clock.time = ENDS
    for _ in range(2):
        with pytest.raises(SessionOver, match="resigned"):
            await run.do(Undo())
        await world.store.sessions.unseal(run.id)
    assert (await world.sessions.view(run.id, None)).status == "resigned"


async def test_a_run_that_was_unsealed_is_expired_and_offers_nothing(world: World, run: Board) -> None:
    await run.play("b1G")
    await run.do(Undo())
    assert run.seen.legal
    assert run.seen.can_redo
    await world.store.sessions.unseal(run.id)

    view = await world.sessions.view(run.id, run.player.id)
    assert (view.status, view.legal, view.can_undo, view.can_redo) == ("expired", [], False, False)
    for process in (world.here, world.process()):  # of which one has read it before
        with pytest.raises(SessionOver, match="expired"):
            await run.elsewhere(process).do(Redo())


async def test_a_run_that_the_store_has_just_closed_is_over_and_another_session_is_corrupt(
    world: World, run: Board
) -> None:
    other = world.process()
    await run.play("b1G")
    await other.sessions.view(run.id, run.player.id)
    await world.store.sessions.unseal(run.id)
    with pytest.raises(SessionOver, match="expired"):
        await run.elsewhere(other).do(Undo())

    ordinary = await world.dealt(run.player)
    stored = await world.store.sessions.load(ordinary.id)
    assert stored
    closed = replace(stored.meta, id="c" * 32, is_open=False)
    await world.store.sessions.create(closed)
    with pytest.raises(CorruptSession):
        await Board(world.here, run.player, await world.sessions.view("c" * 32, run.player.id)).play("b1G")


async def test_nobody_looks_out_for_a_run_that_is_over_but_sealed(
    world: World, run: Board, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(lookout, "PAUSE_SECONDS", 0)
    looking, told = Lookout(world.here.live, Solutions(world.store.sessions, world.solving)), list[bytes]()
    await run.do(Resign())
    await world.here.live.watch(run.id, lambda _: None)
    looking.look(run.id, told.append)
    looking.leave(run.id, told.append)
    assert (world.solving.asked, told) == ([], [])


async def test_hints_of_a_run_are_searched_for_apart(world: World, run: Board) -> None:
    await world.here.hints.ask(run.id, run.player.id, run.place)
    assert {problem.scope for problem in world.solving.asked} == {scope_of("pysol:1")}
