import pytest

from service.engine import PRESETS, IllegalMove, Kind, Reason, Status, apply, legal_moves, perft, status, why_not
from service.engine.moves import ALL_MOVES, MOVES, TURN, kind_of, must_fill
from service.engine.notation import format_place, parse_move, parse_position
from service.engine.piles import GOVERNMENT, STOCK, TABLEAU, WASTE
from tests.engine.games import TO_AND_FRO, win, won

REFUSALS = [
    ("modern", "pysol:1", 274, "a1G", Reason.OVER),
    ("modern", "pysol:1", 274, "S", Reason.OVER),
    ("modern", "pysol:1", 1, "c1G", Reason.MUST_FILL),
    ("modern", "pysol:1", 1, "a2a1", Reason.MUST_FILL),
    ("cadogan", "pysol:1", 1, "S", Reason.MUST_FILL),
    ("modern", "pysol:1", 1, "a3b1", Reason.NOT_ROW_BELOW),
    ("modern", "pysol:1", 1, "a1b1", Reason.NOT_ROW_BELOW),
    ("modern", "pysol:4", 277, "f1a1", Reason.NO_VACANCY),
    ("modern", "pysol:4", 274, "a1G", Reason.EMPTY_SOURCE),
    ("modern", "pysol:4", 274, "a1f1", Reason.EMPTY_SOURCE),
    ("modern", "pysol:7", 193, "a4a3", Reason.EMPTY_SOURCE),
    ("cadogan", "pysol:1", 0, "Wa4", Reason.EMPTY_SOURCE),
    ("modern", "pysol:1", 0, "a2G", Reason.NOT_TOP_ROW),
    ("cadogan", "pysol:1", 0, "WG", Reason.NOT_TOP_ROW),
    ("modern", "pysol:1", 0, "a1a2", Reason.NOT_ROW_BELOW),
    ("modern", "pysol:1", 0, "a3a1", Reason.NOT_ROW_BELOW),
    ("modern", "pysol:1", 0, "a2b2", Reason.NOT_ROW_BELOW),
    ("cadogan", "pysol:1", 0, "Wa3", Reason.NOT_ROW_BELOW),
    ("modern", "pysol:1", 0, "a1G", Reason.WRONG_RANK),
    ("modern", "pysol:1", 0, "a1b1", Reason.WRONG_RANK),
    ("modern", "pysol:1", 0, "a2a1", Reason.WRONG_RANK),
    ("cadogan", "pysol:86", 1, "Wa4", Reason.WRONG_RANK),
    ("modern", "pysol:1", 0, "b2d1", Reason.WRONG_COLOUR),
    ("modern", "pysol:9", 284, "g1h1", Reason.WRONG_COLOUR),
    ("cadogan", "pysol:86", 1, "Wb4", Reason.WRONG_COLOUR),
    ("modern", "pysol:12", 4, "d1G", Reason.WRONG_SUIT),
    ("modern", "pysol:1", 0, "a1a1", Reason.SAME_PLACE),
    ("cadogan", "pysol:1", 0, "d3d3", Reason.SAME_PLACE),
    ("cadogan", "pysol:1", 0, "a1b1", Reason.NO_LATERAL),
    ("modern", "pysol:1", 0, "a3a2", Reason.NOT_DEEP),
    ("modern", "pysol:1", 0, "S", Reason.NO_WASTE),
    ("modern", "pysol:1", 0, "Wa4", Reason.NO_WASTE),
    ("cadogan", "pysol:5", 108, "S", Reason.STOCK_EMPTY),
    ("cadogan-1914", "pysol:1", 0, "Wa4", Reason.NO_PEOPLE),
]


@pytest.mark.parametrize(("preset", "deal", "played", "move", "reason"), REFUSALS)
def test_a_move_is_refused_for_its_reason(preset: str, deal: str, played: int, move: str, reason: Reason) -> None:
    position, rules = won(preset, deal, played), PRESETS[preset]

    assert why_not(position, parse_move(move), rules) is reason
    with pytest.raises(IllegalMove) as refused:
        apply(position, parse_move(move), rules)
    assert (refused.value.move, refused.value.reason) == (move, reason)
    assert str(refused.value) == f"{move} is not legal: {reason}"


def test_every_reason_has_its_example() -> None:
    assert {reason for *_, reason in REFUSALS} == set(Reason) - {Reason.NOT_YOUR_TURN, Reason.NOT_YOUR_DEPARTMENT}


@pytest.mark.parametrize(
    ("preset", "deal", "played", "move", "kind"),
    [
        ("modern", "pysol:1", 0, "b1G", Kind.PROMOTE),
        ("modern", "pysol:1", 1, "g2b1", Kind.FILL),
        ("modern", "pysol:1", 52, "c1f1", Kind.LATERAL),
        ("modern", "pysol:1", 56, "c2f1", Kind.BUILD),
        ("cadogan", "pysol:86", 0, "S", Kind.TURN),
        ("cadogan", "pysol:13", 47, "Wf4", Kind.PEOPLE),
    ],
)
def test_a_move_is_of_its_kind(preset: str, deal: str, played: int, move: str, kind: Kind) -> None:
    position = won(preset, deal, played)
    assert why_not(position, parse_move(move), PRESETS[preset]) is None
    assert kind_of(position, parse_move(move)) is kind


def test_there_are_1090_moves_to_write() -> None:
    assert len(set(ALL_MOVES)) == len(ALL_MOVES) == 1090
    assert {move.target for move in ALL_MOVES} == {*TABLEAU, WASTE, GOVERNMENT}
    assert {move.source for move in ALL_MOVES} == {*TABLEAU, WASTE, STOCK}


def test_the_moves_are_made_once() -> None:
    assert MOVES[9][0] is parse_move("b2a1")
    assert TURN is parse_move("S")


def test_an_opening_without_vacancy_need_not_be_filled() -> None:
    assert must_fill(won("modern", "pysol:1", 0), PRESETS["modern"]) is None


def test_a_gap_in_row_two_must_be_filled_from_row_three() -> None:
    position, rules = won("modern", "pysol:1", 2), PRESETS["modern"]
    vacancy = must_fill(position, rules)

    assert vacancy is not None
    assert format_place(vacancy) == "g2"
    assert " ".join(map(str, legal_moves(position, rules))) == "a3g2 b3g2 c3g2 d3g2 e3g2 f3g2 g3g2 h3g2"


def test_a_gap_may_stay_open_where_filling_is_free() -> None:
    position, rules = won("pysol", "pysol:1", 1), PRESETS["pysol"]

    assert must_fill(position, rules) is None
    assert " ".join(map(str, legal_moves(position, rules))) == (
        "b1G c1G e2e1 g2g1 b4e3 c4e3 a3a2 b3a2 c3a2 d3a2 e3a2 f3a2 g3a2 h3a2 Wb4 Wc4 S"
    )


def test_two_foundations_that_both_fit_make_one_promotion() -> None:
    promotions = [
        move for move in legal_moves(won("modern", "pysol:1", 0), PRESETS["modern"]) if move.target == GOVERNMENT
    ]
    assert " ".join(map(str, promotions)) == "b1G c1G"


def test_a_game_is_won_when_the_last_card_is_promoted() -> None:
    game = win("cadogan", "pysol:1")
    assert [status(position, game.rules) for position in game.play.positions[-2:]] == [Status.PLAYING, Status.WON]


def test_a_game_in_which_a_card_can_only_go_to_and_fro_is_stuck() -> None:
    position = parse_position(TO_AND_FRO)
    assert list(map(str, legal_moves(position, PRESETS["modern"]))) == ["c1e1"]
    assert status(position, PRESETS["modern"]) is Status.STUCK


def test_the_same_cards_are_not_stuck_where_the_card_would_leave_a_gap() -> None:
    position = parse_position(TO_AND_FRO.replace("7S6H", "6H").replace("JD2C", "JD2C7S"))
    assert status(position, PRESETS["modern"]) is Status.PLAYING


def test_a_game_in_which_two_idle_moves_open_a_promotion_is_not_stuck() -> None:
    position = parse_position(
        "6S5D4S,6C5H,6C,JC,JS,JH,JD,JC/9C,9S,9H,9D,8C,8S,8H,8D/"
        "7S,TC,9S,3H,2D,2H,4D,5C/5S,TS,6H,3C,6D,7D,3H,4H AA5AAAAA "
        "3DTSJDTD6D7S2C4D6H2D2S7C5C9DTD5DTC8D3S6S8S9CJS9H3D4C7H4HTH2CTH2HJH8H7C8C5H3C7H7D4C -"
    )
    assert list(map(str, legal_moves(position, PRESETS["modern"]))) == ["a1b1", "b1c1"]
    assert status(position, PRESETS["modern"]) is Status.PLAYING


def test_there_is_one_line_of_no_moves() -> None:
    assert perft(won("modern", "pysol:1", 0), PRESETS["modern"], 0) == 1
