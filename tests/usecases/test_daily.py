"""The daily challenge by a clock that is set by hand: who may play when, and which run counts for what."""

import asyncio

import pytest

from service.engine.notation import parse_move
from service.ports.boards import Scope
from service.ports.daily import Day, Field, RunKind
from service.usecases.closing import MARGIN_MS
from service.usecases.commands import Play, Resign
from service.usecases.days import closes, ends, late_until, opens
from service.usecases.errors import (
    DayNotReady,
    NoSuchDay,
    NotForSpectators,
    NotYetOpen,
    RunFirst,
    RunOver,
    SessionOver,
    StillSecret,
    TooLate,
)
from tests.usecases.daily_world import DAY, NOON_MS, DailyWorld, plan

NEXT = Day("2026-12-01", "modern")
LEAP = Day("2028-02-29", "modern")


@pytest.fixture
async def world() -> DailyWorld:
    world = DailyWorld()
    await world.keep()
    return world


async def test_a_run_can_be_begun_from_the_first_millisecond_of_its_day_to_the_last(world: DailyWorld) -> None:
    ann, bob, cem, dot = [await world.player() for _ in range(4)]
    world.clock.time = opens(DAY.date) - 1
    with pytest.raises(NotYetOpen):
        await world.dailies.begin(DAY, ann)
    world.clock.time = opens(DAY.date)
    await world.begun(bob)
    world.clock.time = closes(DAY.date) - 1
    await world.begun(cem)
    world.clock.time = closes(DAY.date)
    await world.begun(dot)
    kinds = [(await world.store.records.days(one.id, "modern"))[DAY.date].kind for one in (bob, cem, dot)]
    assert kinds == [RunKind.FIRST, RunKind.FIRST, RunKind.LATE]


async def test_a_run_that_began_before_the_close_may_end_in_the_grace_and_ranks(world: DailyWorld) -> None:
    ann = await world.player()
    world.clock.time = closes(DAY.date) - 1
    table = await world.begun(ann)
    world.clock.time = ends(DAY.date) - 1
    await table.play(*plan())
    assert table.seen.status == "won"
    await world.sweep()
    assert [row.standing.player for row in (await world.board()).rows] == [ann.id]


async def test_after_the_grace_a_run_takes_no_move_and_is_ranked_as_it_stands(world: DailyWorld) -> None:
    ann = await world.player()
    table = await world.begun(ann)
    await table.play(*plan()[:20])
    world.clock.time = ends(DAY.date)
    with pytest.raises(SessionOver):
        await table.do(Play(parse_move(plan()[20])))
    assert not world.closing.is_due(await world.stored())
    world.clock.time += MARGIN_MS
    assert world.closing.is_due(await world.stored())
    summary = await world.closing.recompute(DAY)
    assert (summary.players, summary.wins, sum(summary.distribution)) == (1, 0, 1)
    [row] = (await world.board()).rows
    assert row.standing.result
    assert row.standing.result.points == table.seen.points.total > 0
    view = await world.here.sessions.view(table.id, None)
    assert (view.status, view.deal, view.legal) == ("expired", (await world.stored()).deal, [])


async def test_two_devices_that_begin_at_once_are_given_the_same_run(world: DailyWorld) -> None:
    ann = await world.player()
    begun = await asyncio.gather(*(world.dailies.begin(DAY, ann) for _ in range(10)))
    assert len({session.id for session, _ in begun}) == 1
    assert sum(is_new for _, is_new in begun) == 1


async def test_a_run_that_is_left_is_resumed_where_it_was(world: DailyWorld) -> None:
    ann = await world.player()
    first = await world.begun(ann)
    await first.play(*plan()[:5])
    session, is_new = await world.dailies.begin(DAY, ann)
    assert (session.id, session.seq, is_new) == (first.id, 5, False)


async def test_there_is_no_second_first_run_and_no_open_one_before_it_is_over(world: DailyWorld) -> None:
    ann = await world.player()
    with pytest.raises(RunFirst):
        await world.dailies.practise(DAY, ann)
    table = await world.begun(ann)
    with pytest.raises(RunFirst):
        await world.dailies.practise(DAY, ann)
    await table.do(Resign())
    with pytest.raises(RunOver) as refused:
        await world.dailies.begin(DAY, ann)
    assert refused.value.session == table.id
    assert (await world.practised(ann)).id != table.id


async def test_of_open_runs_the_best_counts_on_a_board_of_its_own(world: DailyWorld) -> None:
    ann = await world.player()
    await world.resigned(ann, 0)
    totals = []
    for moves in (30, 60, 10):
        table = await world.practised(ann)
        await table.play(*plan()[:moves])
        await table.do(Resign())
        await world.sweep()
        totals.append(table.seen.points.total)
    [row] = (await world.board(Scope.OPEN)).rows
    assert row.standing.result
    assert row.standing.result.points == max(totals) == totals[1]
    assert (await world.board()).rows == []


@pytest.mark.parametrize("order", [[0, 1, 2], [2, 1, 0], [1, 2, 0]])
async def test_an_equal_or_lower_result_changes_nothing_now_or_when_the_board_is_final(
    world: DailyWorld, order: list[int]
) -> None:
    ann = await world.player()
    await world.resigned(ann, 0)
    equals = [await world.practised(ann) for _ in range(3)]
    left, lower = await world.practised(ann), await world.practised(ann)
    await left.play(*plan()[:40])
    for number in order:
        world.clock.time += 60_000
        await equals[number].play(*plan()[:40])
        await equals[number].do(Resign())
        await world.sweep()
    await lower.play(*plan()[:20])
    await lower.do(Resign())
    await world.sweep()
    before = await world.board(Scope.OPEN)
    [row] = before.rows
    assert row.standing.result
    assert row.standing.result.session == equals[order[0]].id, "the one that ended first stands"
    await world.closing.recompute(DAY)
    assert await world.board(Scope.OPEN) == before
    world.clock.time = ends(DAY.date) + MARGIN_MS
    await world.closing.recompute(DAY)
    assert await world.board(Scope.OPEN) == before


async def test_a_late_run_counts_in_the_record_and_on_no_board(world: DailyWorld) -> None:
    ann = await world.player()
    world.clock.time = closes(DAY.date)
    table = await world.begun(ann)
    await table.play(*plan())
    world.clock.time = ends(DAY.date) + MARGIN_MS
    await world.closing.recompute(DAY)
    await world.sweep()
    run = (await world.store.records.days(ann.id, "modern"))[DAY.date]
    assert (run.kind, run.moves, run.won) == (RunKind.LATE, True, True)
    for scope in Scope:
        assert (await world.board(scope)).rows == []


async def test_a_late_run_goes_on_when_the_boards_are_made_final_and_ends_with_its_day(world: DailyWorld) -> None:
    ann = await world.player()
    world.clock.time = closes(DAY.date)
    table = await world.begun(ann)
    world.clock.time = ends(DAY.date) + MARGIN_MS
    await world.closing.recompute(DAY)
    await table.play(*plan()[:3])
    world.clock.time = late_until(DAY.date)
    with pytest.raises(SessionOver):
        await table.do(Play(parse_move(plan()[3])))
    world.clock.time += MARGIN_MS
    await world.sweep()
    run = (await world.store.records.days(ann.id, "modern"))[DAY.date]
    assert (run.moves, run.won) == (True, False)
    with pytest.raises(TooLate):
        await world.dailies.begin(DAY, await world.player())


async def test_until_the_day_is_final_nobody_else_is_shown_anything_of_a_run(world: DailyWorld) -> None:
    ann, bob = await world.player(), await world.player()
    table = await world.resigned(ann, 40)
    sessions = world.here.sessions
    for other in (bob.id, None):
        with pytest.raises(NotForSpectators):
            await sessions.view(table.id, other)
        with pytest.raises(NotForSpectators):
            await sessions.record(table.id, other)
    with pytest.raises(StillSecret):
        await sessions.record(table.id, ann.id)
    own = await sessions.view(table.id, ann.id)
    assert (own.deal, own.secret, own.status) == (None, True, "resigned")
    world.clock.time = ends(DAY.date) + MARGIN_MS
    await world.closing.recompute(DAY)
    assert (await sessions.record(table.id, bob.id)).count("seed:") == 1


async def test_a_day_tells_its_deal_when_it_is_final_and_not_before(world: DailyWorld) -> None:
    ann = await world.player()
    told = await world.dailies.view(DAY, ann.id)
    assert (told.deal, told.par, told.record, told.summary, told.you) == (None, None, None, None, None)
    table = await world.begun(ann)
    told = await world.dailies.view(DAY, ann.id)
    assert told.you
    assert (told.you.session, told.you.status) == (table.id, "playing")
    world.clock.time = ends(DAY.date) + MARGIN_MS
    await world.closing.recompute(DAY)
    told = await world.dailies.view(DAY, None)
    assert told.deal == (await world.stored()).deal
    assert told.record
    assert told.record.count("seed:") == 1


async def test_tomorrow_is_committed_to_and_what_comes_after_is_not_told(world: DailyWorld) -> None:
    with pytest.raises(DayNotReady):
        await world.dailies.view(NEXT, None)
    await world.keep(NEXT)
    assert (await world.dailies.view(NEXT, None)).commitment == (await world.stored(NEXT)).commitment
    await world.keep(after := Day("2026-12-02", "modern"))
    with pytest.raises(NoSuchDay):
        await world.dailies.view(after, None)
    with pytest.raises(NoSuchDay):
        await world.dailies.view(Day("2026-11-29", "modern"), None)


async def test_a_leap_day_is_a_day_as_any_other(world: DailyWorld) -> None:
    await world.keep(LEAP)
    world.clock.time = opens(LEAP.date)
    ann = await world.player()
    await world.resigned(ann, 10, LEAP)
    assert closes(LEAP.date) == opens("2028-03-01")
    world.clock.time = ends(LEAP.date) + MARGIN_MS
    assert (await world.closing.recompute(LEAP)).players == 1


async def test_the_order_in_which_runs_end_changes_no_rank() -> None:
    async def ranks(order: list[int]) -> list[tuple[int, int]]:
        world = DailyWorld()
        await world.keep()
        players = [await world.player() for _ in range(4)]
        tables = [await world.begun(one) for one in players]
        for number in order:
            world.clock.time += 60_000
            await tables[number].play(*plan()[: (10, 40, 40, 80)[number]])
            await tables[number].do(Resign())
            await world.sweep()
        found = {row.standing.player: row.rank for row in (await world.board()).rows}
        return [(number, found[one.id]) for number, one in enumerate(players)]

    first = await ranks([0, 1, 2, 3])
    assert first == [(0, 4), (1, 2), (2, 2), (3, 1)]
    for order in ([3, 2, 1, 0], [2, 0, 3, 1], [1, 3, 0, 2]):
        assert await ranks(order) == first


async def test_who_has_played_three_days_is_no_newcomer_and_a_bot_never_meets_people(world: DailyWorld) -> None:
    ann = await world.player()
    for date in ("2026-11-27", "2026-11-28", "2026-11-29"):
        day = Day(date, "modern")
        await world.keep(day)
        world.clock.time = opens(date) + NOON_MS
        await world.resigned(ann, 10, day)
    world.clock.time = opens(DAY.date) + NOON_MS
    await world.resigned(ann, 10)
    bot = await world.player(bot=True)
    await world.resigned(bot, 10)
    await world.sweep()
    fields = {field: [row.standing.player for row in (await world.board(field=field)).rows] for field in Field}
    assert fields == {Field.PEOPLE: [ann.id], Field.NEWCOMERS: [], Field.BOTS: [bot.id]}


async def test_only_a_timed_win_without_assists_is_on_the_speed_board(world: DailyWorld) -> None:
    ann, bob = await world.player(), await world.player()
    for player, is_timed in ((ann, True), (bob, False)):
        table = await world.begun(player, is_timed=is_timed)
        world.clock.time += 90_000
        await table.play(*plan())
    await world.sweep()
    [row] = (await world.board(Scope.SPEED)).rows
    assert row.standing.player == ann.id
    assert row.standing.result
    assert row.standing.result.tenths == 900


async def test_a_void_day_ranks_nobody_in_the_day_or_its_periods(world: DailyWorld) -> None:
    ann = await world.player()
    await world.resigned(ann, 30)
    world.clock.time = ends(DAY.date) + MARGIN_MS
    await world.closing.recompute(DAY)
    week = "2026-W49/modern"
    assert len((await world.board(home=week)).rows) == 1
    await world.store.days.void(DAY)
    await world.closing.recompute(DAY)
    assert (await world.board()).rows == (await world.board(home=week)).rows == []


async def test_whoever_is_taken_off_a_final_board_is_out_of_its_periods_too(world: DailyWorld) -> None:
    ann, bob = await world.player(), await world.player()
    await world.resigned(ann, 30)
    await world.resigned(bob, 60)
    world.clock.time = ends(DAY.date) + MARGIN_MS
    await world.closing.recompute(DAY)
    assert await world.closing.remove(DAY, bob.id)
    for home in (str(DAY), "2026-W49/modern", "2026-11/modern"):
        assert [(row.rank, row.standing.player) for row in (await world.board(home=home)).rows] == [(1, ann.id)]
    await world.closing.recompute(DAY)
    assert [row.standing.player for row in (await world.board()).rows] == [ann.id]
    assert not await world.closing.remove(DAY, bob.id)


async def test_a_day_that_is_final_can_be_played_for_nothing_for_ever(world: DailyWorld) -> None:
    ann = await world.player()
    world.clock.time = ends(DAY.date) + MARGIN_MS
    await world.closing.recompute(DAY)
    world.clock.time = opens("2027-11-30")
    table = await world.practised(ann)
    assert (table.seen.deal, table.seen.secret) == ((await world.stored()).deal, False)
    await table.play(*plan()[:3])
    await table.do(Resign())
    await world.sweep()
    assert (await world.board(Scope.OPEN)).rows == []
