"""A store that fails at any one call while a run is begun, settled or closed: the next try makes all good."""

from collections.abc import Awaitable, Callable
from typing import Any

import pytest

from service.ports import StoreUnavailable
from service.ports.boards import Scope
from service.ports.daily import Day, RunKind
from service.usecases.closing import MARGIN_MS
from service.usecases.commands import Resign
from service.usecases.days import closes, ends, late_until
from tests.usecases.daily_world import ALL, DAY, plan
from tests.usecases.faults import Fault, FaultyWorld

HOMES = (str(DAY), "2026-W49/modern", "2026-11/modern", "all/modern")
MOST_CALLS = 200


async def failing_once_everywhere(attempt: Callable[[int, Fault], Awaitable[bool]]) -> None:
    """Makes attempts, in each of which another call fails one way or the other, until no call is left to fail."""
    for kind in Fault:
        at = 0
        while await attempt(at, kind):
            at += 1
        assert 2 < at < MOST_CALLS


async def tried(world: FaultyWorld, at: int, kind: Fault, step: Callable[[], Awaitable[Any]]) -> bool:
    """Takes the step with one fault, and again without; whether the fault came."""
    world.faults.fail(at, kind)
    has_failed = False
    try:
        await step()
    except StoreUnavailable:
        has_failed = True
    world.faults.at = None
    await step()
    return has_failed


async def told(world: FaultyWorld, player: str, day: Day = DAY) -> dict[str, Any]:
    """All that the store says of a day and of a player who has a run of it, as far as it is the same in every world."""
    records = await world.store.records.days(player, day.rules)
    entrants, cursor = await world.store.days.entrants(day, 0, ALL)
    listed, _ = await world.store.sessions.sessions_of(player, None, ALL)
    boards = {
        (home, scope): [(row.rank, row.standing) for row in (await world.board(scope, home=home)).rows]
        for home in HOMES
        for scope in Scope
    }
    return {
        "records": records,
        "entrants": (entrants, cursor),
        "unsettled": await world.store.days.unsettled(day, "", ALL),
        "sessions": [await world.store.sessions.load(one.meta.id) for one in listed],
        "plans": {one.meta.id: set(await world.store.sessions.plans(one.meta.id)) for one in listed},
        "boards": boards,
        "day": await world.stored(day),
    }


@pytest.mark.parametrize("kind", [RunKind.FIRST, RunKind.LATE])
async def test_a_run_whose_beginning_fails_anywhere_is_begun_by_the_next_try(kind: RunKind) -> None:
    async def begun() -> tuple[FaultyWorld, str]:
        world = FaultyWorld()
        await world.keep()
        ann = await world.player()
        if kind is RunKind.LATE:
            world.clock.time = closes(DAY.date)
        return world, ann.id

    async def attempt(at: int, fault: Fault) -> bool:
        world, ann = await begun()
        player = await world.store.players.find(ann)
        assert player
        has_failed = await tried(world, at, fault, lambda: world.dailies.begin(DAY, player))
        session, is_new = await world.dailies.begin(DAY, player)
        assert not is_new
        found = await told(world, ann)
        [entrant] = found["entrants"][0]
        [stored] = found["sessions"]
        assert found["unsettled"] == [entrant]
        assert {session.id, entrant.session, stored.meta.id, found["records"][DAY.date].session} == {session.id}
        assert (entrant.kind, stored.meta.run.kind, stored.meta.secret, stored.meta.spectators) == (
            kind,
            kind,
            True,
            False,
        )
        assert found["plans"] == {session.id: {" ".join(plan())}}
        return has_failed

    await failing_once_everywhere(attempt)


async def over(*, is_open: bool = False, is_timed: bool = False) -> tuple[FaultyWorld, str]:
    """A world with a run that is over, and its player."""
    world = FaultyWorld()
    await world.keep()
    ann = await world.player()
    table = await world.begun(ann, is_timed=is_timed)
    if is_timed:
        world.clock.time += 90_000
        await table.play(*plan())
    else:
        await table.play(*plan()[:20])
        await table.do(Resign())
    if is_open:
        await world.sweep()
        table = await world.practised(ann)
        await table.play(*plan()[:30])
        await table.do(Resign())
    return world, ann.id


@pytest.mark.parametrize("run", [{}, {"is_open": True}, {"is_timed": True}], ids=["first", "open", "timed win"])
async def test_a_result_whose_settling_fails_anywhere_is_settled_by_the_next_sweep(run: dict[str, bool]) -> None:
    undisturbed, ann = await over(**run)
    await undisturbed.sweep()
    wanted = await told(undisturbed, ann)
    assert wanted["unsettled"] == []
    rows = [row for board in wanted["boards"].values() for row in board]
    assert len(rows) == 1 + bool(run)

    async def attempt(at: int, fault: Fault) -> bool:
        world, ann = await over(**run)
        has_failed = await tried(world, at, fault, world.sweep)
        assert await told(world, ann) == wanted
        return has_failed

    await failing_once_everywhere(attempt)


async def closed(world: FaultyWorld) -> None:
    """Makes the day's boards final, if they are not: nobody comes again for a day that is."""
    if world.closing.is_due(await world.stored()):
        await world.closing.recompute(DAY)


@pytest.mark.parametrize("is_void", [False, True])
async def test_a_closing_that_fails_anywhere_is_made_good_by_the_next(is_void: bool) -> None:
    async def past() -> tuple[FaultyWorld, str]:
        world, ann = await over()
        bob = await world.player()
        await (await world.begun(bob)).play(*plan()[:10])
        world.clock.time = closes(DAY.date)
        await (await world.begun(await world.player())).play(*plan()[:5])
        if is_void:
            await world.store.days.void(DAY)
        world.clock.time = ends(DAY.date) + MARGIN_MS
        return world, ann

    undisturbed, ann = await past()
    await undisturbed.closing.recompute(DAY)
    wanted = await told(undisturbed, ann)
    assert len(wanted["boards"][HOMES[1], Scope.FIRST]) == (0 if is_void else 2)
    assert [entrant.kind for entrant in wanted["unsettled"]] == [RunKind.LATE]

    async def attempt(at: int, fault: Fault) -> bool:
        world, ann = await past()
        has_failed = await tried(world, at, fault, lambda: closed(world))
        assert await told(world, ann) == wanted
        return has_failed

    await failing_once_everywhere(attempt)


async def test_a_late_run_whose_end_fails_anywhere_is_unsealed_and_noted_by_the_next_sweep() -> None:
    async def late() -> tuple[FaultyWorld, str]:
        world = FaultyWorld()
        await world.keep()
        ann = await world.player()
        world.clock.time = closes(DAY.date)
        await (await world.begun(ann)).play(*plan()[:5])
        world.clock.time = ends(DAY.date) + MARGIN_MS
        await world.closing.recompute(DAY)
        world.clock.time = late_until(DAY.date) + MARGIN_MS
        return world, ann.id

    undisturbed, ann = await late()
    await undisturbed.sweep()
    wanted = await told(undisturbed, ann)
    assert wanted["unsettled"] == []
    assert not wanted["sessions"][0].meta.secret

    async def attempt(at: int, fault: Fault) -> bool:
        world, ann = await late()
        has_failed = await tried(world, at, fault, world.sweep)
        assert await told(world, ann) == wanted
        return has_failed

    await failing_once_everywhere(attempt)


async def test_a_removal_that_fails_anywhere_is_made_good_by_the_next() -> None:
    async def final() -> tuple[FaultyWorld, str]:
        world, ann = await over()
        world.clock.time = ends(DAY.date) + MARGIN_MS
        await world.closing.recompute(DAY)
        return world, ann

    undisturbed, ann = await final()
    assert await undisturbed.closing.remove(DAY, ann)
    await undisturbed.closing.recompute(DAY)
    wanted = await told(undisturbed, ann)
    assert not any(wanted["boards"].values())

    async def attempt(at: int, fault: Fault) -> bool:
        world, ann = await final()
        has_failed = await tried(world, at, fault, lambda: world.closing.remove(DAY, ann))
        await world.closing.recompute(DAY)
        assert await told(world, ann) == wanted
        return has_failed

    await failing_once_everywhere(attempt)
