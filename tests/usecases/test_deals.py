"""Deals: what is found of them, drawing one as it is wished, and sessions on those."""

import asyncio
from typing import Final

import pytest

from service.engine.deal import start
from service.engine.notation import parse_deal
from service.engine.record import parse_record
from service.engine.rules import PRESETS
from service.ports import Problem, Report, SolverBusy, Task
from service.protocol import shapes
from service.solver.certify import certify, tempo_of
from service.usecases import deals
from service.usecases.dealing import Wish
from service.usecases.deals import Deals
from service.usecases.errors import BadAddress, BadRequest, IdempotencyKeyReused, NoSuchDeal
from service.usecases.solutions import BUDGETS, scope_of
from tests.usecases.world import Board, Chance, Clock, Solving, World
from tests.web.playing import TO_AND_FRO, WON

RARE: Final[tuple[shapes.DifficultyName, ...]] = ("testing", "fierce")


@pytest.mark.parametrize("rules", PRESETS)
async def test_a_deal_that_can_be_won_has_par_and_a_record_that_proves_it(rules: str, world: World) -> None:
    found = await world.deals.report("1", rules, wait=25)
    deal, position = parse_deal("1"), start(parse_deal("1"), PRESETS[rules])
    certificate = certify(position, PRESETS[rules], BUDGETS[Task.CERTIFY][rules])

    assert (found.winnable, found.method, found.done) == ("yes", "line", True)
    assert (found.par, found.difficulty) == (certificate.par, certificate.difficulty)
    record = parse_record(found.record or "")
    assert (record.deal, record.rules) == (deal, PRESETS[rules])
    line = [entry.move for entry in record.entries if entry.move]
    assert tempo_of(position, PRESETS[rules], line) == found.par
    assert '[Status "won"]' in (found.record or "")


async def test_a_deal_that_nobody_can_win_has_none(world: World) -> None:
    found = await world.deals.report(TO_AND_FRO, "modern", wait=25)

    assert (found.winnable, found.method) == ("no", "proof")
    assert (found.par, found.difficulty, found.record) == (None, None, None)


@pytest.mark.parametrize(
    ("deal", "rules", "field"),
    [("42", "tidy", "rules"), ("random", "modern", "deal"), ("secret", "modern", "deal"), (WON[:-2], "modern", "deal")],
)
async def test_what_is_no_deal_or_no_preset_is_refused(deal: str, rules: str, field: str, world: World) -> None:
    with pytest.raises(BadAddress) as refused:
        await world.deals.report(deal, rules, wait=25)
    assert refused.value.field == field


class Slow(Solving):
    """Solves when it is let."""

    def __init__(self, clock: Clock) -> None:
        super().__init__(clock)
        self.let, self.given_up = asyncio.Event(), asyncio.Event()

    async def report(self, problem: Problem) -> Report:
        try:
            await self.let.wait()
        except asyncio.CancelledError:
            self.given_up.set()
            raise
        return await super().report(problem)


async def test_a_search_that_takes_longer_goes_on_for_whoever_asks_again() -> None:
    solving = Slow(Clock())
    asked = Deals(solving, Chance())

    first = await asked.report("1", "modern", wait=0)
    assert (first.done, first.winnable, first.record) == (False, "unknown", None)
    solving.let.set()
    await asyncio.sleep(0.01)
    assert len(solving.asked) == 1, "the search went on"
    assert (await asked.report("1", "modern", wait=5)).done


async def test_a_search_goes_on_for_a_while_only(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(deals, "LINGER_SECONDS", 0.01)
    solving = Slow(Clock())

    await Deals(solving, Chance()).report("1", "modern", wait=0)
    async with asyncio.timeout(5):
        await solving.given_up.wait()


async def test_a_search_ends_with_whoever_waits_for_it() -> None:
    solving = Slow(Clock())
    asking = asyncio.create_task(Deals(solving, Chance()).report("1", "modern", wait=60))
    await asyncio.sleep(0)
    await asyncio.sleep(0)

    asking.cancel()
    async with asyncio.timeout(5):
        await solving.given_up.wait()
        await asyncio.gather(asking, return_exceptions=True)
    assert asking.cancelled()


async def test_a_busy_solver_is_said_to_be(world: World) -> None:
    world.solving.is_busy = True

    with pytest.raises(SolverBusy):
        await world.deals.report("1", "modern", wait=25)
    with pytest.raises(SolverBusy):
        await created(world, Wish(winnable=True))


async def created(world: World, wish: Wish, key: str | None = None) -> shapes.Session:
    return await world.dealing.create(await world.player(), wish, key)


@pytest.mark.parametrize(("deal", "difficulty"), [("random", "testing"), ("secret", "gentle"), ("secret", "steady")])
async def test_a_deal_is_drawn_that_is_as_hard_as_is_wished(
    deal: str, difficulty: shapes.DifficultyName, world: World
) -> None:
    made = await created(world, Wish(deal=deal, winnable=True, difficulty=difficulty))

    stored = await world.store.sessions.load(made.id)
    assert stored
    position = start(parse_deal(stored.meta.deal), PRESETS["modern"])
    assert certify(position, PRESETS["modern"], 20_000).difficulty == difficulty
    assert (made.winnable, made.difficulty) == ("yes", difficulty)
    assert made.deal == (None if deal == "secret" else stored.meta.deal)
    last = world.solving.asked[-1]
    assert last.scope == (scope_of(stored.meta.deal) if deal == "secret" else "")


async def test_its_winning_line_is_followed_without_a_search(world: World) -> None:
    player = await world.player()
    made = await world.dealing.create(player, Wish(deal="secret", winnable=True), None)
    searches = len(world.solving.asked)
    board = Board(world.here, player, made)

    while board.seen.status == "playing":
        for _ in range(3):
            board.seen = await world.here.hints.hint(board.id, player.id, board.place)
        assert isinstance(board.seen.hint, shapes.Hint)
        await board.play(str(board.seen.hint.move))
    assert board.seen.status == "won"
    assert len(world.solving.asked) == searches


async def test_a_deal_that_is_named_is_certified_or_refused(world: World) -> None:
    made = await created(world, Wish(deal="1", winnable=True))
    assert (made.deal, made.winnable) == ("1", "yes")
    other = next(one for one in RARE if one != made.difficulty)

    with pytest.raises(BadRequest, match="no win of this one is known"):
        await created(world, Wish(deal=TO_AND_FRO, winnable=True))
    with pytest.raises(BadRequest, match=f"this deal is {made.difficulty}"):
        await created(world, Wish(deal="1", winnable=True, difficulty=other))
    with pytest.raises(BadRequest, match="there should be winnable with it"):
        await created(world, Wish(deal="1", difficulty="gentle"))


async def test_where_none_is_as_is_wished_nothing_is_made(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(deals, "TRIES", 0)

    with pytest.raises(NoSuchDeal):
        await created(world, Wish(winnable=True))


async def test_the_same_key_answers_with_the_session_it_made_first(world: World) -> None:
    player, wish = await world.player(), Wish(deal="secret", winnable=True, difficulty="gentle")
    made = await world.dealing.create(player, wish, "key")
    drawn = len(set(world.solving.asked))

    assert await world.process().dealing.create(player, wish, "key") == made
    assert len(set(world.solving.asked)) == drawn, "nothing was drawn"
    for other in (Wish(deal="secret"), Wish(deal="secret", winnable=True)):
        with pytest.raises(IdempotencyKeyReused):
            await world.dealing.create(player, other, "key")


async def test_what_could_not_be_made_is_made_by_the_same_key_later(world: World) -> None:
    player = await world.player()
    world.solving.is_busy = True
    with pytest.raises(SolverBusy):
        await world.dealing.create(player, Wish(deal="1", winnable=True), "key")
    world.solving.is_busy = False

    made = await world.dealing.create(player, Wish(deal="1", winnable=True), "key")
    assert made.winnable == "yes"
    assert [one.id for one in (await world.sessions.page(player, None, 20)).sessions] == [made.id]
