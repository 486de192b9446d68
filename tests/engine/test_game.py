import pytest

from service.engine import PRESETS, CorruptLog, Game, Given, IllegalMove, Kind, Pysol, Status
from service.engine.errors import GameOver, NothingToDo
from service.engine.game import replay, step_of
from service.engine.log import Entry, crc_of, pack, unpack
from service.engine.notation import format_place, parse_move, parse_position
from tests.engine.games import TO_AND_FRO, commanded, entry_of, packed, win

CASCADE = "b1G g2b1 b3g2 a4b3"
"""Four moves of the first deal, of which the last turns up the first card of the stock."""


def game_of(preset: str = "modern", commands: str = "") -> Game:
    """A game of the first deal."""
    return commanded(Game.begin(Pysol(1), PRESETS[preset]), commands)


def moves(game: Game) -> str:
    """The moves of the line, with a bar between those that are played and those that a redo repeats."""
    line = [str(step_of(letter).move) for letter in game.line]
    return " ".join([*line[: game.played], "|", *line[game.played :]])


def board(game: Game) -> tuple[object, ...]:
    """All that undo and redo go back and forth in."""
    points = game.points._replace(assists=0)
    return game.position, game.must_fill, game.line, game.played, points, game.status


def test_a_game_begins_with_its_deal_at_seq_nought() -> None:
    game = game_of()
    assert (game.position, game.seq, game.crc, game.time) == (game.start, 0, 0, 0)
    assert (game.status, game.is_over, game.points.total, moves(game)) == (Status.PLAYING, False, 0, "|")


def test_an_entry_adds_one_to_seq_and_brings_its_time_and_checksum() -> None:
    entry = entry_of(game_of(), "b1G", time=12)
    game = game_of().after(entry, crc_of(pack(entry, 0)))
    assert (game.seq, f"{game.crc:08x}", game.time) == (1, "5850cb3e", 12)


def test_a_vacancy_is_told_until_it_is_filled() -> None:
    vacancies = [game_of(commands=" ".join(CASCADE.split()[:played])).must_fill for played in range(5)]
    assert [None if vacancy is None else format_place(vacancy) for vacancy in vacancies] == [
        None,
        "b1",
        "g2",
        "b3",
        None,
    ]


# undo and redo


def test_a_cascade_is_one_group_where_filling_is_forced() -> None:
    game = game_of(commands=f"{CASCADE} c1G")
    assert [game.undo_count(by_group=True), game.undo_count(by_group=False)] == [1, 1]
    assert commanded(game, "undo:1").undo_count(by_group=True) == 4
    assert commanded(game, "undo:5").redo_count(by_group=True) == 4
    assert commanded(game, "undo:1").redo_count(by_group=True) == 1


def test_a_group_is_taken_back_and_repeated_from_its_middle() -> None:
    game = game_of(commands=f"{CASCADE} undo:2")
    assert (game.undo_count(by_group=True), game.redo_count(by_group=True)) == (2, 2)
    assert (game.undo_count(by_group=False), game.redo_count(by_group=False)) == (1, 1)


def test_each_move_is_its_own_group_where_filling_is_free() -> None:
    game = game_of("pysol", CASCADE)
    assert game.undo_count(by_group=True) == 1
    assert commanded(game, "undo:4").redo_count(by_group=True) == 1


def test_a_game_that_begins_with_a_vacancy_begins_with_a_group() -> None:
    game = Game.begin(Given(game_of(commands="b1G").position), PRESETS["modern"])
    assert commanded(game, "g2b1 b3g2 a4b3").undo_count(by_group=True) == 3


def test_at_the_start_there_is_nothing_to_undo_redo_or_restart() -> None:
    game = game_of()
    assert [game.undo_count(by_group) + game.redo_count(by_group) for by_group in (True, False)] == [0, 0]
    for command in ("undo", "redo", "restart"):
        with pytest.raises(NothingToDo, match=f"^there is nothing to {command}$"):
            commanded(game, command + ":1" * (command != "restart"))


def test_no_more_can_be_undone_than_was_played_nor_redone_than_was_undone() -> None:
    game = game_of(commands=f"{CASCADE} undo:1")
    with pytest.raises(NothingToDo):
        commanded(game, "undo:4")
    with pytest.raises(NothingToDo):
        commanded(game, "redo:2")
    with pytest.raises(NothingToDo):
        commanded(game, "undo:0")
    with pytest.raises(NothingToDo):
        commanded(game, "redo:0")


def test_there_is_no_consent_to_more_than_was_played() -> None:
    game = game_of(commands=f"{CASCADE} undo:1")
    for steps in (0, 4):
        with pytest.raises(NothingToDo, match=r"^there is nothing to consent$"):
            commanded(game, f"consent:{steps}")


def test_an_undo_takes_back_the_automatic_part_and_the_tempo() -> None:
    game = game_of(commands=f"{CASCADE} c1G")
    assert (len(game.position.stock), game.points.tempo, game.points.promoted) == (47, 48 + 47, 2)
    game = commanded(game, "undo:2")
    assert (len(game.position.stock), game.points.tempo, game.points.promoted) == (48, 48, 1)


def test_the_same_move_after_an_undo_keeps_what_can_be_redone() -> None:
    game = game_of(commands=f"{CASCADE} undo:3 g2b1")
    assert moves(game) == "b1G g2b1 | b3g2 a4b3"
    assert board(commanded(game, "redo:2")) == board(game_of(commands=CASCADE))


def test_a_different_move_after_an_undo_drops_what_could_be_redone() -> None:
    game = game_of(commands=f"{CASCADE} undo:2 a3g2")
    assert moves(game) == "b1G g2b1 a3g2 |"


def seats(game: Game) -> list[int]:
    return [step_of(letter).seat for letter in game.line]


def test_a_step_is_the_seat_s_that_played_it_last() -> None:
    game = game_of(commands=CASCADE.replace(" ", "@1 "))
    assert seats(game) == [1, 1, 1, 0]
    assert seats(commanded(game, "undo:3@2 redo:1@2")) == [1, 1, 1, 0]
    again = commanded(game, "undo:3@2 g2b1@2")
    assert (seats(again), moves(again)) == ([1, 2, 1, 0], "b1G g2b1 | b3g2 a4b3")


def test_a_restart_goes_back_to_the_start_and_can_be_redone() -> None:
    game = game_of(commands=f"{CASCADE} restart")
    assert (game.position, moves(game)) == (game.start, f"| {CASCADE}")
    assert board(commanded(game, "redo:4")) == board(game_of(commands=CASCADE))


# the end


@pytest.mark.parametrize("command", ["b1G", "undo:1", "redo:1", "restart", "resign", "hint:1", "ask", "consent:1"])
def test_a_resigned_game_takes_no_command(command: str) -> None:
    game = game_of(commands="b1G resign")
    assert (game.status, game.is_over, game.legal) == (Status.RESIGNED, True, ())
    with pytest.raises(GameOver, match=r"^the game is resigned$"):
        commanded(game, command)


@pytest.mark.parametrize("command", ["a1G", "undo:1", "restart", "resign", "hint:1", "ask", "consent:1"])
def test_a_won_game_takes_no_command(command: str) -> None:
    game = game_of("cadogan", " ".join(win("cadogan", "pysol:1").moves))
    assert (game.status, game.is_over, game.legal) == (Status.WON, True, ())
    with pytest.raises(GameOver, match=r"^the game is won$"):
        commanded(game, command)


def test_a_stuck_game_goes_on_since_undo_stays_possible() -> None:
    game = commanded(Game.begin(Given(parse_position(TO_AND_FRO)), PRESETS["modern"]), "c1e1")
    assert (game.status, game.is_over) == (Status.STUCK, False)
    assert commanded(game, "undo:1").position == game.start


def test_an_illegal_move_is_refused_and_changes_nothing() -> None:
    game = game_of()
    with pytest.raises(IllegalMove, match=r"^a1G is not legal: wrong_rank$"):
        commanded(game, "a1G")
    assert game == game_of()


# assists


@pytest.mark.parametrize(
    ("commands", "assists"),
    [
        ("hint:1", 1),
        ("hint:1 hint:2 hint:3", 3),
        ("ask", 1),
        ("b1G consent:1", 0),
        (f"{CASCADE} undo:1", 1),
        (f"{CASCADE} undo:1 undo:3", 1),
        (f"{CASCADE} undo:4", 1),
        (f"{CASCADE} restart", 1),
        (f"{CASCADE} undo:1 redo:1 undo:1", 1),
        (f"{CASCADE} undo:1 a4b3 undo:1 b4b3 undo:1", 1),
        ("b1G g2b1 b3g2 undo:3", 0),
        ("b1G undo:1 b1G undo:1", 0),
        (f"{CASCADE} c1G f2c1 a3f2 a4a3 undo:8", 2),
        (f"{CASCADE} c1G f2c1 a3f2 a4a3 undo:1 redo:1 restart", 2),
        (f"{CASCADE} undo:1 hint:2 ask", 3),
    ],
)
def test_questions_and_revealed_cards_taken_back_are_assists(commands: str, assists: int) -> None:
    assert game_of(commands=commands).points.assists == assists


def test_a_turn_that_is_taken_back_is_an_assist() -> None:
    assert game_of("cadogan", "S S undo:2").points.assists == 2
    assert game_of("pysol", "S undo:1").points.assists == 1


def test_a_consent_changes_neither_board_nor_score() -> None:
    before = game_of(commands=CASCADE)
    after = commanded(before, "consent:4")
    assert (board(after), after.assists, after.seq) == (board(before), before.assists, 5)


def test_a_seat_s_next_consent_takes_the_place_of_its_last() -> None:
    game = game_of(commands=f"{CASCADE} consent:1@1 consent:2@3 consent:4@1")
    assert game.consents == ((3, 2), (1, 4))


@pytest.mark.parametrize("command", ["c1G", "undo:1", "undo:1 redo:1", "restart"])
def test_consents_are_void_once_the_board_has_changed(command: str) -> None:
    assert game_of(commands=f"{CASCADE} consent:1@1 {command}").consents == ()


@pytest.mark.parametrize("command", ["hint:1", "ask", "consent:1@2", "resign"])
def test_consents_stand_while_the_board_does_not_change(command: str) -> None:
    assert (1, 1) in game_of(commands=f"{CASCADE} consent:1@1 {command}").consents


def reveals(game: Game) -> set[bool]:
    return {move.reveals for move in game.legal}


def test_a_move_reveals_a_card_that_was_never_up() -> None:
    assert reveals(game_of(commands="b1G g2b1 b3g2")) == {True}
    assert reveals(game_of(commands=f"{CASCADE} undo:1")) == {False}


def test_legal_moves_come_with_their_kinds() -> None:
    assert [(str(move.move), move.kind, move.reveals) for move in game_of("cadogan").legal] == [
        ("b1G", Kind.PROMOTE, False),
        ("c1G", Kind.PROMOTE, False),
        ("a2g1", Kind.BUILD, False),
        ("a2h1", Kind.BUILD, False),
        ("e2e1", Kind.BUILD, False),
        ("b3a2", Kind.BUILD, False),
        ("b4e3", Kind.BUILD, True),
        ("c4e3", Kind.BUILD, True),
        ("S", Kind.TURN, True),
    ]


# replay


B1G, C1G = Entry(Kind.PROMOTE, move=parse_move("b1G")), Entry(Kind.PROMOTE, move=parse_move("c1G"))
G2B1 = Entry(Kind.FILL, move=parse_move("g2b1"))


def test_a_log_replays_from_any_place_on() -> None:
    game = replay(game_of(), unpack(packed([B1G])))
    tail = packed([G2B1], game.crc)
    assert replay(game, unpack(tail, game.seq, game.crc)) == replay(game_of(), unpack(packed([B1G, G2B1])))


@pytest.mark.parametrize(
    ("entries", "seq", "why"),
    [
        ([B1G, C1G], 2, "c1G is not legal: must_fill"),
        ([B1G._replace(kind=Kind.BUILD)], 1, "b1G is a promote here, not a build"),
        ([B1G, G2B1._replace(kind=Kind.BUILD)], 2, "g2b1 is a fill here, not a build"),
        ([B1G._replace(time=20), G2B1._replace(time=19)], 2, "its time is before the last entry's"),
        ([B1G, Entry(Kind.UNDO, count=2)], 2, "there is nothing to undo"),
        ([B1G, Entry(Kind.REDO, count=1)], 2, "there is nothing to redo"),
        ([Entry(Kind.RESTART)], 1, "there is nothing to restart"),
        ([B1G, Entry(Kind.RESIGN), G2B1], 3, "the game is resigned"),
        ([B1G, Entry(Kind.RESIGN), Entry(Kind.ASK)], 3, "the game is resigned"),
    ],
)
def test_an_entry_that_no_play_can_have_written_is_found(entries: list[Entry], seq: int, why: str) -> None:
    with pytest.raises(CorruptLog) as corrupt:
        replay(game_of(), unpack(packed(entries)))
    assert (corrupt.value.seq, corrupt.value.why) == (seq, why)
