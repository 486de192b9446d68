"""Several seats on one board: whose move it is, and what the others must agree to."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from service.engine import PRESETS, Game, Given, IllegalMove, Kind, Position, Pysol, Reason, Rules, status
from service.engine.errors import ConsentNeeded, OthersPlay
from service.engine.game import replay
from service.engine.log import ENTRY_BYTES, Entry, crc_of, pack, unpack
from service.engine.moves import must_fill
from service.engine.notation import parse_move
from service.engine.record import format_record, parse_record
from service.engine.sharing import (
    Mode,
    check,
    department_of,
    legal_for_seat,
    needs_consent,
    others_than,
    turn_of,
    why_not_yours,
)
from tests.engine.games import beginnings, choices, commanded, entry_of, preset_rules

CASCADE = "b1G@1 g2b1@1 b3g2@1 a4b3@1"
any_held = st.sets(st.integers(0, 3), min_size=1).map(lambda seats: tuple(sorted(seats)))
begun_games = preset_rules.flatmap(lambda rules: st.tuples(beginnings(rules), st.just(rules)))


def game_of(commands: str = "", preset: str = "modern") -> Game:
    """A game of the first deal."""
    return commanded(Game.begin(Pysol(1), PRESETS[preset]), commands)


def begin(begun: tuple[Position, Rules]) -> Game:
    position, rules = begun
    return Game.begin(Given(position), rules)


def any_command(game: Game, choice: int) -> str:
    """A command that is possible here: moves one time in two."""
    if choice < 128 and game.legal:
        return str(game.legal[choice % len(game.legal)].move)
    steps, ahead = choice % 5 + 1, len(game.line) - game.played
    if choice % 4 == 0 and steps <= game.played:
        return f"undo:{steps}"
    if choice % 4 == 1 and steps <= ahead:
        return f"redo:{steps}"
    if choice % 4 == 2 and steps <= game.played:
        return "restart" if steps == 5 else f"consent:{steps}"
    return "ask" if choice % 2 else "hint:1"


# a log by several seats


@given(begun_games, choices(60), st.data())
def test_whatever_several_seats_do_replays_from_any_place_to_the_same_game(
    begun: tuple[Position, Rules], commands: bytes, data: st.DataObject
) -> None:
    games, log = [begin(begun)], b""
    for choice in commands:
        if games[-1].is_over:
            break
        entry = entry_of(games[-1], f"{any_command(games[-1], choice)}@{choice % 3}")
        log += pack(entry, games[-1].crc)
        games.append(games[-1].after(entry, crc_of(log)))
    seq = data.draw(st.integers(0, len(games) - 1))
    middle, tail = games[seq], log[seq * ENTRY_BYTES :]

    assert replay(middle, unpack(tail, middle.seq, middle.crc)) == replay(games[0], unpack(log)) == games[-1]


@given(begun_games, choices(60))
def test_a_record_keeps_seats_and_consents(begun: tuple[Position, Rules], commands: bytes) -> None:
    game, entries = begin(begun), []
    for choice in commands:
        if not game.is_over:
            entries.append(entry_of(game, f"{any_command(game, choice)}@{choice % 3}"))
            game = game.after(entries[-1], crc_of(pack(entries[-1], game.crc)))
    record = parse_record(format_record(Given(begun[0]), begun[1], entries))

    assert list(record.entries) == entries


@given(begun_games, choices(60))
def test_what_a_game_carries_along_is_what_its_board_says(begun: tuple[Position, Rules], commands: bytes) -> None:
    game = begin(begun)
    for choice in commands:
        if not game.is_over:
            game = commanded(game, f"{any_command(game, choice)}@{choice % 3}")
        position, rules, points = game.position, game.rules, game.points
        assert game.must_fill == must_fill(position, rules)
        assert (points.promoted, points.won, points.assists) == (
            position.promoted,
            position.is_won,
            game.assists.count,
        )
        assert game.status == status(position, rules)


@given(begun_games, choices(60))
def test_consents_stand_until_the_board_changes(begun: tuple[Position, Rules], commands: bytes) -> None:
    game, standing = begin(begun), dict[int, int]()
    for choice in commands:
        if game.is_over:
            break
        entry = entry_of(game, f"{any_command(game, choice)}@{choice % 3}")
        game = commanded(game, f"{entry.move or entry.kind}{f':{entry.count}' * (entry.count > 0)}@{entry.seat}")
        if entry.kind is Kind.CONSENT:
            standing[entry.seat] = entry.count
        elif entry.kind is not Kind.ASK and entry.kind is not Kind.HINT:
            standing = {}
        assert dict(game.consents) == standing
        assert len(game.consents) == len(standing)


@given(begun_games, choices(60), any_held, st.sampled_from(Mode))
def test_a_seat_is_shown_the_legal_moves_that_are_not_somebody_else_s(
    begun: tuple[Position, Rules], commands: bytes, held: tuple[int, ...], mode: Mode
) -> None:
    game = begin(begun)
    for choice in commands:
        for seat in held:
            yours = [legal for legal in game.legal if why_not_yours(game, legal.move, mode, seat, held) is None]
            assert list(legal_for_seat(game, mode, seat, held)) == yours
        if game.is_over:
            break
        game = commanded(game, f"{any_command(game, choice)}@{held[choice % len(held)]}")


# free hands


@given(begun_games, any_held, st.sampled_from([Mode.SOLO, Mode.FREE_HANDS]))
def test_with_free_hands_every_legal_move_is_everybody_s(
    begun: tuple[Position, Rules], held: tuple[int, ...], mode: Mode
) -> None:
    game = begin(begun)
    assert all(legal_for_seat(game, mode, seat, held) == game.legal for seat in held)


# turns


def test_the_least_seat_that_is_held_begins() -> None:
    assert [turn_of(game_of(), held) for held in [(0, 1), (1, 3), (2,)]] == [0, 1, 2]


def test_whoever_leaves_a_vacancy_fills_it_and_then_the_next_seat_plays() -> None:
    held = (0, 1, 3)
    turns = [turn_of(game_of(" ".join(CASCADE.split()[:played])), held) for played in range(5)]
    assert turns == [0, 1, 1, 1, 3]


def test_after_the_last_seat_the_first_one_plays() -> None:
    assert turn_of(game_of(CASCADE.replace("@1", "@3")), (0, 1, 3)) == 0


def test_the_next_seat_fills_the_vacancy_of_one_who_has_left() -> None:
    assert turn_of(game_of("b1G@1"), (0, 2, 3)) == 2
    assert turn_of(game_of("b1G@3"), (0, 2)) == 0


def test_a_move_out_of_turn_is_refused() -> None:
    with pytest.raises(IllegalMove) as refused:
        check(game_of(), entry_of(game_of(), "b1G@1"), Mode.TURNS, (0, 1))
    assert refused.value.reason is Reason.NOT_YOUR_TURN
    check(game_of(), entry_of(game_of(), "b1G"), Mode.TURNS, (0, 1))


@given(begun_games, choices(60), st.data())
def test_the_turn_passes_to_the_next_seat_once_the_board_is_settled(
    begun: tuple[Position, Rules], commands: bytes, data: st.DataObject
) -> None:
    game, held = begin(begun), data.draw(any_held)
    for choice in commands:
        seat = turn_of(game, held)
        mine = legal_for_seat(game, Mode.TURNS, seat, held)
        assert mine == game.legal
        assert not any(legal_for_seat(game, Mode.TURNS, other, held) for other in others_than(seat, held))
        if not mine:
            break
        game = commanded(game, f"{mine[choice % len(mine)].move}@{seat}")
        next_seat = held[(held.index(seat) + 1) % len(held)]
        assert turn_of(game, held) == (next_seat if game.must_fill is None else seat)


@given(begun_games, choices(60), st.lists(any_held, min_size=60, max_size=60))
def test_it_is_always_the_turn_of_somebody_who_is_there(
    begun: tuple[Position, Rules], commands: bytes, come_and_go: list[tuple[int, ...]]
) -> None:
    game = begin(begun)
    for choice, held in zip(commands, come_and_go, strict=False):
        assert turn_of(game, held) in held
        if not game.is_over:
            game = commanded(game, f"{any_command(game, choice)}@{turn_of(game, held)}")


# departments


@pytest.mark.parametrize(
    ("held", "owners"),
    [((0,), [0, 0, 0, 0]), ((1, 3), [1, 1, 3, 3]), ((0, 1, 3), [0, 0, 1, 3]), ((0, 1, 2, 3), [0, 1, 2, 3])],
)
def test_rows_are_dealt_out_to_the_seats_that_are_held(held: tuple[int, ...], owners: list[int]) -> None:
    moves = map(parse_move, ["a1G", "a2a1", "a3a2", "a4a3"])
    assert [department_of(move, held) for move in moves] == owners


@pytest.mark.parametrize("move", ["S", "Wa4"])
def test_the_hand_goes_with_the_people(move: str) -> None:
    assert department_of(parse_move(move), (0, 1, 2, 3)) == 3


def test_a_move_of_another_department_is_refused() -> None:
    with pytest.raises(IllegalMove) as refused:
        check(game_of(), entry_of(game_of(), "b1G@1"), Mode.DEPARTMENTS, (0, 1))
    assert refused.value.reason is Reason.NOT_YOUR_DEPARTMENT
    check(game_of(), entry_of(game_of(), "b1G"), Mode.DEPARTMENTS, (0, 1))


@given(begun_games, choices(60), any_held)
def test_each_legal_move_is_of_one_department(
    begun: tuple[Position, Rules], commands: bytes, held: tuple[int, ...]
) -> None:
    game = begin(begun)
    for choice in commands:
        shares = [set(legal_for_seat(game, Mode.DEPARTMENTS, seat, held)) for seat in held]
        assert set().union(*shares) == set(game.legal)
        assert sum(map(len, shares)) == len(game.legal)
        if game.is_over:
            break
        game = commanded(game, any_command(game, choice))


# undo, restart, resign


def test_one_s_own_steps_are_taken_back_without_asking() -> None:
    game = game_of(f"{CASCADE} c1G@0")
    assert needs_consent(game, 1, 0, (0, 1)) == frozenset()
    assert needs_consent(game, 1, 1, (0, 1, 2)) == {0, 2}
    assert needs_consent(game, 2, 0, (0, 1, 2)) == {1, 2}


def test_steps_of_one_who_has_left_are_taken_back_with_the_consent_of_those_who_are_there() -> None:
    game = game_of(CASCADE)
    assert needs_consent(game, 4, 0, (0,)) == frozenset()
    assert needs_consent(game, 4, 0, (0, 2)) == {2}


def test_a_consent_covers_as_many_steps_as_it_says() -> None:
    game = game_of(f"{CASCADE} c1G@0 consent:2@1")
    assert [needs_consent(game, steps, 2, (0, 1, 2)) for steps in (1, 2, 3)] == [{0}, {0}, {0, 1}]


@pytest.mark.parametrize(("command", "steps"), [("undo:2", 2), ("restart", 5)])
def test_what_others_did_is_not_taken_back_before_they_agree(command: str, steps: int) -> None:
    game, held = game_of(f"{CASCADE} c1G@0"), (0, 1, 3)
    entry = entry_of(game, command)
    with pytest.raises(ConsentNeeded) as refused:
        check(game, entry, Mode.FREE_HANDS, held)
    assert (refused.value.command, refused.value.steps) == (str(entry.kind), steps)
    assert refused.value.missing == {1, 3}

    agreed = commanded(game, f"consent:{steps}@1 consent:{steps}@3")
    check(agreed, entry, Mode.FREE_HANDS, held)


@pytest.mark.parametrize("kind", [Kind.UNDO, Kind.RESTART])
def test_alone_one_takes_back_and_resigns_as_one_likes(kind: Kind) -> None:
    game = game_of(CASCADE)
    check(game, Entry(kind, seat=1, count=4 * (kind is Kind.UNDO)), Mode.SOLO, (1,))
    check(game, Entry(Kind.RESIGN, seat=1), Mode.SOLO, (1,))


def test_nobody_resigns_while_others_are_there() -> None:
    with pytest.raises(OthersPlay) as refused:
        check(game_of(), Entry(Kind.RESIGN, seat=1), Mode.TURNS, (0, 1, 3))
    assert refused.value.others == {0, 3}


@pytest.mark.parametrize("command", ["redo:1", "hint:1", "ask", "consent:1"])
@pytest.mark.parametrize("mode", [Mode.TURNS, Mode.DEPARTMENTS])
def test_everything_else_is_everybody_s(command: str, mode: Mode) -> None:
    game = game_of(f"{CASCADE} undo:1")
    check(game, entry_of(game, f"{command}@3"), mode, (0, 1, 3))


def test_a_move_can_be_somebody_s_that_is_not_legal() -> None:
    assert why_not_yours(game_of(), parse_move("a1G"), Mode.TURNS, 0, (0, 1)) is None
