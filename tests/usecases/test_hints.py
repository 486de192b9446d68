"""Hints and questions: what they tell, what they cost, and that asking again costs nothing."""

import asyncio

import pytest
from msgspec import UNSET

from service.engine.deal import start
from service.engine.log import Entry, crc_of, pack
from service.engine.moves import TURN, Kind, apply
from service.engine.notation import format_cards, parse_deal, parse_move
from service.engine.rules import PRESETS
from service.engine.sharing import Mode
from service.ports import SolverBusy, StoredPlayer
from service.protocol import shapes
from service.usecases.commands import Redo, Resign, Restart, Undo
from service.usecases.dealing import Wish
from service.usecases.errors import NotYourSeat, SessionOver, Stale, StillSecret
from service.usecases.hints import next_level
from service.usecases.history import Place
from service.usecases.solutions import BUDGETS, scope_of
from service.usecases.views import hint_view
from tests.usecases.world import Board, World
from tests.web.playing import ONE_LEFT, TO_AND_FRO, WON

OVER = [
    ((), 1),
    ((Kind.HINT,), 2),
    ((Kind.HINT, Kind.ASK), 2),
    ((Kind.HINT, Kind.HINT, Kind.CONSENT), 3),
    ((Kind.HINT,) * 5, 3),
]
CHANGES = [Kind.UNDO, Kind.REDO, Kind.RESTART]


def log_of(*kinds: Kind) -> bytes:
    """A log of such entries; what they would do does not matter."""
    log, level = b"", 1
    for kind in kinds:
        count = level if kind is Kind.HINT else int(kind not in {Kind.ASK, Kind.RESTART})
        level = min(3, level + 1) if kind is Kind.HINT else level
        log += pack(Entry(kind, count=count), crc_of(log))
    return log


@pytest.mark.parametrize(("kinds", "level"), OVER)
def test_each_hint_goes_a_step_further_up_to_the_move_whatever_is_asked_meanwhile(
    kinds: tuple[Kind, ...], level: int
) -> None:
    assert next_level(log_of(*kinds)) == level


@pytest.mark.parametrize("change", CHANGES)
def test_hints_begin_anew_when_the_board_changes(change: Kind) -> None:
    assert next_level(log_of(Kind.HINT, Kind.HINT, change)) == 1
    assert next_level(log_of(Kind.HINT, Kind.HINT, change, Kind.ASK)) == 1


async def hint(board: Board, at: Place | None = None) -> shapes.Hint:
    """What a hint on the place that was seen last tells; the board has moved on by it."""
    board.seen = await board.process.hints.hint(board.id, board.player.id, at or board.place)
    assert isinstance(board.seen.hint, shapes.Hint)
    return board.seen.hint


async def ask(board: Board, at: Place | None = None) -> object:
    board.seen = await board.process.hints.ask(board.id, board.player.id, at or board.place)
    return board.seen.winnable


async def third(board: Board) -> str:
    """The move that the third hint tells."""
    return [str((await hint(board)).move) for _ in range(3)][-1]


def another(board: Board, move: str) -> str:
    """A move that may be played instead."""
    return next(legal.move for legal in board.seen.legal if legal.move != move)


def told(given: shapes.Hint) -> set[str]:
    """Which members of a hint say something."""
    return {name for name in ("place", "card", "move") if isinstance(getattr(given, name), str)}


async def test_a_hint_tells_where_then_which_card_then_the_move_and_each_is_an_assist(world: World) -> None:
    board = await world.dealt(await world.player())
    given = [await hint(board) for _ in range(4)]

    assert [one.level for one in given] == [1, 2, 3, 3]
    assert [told(one) for one in given] == [{"place"}, {"place", "card"}, *[{"place", "card", "move"}] * 2]
    assert {one.winnable for one in given} == {"yes"}
    assert (board.seen.seq, board.seen.points.assists) == (4, 4)
    move, place = str(given[3].move), str(given[3].place)
    assert move.startswith(place)
    assert given[3].card == board.seen.rows[int(place[1]) - 1]["abcdefgh".index(place[0])][-2:]
    await board.play(move)
    assert (await hint(board)).level == 1


async def test_whoever_follows_is_answered_without_a_search_and_whoever_goes_astray_after_one(world: World) -> None:
    board = await world.dealt(await world.player())
    follow = await third(board)
    await board.play(follow)
    await hint(board)
    assert len(world.solving.asked) == 1

    await board.do(Undo())
    await board.play(another(board, follow))
    await hint(board)
    assert len(world.solving.asked) == 2
    await board.do(Restart())
    await hint(board)
    await board.do(Redo())
    await hint(board)
    assert len(world.solving.asked) == 2, "both ways are known now"


async def test_a_hint_that_is_asked_for_again_at_its_place_is_the_same_and_costs_nothing(world: World) -> None:
    board = await world.dealt(await world.player())
    place = board.place
    await hint(board)
    first = board.seen
    await board.play(another(board, await third(board)))
    await hint(board)
    length = board.seen.seq

    for process in (world.here, world.process()):
        board = board.elsewhere(process)
        await hint(board, place)
        assert board.seen == first
    assert (await world.sessions.view(board.id, board.player.id)).seq == length


async def test_of_one_question_that_is_sent_twice_at_once_one_is_counted(world: World) -> None:
    board = await world.dealt(await world.player())
    twice = [world.here.hints.ask(board.id, board.player.id, board.place) for _ in range(2)]

    one, other = await asyncio.gather(*twice)
    assert one == other
    assert (one.seq, one.winnable) == (1, "yes")


async def test_a_question_at_a_place_that_is_past_is_stale(world: World) -> None:
    board = await world.dealt(await world.player())
    place = board.place
    await board.play("b1G")

    for question in (hint, ask):
        with pytest.raises(Stale):
            await question(board, place)
    assert world.solving.asked == []


async def test_no_assist_is_counted_where_there_is_no_answer(world: World) -> None:
    board = await world.dealt(await world.player())
    world.solving.is_busy = True

    for question in (hint, ask):
        with pytest.raises(SolverBusy):
            await question(board)
    assert (await world.sessions.view(board.id, board.player.id)).seq == 0


async def test_where_nothing_wins_a_hint_says_so_and_names_no_move(world: World) -> None:
    board = await world.dealt(await world.player(), TO_AND_FRO)

    given = await hint(board)
    assert (given.level, given.winnable, told(given)) == (1, "no", set())
    assert given.place is None
    assert await ask(board) == "no"


async def test_a_question_is_answered_and_is_an_assist(world: World) -> None:
    board = await world.dealt(await world.player(), ONE_LEFT)

    assert await ask(board) == "yes"
    assert (board.seen.seq, board.seen.points.assists) == (1, 1)
    assert [event.kind for event in (await board.events(after=0)).events or ()] == ["ask"]


async def test_only_a_seat_may_ask_and_only_while_the_game_goes_on(world: World) -> None:
    board, stranger = await world.dealt(await world.player()), await world.player()
    for question in (hint, ask):
        with pytest.raises(NotYourSeat):
            await question(Board(world.here, stranger, board.seen))
    await board.do(Resign())
    for question in (hint, ask):
        with pytest.raises(SessionOver):
            await question(board)
    assert world.solving.asked == []


async def test_whoever_may_not_play_now_is_given_the_boards_hint_too(world: World) -> None:
    ann, bob = await world.player(), await world.player()
    wish = Wish(deal="pysol:1", mode=Mode.TURNS)
    made = await world.dealing.create(ann, wish, None)
    await world.sessions.join(made.id, bob, made.invite or "")
    anns, bobs = (Board(world.here, player, made) for player in (ann, bob))

    first = await hint(anns)
    bobs.seen = anns.seen
    second = await hint(bobs)
    assert (first.level, second.level) == (1, 2)
    assert first.place == second.place


async def secret(world: World, player: StoredPlayer) -> Board:
    return Board(world.here, player, await world.dealing.create(player, Wish(deal="secret"), None))


async def test_what_is_asked_about_a_secret_deal_is_kept_apart_until_the_game_is_over(world: World) -> None:
    board = await secret(world, await world.player())
    await ask(board)
    with pytest.raises(StillSecret):
        await world.here.hints.winnable(board.id, board.player.id)
    await board.do(Resign())
    assert (await world.here.hints.winnable(board.id, None)).winnable == "yes"

    deal = board.seen.deal or ""
    assert [problem.scope for problem in world.solving.asked] == [scope_of(deal)]
    assert deal.removeprefix("seed:") not in str(world.solving.asked)


async def test_the_query_is_no_entry_and_says_of_which_place_it_tells(world: World) -> None:
    board = await world.dealt(await world.player())
    await board.play("b1G")

    found = await world.here.hints.winnable(board.id, None)
    assert (found.seq, found.crc, found.winnable) == (board.seen.seq, board.seen.crc, "yes")
    assert (await world.sessions.view(board.id, None)).seq == 1
    assert [problem.scope for problem in world.solving.asked] == [""]


async def test_a_game_that_is_won_was_winnable(world: World) -> None:
    won = await world.dealt(await world.player(), WON)

    assert (await world.here.hints.winnable(won.id, None)).winnable == "yes"
    assert world.solving.asked == []


async def test_a_damaged_plan_is_passed_over(world: World) -> None:
    board = await world.dealt(await world.player(), ONE_LEFT)
    for damaged in ("", "nonsense", "a1G a1G", "b1G"):
        await world.store.sessions.keep_plan(board.id, damaged)

    assert await ask(board) == "yes"
    assert len(world.solving.asked) == 1


@pytest.fixture
def small_budgets(monkeypatch: pytest.MonkeyPatch) -> None:
    for budgets in BUDGETS.values():
        monkeypatch.setitem(budgets, "modern", 1)


async def test_what_is_not_known_is_said_to_be_unknown(world: World, small_budgets: None) -> None:
    board = await world.dealt(await world.player())

    given = await hint(board)
    assert (given.winnable, given.place, told(given)) == ("unknown", None, set())
    assert await ask(board) == "unknown"
    found = await world.here.analyses.analysis(board.id, board.player.id, 0, 25)
    assert (found.deal, found.winnable_until, found.lost_at, found.line) == ("unknown", None, None, None)
    assert (await world.deals.report("pysol:1", "modern", 25)).method == "none"


def test_nobody_is_told_the_card_that_a_turn_turns() -> None:
    position = start(parse_deal("1"), PRESETS["cadogan"])

    for level in (2, 3):
        turn = hint_view(level, True, TURN, position)
        assert (turn.place, turn.card) == ("S", UNSET)
    after = apply(position, TURN, PRESETS["cadogan"])
    from_waste = hint_view(2, True, parse_move("Wb4"), after)
    assert (from_waste.place, from_waste.card) == ("W", format_cards(after.waste[-1:]))
