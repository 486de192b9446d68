from collections import Counter

import pytest

from service.engine import Position
from service.engine.cards import EMPTY
from service.engine.deal import Pysol, dealt
from service.engine.notation import format_cards, format_place, parse_card, parse_place
from service.engine.piles import ROWS, TABLEAU
from service.engine.position import ACES_FOUNDED, ALL_FOUNDED, canonical, founded, opening
from tests.engine.games import win, won


def piles(position: Position) -> dict[str, str]:
    """Everything that lies somewhere, but the stock by its next card and its length."""
    return {format_place(place): format_cards(position.pile(place)) for place in TABLEAU} | {
        "G": format_cards(position.foundations),
        "S": f"{format_cards(position.stock[:1])} of {len(position.stock)}",
        "W": format_cards(position.waste),
    }


@pytest.mark.parametrize(
    ("preset", "deal", "played", "move", "change"),
    [
        ("modern", "pysol:1", 0, "b1G", {"b1": "", "G": "ACACASAS2HAHADAD"}),
        ("modern", "pysol:1", 8, "b1G", {"b1": "", "G": "ACACASAS2H2H2DAD"}),
        ("cadogan", "pysol:1", 47, "f1G", {"f1": "5D4S3D", "G": "2CACASASAHAHADAD"}),
        ("modern", "pysol:1", 1, "g2b1", {"g2": "", "b1": "2D"}),
        ("modern", "pysol:1", 56, "c2f1", {"c2": "", "f1": "TD9C8D"}),
        ("modern", "pysol:1", 3, "a4b3", {"a4": "6D", "b3": "2D", "S": "TH of 47"}),
        ("cadogan", "pysol:86", 3, "f4d3", {"f4": "3D", "d3": "2H", "W": ""}),
        ("pysol", "pysol:1", 2, "a4a3", {"a4": "6D", "a3": "2D", "W": "TH", "S": "8S of 46"}),
        ("cadogan", "pysol:13", 63, "c4c3", {"c4": "JH", "c3": "JDTS"}),
        ("modern", "pysol:1", 194, "d4a3", {"d4": "", "a3": "5S"}),
        ("cadogan", "pysol:86", 0, "S", {"S": "9C of 47", "W": "3D"}),
        ("cadogan", "pysol:13", 47, "Wf4", {"W": "", "f4": "JSTD"}),
        ("pysol", "pysol:13", 45, "Wf4", {"W": "7C", "f4": "JSTD", "S": "6D of 26"}),
    ],
)
def test_a_move_changes_these_piles_and_no_other(
    preset: str, deal: str, played: int, move: str, change: dict[str, str]
) -> None:
    before, made, after = win(preset, deal).play.steps[played]
    assert str(made) == move
    assert {place: pile for place, pile in piles(after).items() if pile != piles(before)[place]} == change


def test_a_deal_fills_the_tableau_row_by_row_and_then_the_stock() -> None:
    cards = dealt(Pysol(1))
    position = opening(cards)

    assert position.tops + position.stock == cards
    assert (position.foundations, position.waste, position.promoted) == (ACES_FOUNDED, b"", 0)
    assert [piles(position)[place] for place in ("a1", "h1", "a2", "h4", "S")] == ["9D", "4D", "3C", "6H", "6D of 48"]


def test_a_won_position_has_promoted_eighty_cards() -> None:
    position = won("cadogan", "pysol:1", 272)
    assert (position.is_won, position.promoted, position.foundations) == (True, 80, ALL_FOUNDED)
    assert (won("cadogan", "pysol:1", 271).is_won, won("cadogan", "pysol:1", 271).promoted) == (False, 79)


def test_the_higher_foundation_of_a_suit_stays_first() -> None:
    once = founded(ACES_FOUNDED, parse_card("2S"))
    twice = founded(once, parse_card("2S"))
    assert format_cards(once) == "ACAC2SASAHAHADAD"
    assert format_cards(twice) == "ACAC2S2SAHAHADAD"
    assert format_cards(founded(twice, parse_card("3S"))) == "ACAC3S2SAHAHADAD"


@pytest.mark.parametrize(
    ("empty", "vacancy"),
    [
        ("", None),
        ("d1", "d1"),
        ("f3", "f3"),
        ("f3 d1", "d1"),
        ("h4", None),
        ("a2 b2 c2 d2 e2 f2 g2 h2 a1", "a2"),
        ("a4 b4 c4 d4 e4 f4 g4 h4 a3", None),
        ("a3 b3 c3 d3 e3 f3 g3 h3 a4 b4 c4 d4 e4 f4 g4 h4 b2", None),
        ("a3 b3 c3 d3 e3 f3 g3 h3 a4 b4 c4 d4 e4 f4 g4 h4 b1", "b1"),
    ],
)
def test_the_vacancy_is_the_first_gap_that_the_next_row_can_fill(empty: str, vacancy: str | None) -> None:
    tops = bytearray(opening(dealt(Pysol(1))).tops)
    for place in empty.split():
        tops[parse_place(place)] = EMPTY
    found = opening(dealt(Pysol(1)))._replace(tops=bytes(tops)).vacancy()

    assert (None if found is None else format_place(found)) == vacancy


def test_the_canonical_form_sorts_each_row_and_keeps_the_rest() -> None:
    position = won("modern", "pysol:10", 38)
    form = canonical(position)

    assert form != position
    assert form[2:] == position[2:]
    for row in ROWS:
        assert Counter(map(form.pile, row)) == Counter(map(position.pile, row))
        assert [form.tops[place] for place in row] == sorted(position.tops[place] for place in row)
