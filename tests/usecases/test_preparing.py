"""Days are prepared ahead, certified and committed to."""

import pytest

from service.engine.deal import Seeded, start
from service.engine.notation import parse_deal, parse_move
from service.engine.rules import PRESETS
from service.ports import Problem, Report
from service.ports.daily import Day
from service.solver.certify import tempo_of
from service.solver.verify import wins
from service.usecases import deals
from service.usecases.days import commitment, opens
from service.usecases.deals import Deals
from service.usecases.errors import NoSuchDeal
from service.usecases.preparing import BadCertificate, Preparing
from tests.usecases.world import Solving, World

MONDAY = Day("2026-11-30", "modern")


@pytest.fixture
def world() -> World:
    """It is the last hour of a Sunday, whose Monday is gentle."""
    world = World()
    world.clock.time = opens(MONDAY.date) - 3_600_000
    return world


@pytest.fixture
def preparing(world: World) -> Preparing:
    return Preparing(world.store.days, world.deals, world.clock)


@pytest.mark.parametrize("rules", ["modern", "cadogan"])
async def test_a_day_is_prepared_with_a_deal_that_is_proved_graded_and_committed_to(
    rules: str, world: World, preparing: Preparing
) -> None:
    day = Day(MONDAY.date, rules)
    kept = await preparing.prepare(day)

    deal, preset = parse_deal(kept.deal), PRESETS[rules]
    line = [parse_move(move) for move in kept.plan.split()]
    assert isinstance(deal, Seeded)
    assert wins(start(deal, preset), preset, line)
    assert tempo_of(start(deal, preset), preset, line) == kept.par
    assert (kept.difficulty, kept.commitment) == ("gentle", commitment(day, deal.seed))
    assert (kept.committed, kept.final, kept.is_void) == (world.clock.time, None, False)
    assert await world.store.days.find([day]) == [kept]


async def test_a_day_that_is_kept_stands_when_another_process_prepares_it_too(
    world: World, preparing: Preparing
) -> None:
    kept = await preparing.prepare(MONDAY)
    world.clock.time += 1

    assert await preparing.prepare(MONDAY) == kept
    assert len({problem.position for problem in world.solving.asked}) > 1, "it drew another deal"


async def test_what_is_missing_is_today_and_the_days_ahead_the_next_first(world: World, preparing: Preparing) -> None:
    assert await preparing.missing(1) == [
        Day(date, rules) for date in ("2026-11-29", "2026-11-30") for rules in ("modern", "cadogan")
    ]
    assert len(await preparing.missing(30)) == 62

    await preparing.prepare(MONDAY)
    assert await preparing.missing(1) == [Day("2026-11-29", "modern"), Day("2026-11-29", "cadogan"),
                                          Day("2026-11-30", "cadogan")]  # fmt: skip


async def test_where_no_deal_is_as_hard_as_the_day_nothing_is_kept(
    world: World, preparing: Preparing, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(deals, "TRIES", 0)

    with pytest.raises(NoSuchDeal):
        await preparing.prepare(MONDAY)
    assert await world.store.days.find([MONDAY]) == [None]


class Boasting(Solving):
    """Leaves out the last move of each win."""

    async def report(self, problem: Problem) -> Report:
        report = await super().report(problem)
        return report._replace(best=report.best[:-1], line=report.line[:-1])


async def test_a_line_that_does_not_win_is_never_kept(world: World) -> None:
    preparing = Preparing(world.store.days, Deals(Boasting(world.clock), world.chance), world.clock)

    with pytest.raises(BadCertificate):
        await preparing.prepare(MONDAY)
    assert await world.store.days.find([MONDAY]) == [None]
