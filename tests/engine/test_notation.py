from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from service.engine import PRESETS, Deal, Fill, Given, NotationError, Numbered, Pysol, Rules, Seeded
from service.engine.cards import ALL_CARDS
from service.engine.moves import ALL_MOVES
from service.engine.notation import (
    format_card,
    format_cards,
    format_deal,
    format_move,
    format_place,
    format_position,
    format_rules,
    format_view,
    parse_card,
    parse_deal,
    parse_move,
    parse_place,
    parse_position,
    parse_rules,
    parse_view,
)
from service.engine.piles import PLACE_NAMES
from service.engine.view import view_of
from tests.engine.games import Play, dealt_deals, plays, won

CARD = "a card, one of A23456789TJ and then one of CSHD"
SOURCE = "a place, a1 to h4, or W or S"
TARGET = "a place, a1 to h4, or G"
NUMBER = "a number from 0 to 18446744073709551615"
PYSOL_NUMBER = "a number from 1 to 100000000000000000000"
HEX = "64 hexadecimal digits, a to f small"
RUN = "a card one lower and of the other colour"
TWICE = "a card that is not there twice already"
POSITION = format_position(won("cadogan", "pysol:13", 47))
VIEW = format_view(view_of(won("cadogan", "pysol:13", 47)))
SEED = "0123456789abcdef" * 4


def test_every_card_has_a_text() -> None:
    assert [parse_card(format_card(card)) for card in ALL_CARDS] == list(ALL_CARDS)
    assert format_cards(bytes(map(parse_card, ("TH", "9S")))) == "TH9S"


def test_every_place_has_a_text() -> None:
    assert [parse_place(format_place(place)) for place in range(len(PLACE_NAMES))] == list(range(35))


def test_every_move_has_a_text() -> None:
    assert [parse_move(format_move(move)) for move in ALL_MOVES] == list(ALL_MOVES)


def test_every_preset_has_a_name() -> None:
    assert [parse_rules(format_rules(rules)) for rules in PRESETS.values()] == list(PRESETS.values())


def test_rules_that_are_no_preset_have_no_name() -> None:
    with pytest.raises(KeyError):
        format_rules(Rules(lateral=True, deep=True, waste=True, people=True, fill=Fill.FREE))


@pytest.mark.parametrize(
    ("text", "deal"),
    [
        ("0", Numbered(0)),
        ("18446744073709551615", Numbered(2**64 - 1)),
        ("pysol:1", Pysol(1)),
        ("pysol:100000000000000000000", Pysol(10**20)),
        ("pysol:ms8589934591", Pysol(2**33 - 1, ms=True)),
        (f"seed:{SEED}", Seeded(bytes.fromhex(SEED))),
        (f"position:{POSITION}", Given(won("cadogan", "pysol:13", 47))),
    ],
)
def test_a_deal_has_a_text(text: str, deal: Deal) -> None:
    assert parse_deal(text) == deal
    assert format_deal(deal) == text


@given(dealt_deals | plays().map(lambda play: Given(play.last)))
def test_every_deal_reads_back(deal: Deal) -> None:
    assert parse_deal(format_deal(deal)) == deal


@given(plays())
def test_every_position_and_every_view_reads_back(play: Play) -> None:
    for position in play.positions:
        assert parse_position(format_position(position)) == position
        assert parse_view(format_view(view_of(position))) == view_of(position)


def test_a_position_has_this_text() -> None:
    assert format_position(won("modern", "pysol:4", 277)) == (
        "-,-,-,-,-,JS,-,-/-,-,-,-,-,-,-,-/-,-,-,-,-,-,-,-/-,-,-,-,-,-,-,- JJJTJJJJ - -"
    )
    assert format_view(view_of(won("cadogan", "pysol:13", 47))) == (
        "5D4C3D,TS9D8C7H,6S,7H6S5H,9H,4H,5H4S,3S2H/7D,6D5S,8H7C6H,9C8H,4H3C,9S8D,4S,9S8D/"
        "5C,2S,JD,JHTC9D,2C,2S,JCTH,JSTD/8C,TH,3S,7D,JC,JS,5C,2H AAAAAAAA 27 TD"
    )


def refusal(parse: Callable[[str], Any], text: str) -> tuple[int, str]:
    """Where the parser says that the text goes wrong, and what it says should be there."""
    with pytest.raises(NotationError) as refused:
        parse(text)
    assert refused.value.text == text
    return refused.value.at, refused.value.expected


@pytest.mark.parametrize(
    ("parse", "text", "at", "expected"),
    [
        (parse_card, "", 0, CARD),
        (parse_card, "T", 0, CARD),
        (parse_card, "KH", 0, CARD),
        (parse_card, "th", 0, CARD),
        (parse_card, "TX", 0, CARD),
        (parse_card, "10H", 0, CARD),
        (parse_card, "\N{FULLWIDTH DIGIT NINE}H", 0, CARD),
        (parse_card, " TH", 0, CARD),
        (parse_card, "TH ", 2, "the end"),
        (parse_place, "", 0, "a place, a1 to h4, or W, S or G"),
        (parse_place, "i1", 0, "a place, a1 to h4, or W, S or G"),
        (parse_place, "a5", 0, "a place, a1 to h4, or W, S or G"),
        (parse_place, "a1a", 0, "a place, a1 to h4, or W, S or G"),
        (parse_move, "", 0, SOURCE),
        (parse_move, "G", 0, SOURCE),
        (parse_move, "a0b1", 0, SOURCE),
        (parse_move, "A1b1", 0, SOURCE),
        (parse_move, "a1", 2, TARGET),
        (parse_move, "a1W", 2, TARGET),
        (parse_move, "a1S", 2, TARGET),
        (parse_move, "a1i1", 2, TARGET),
        (parse_move, "W", 1, TARGET),
        (parse_move, "WW", 1, TARGET),
        (parse_move, "SW", 1, "the end"),
        (parse_move, "a1b1 ", 4, "the end"),
        (parse_move, "a1G\0", 3, "the end"),
        (parse_rules, "", 0, "one of modern, cadogan, cadogan-1914, pysol"),
        (parse_rules, "Modern", 0, "one of modern, cadogan, cadogan-1914, pysol"),
        (parse_deal, "", 0, "a number, pysol:N, pysol:msN, seed:HEX or position:TEXT"),
        (parse_deal, "-1", 0, "a number, pysol:N, pysol:msN, seed:HEX or position:TEXT"),
        (parse_deal, "+1", 0, "a number, pysol:N, pysol:msN, seed:HEX or position:TEXT"),
        (parse_deal, "random", 0, "a number, pysol:N, pysol:msN, seed:HEX or position:TEXT"),
        (parse_deal, "\N{ARABIC-INDIC DIGIT THREE}", 0, "a number, pysol:N, pysol:msN, seed:HEX or position:TEXT"),
        (parse_deal, "01", 1, "the end"),
        (parse_deal, "1_0", 1, "the end"),
        (parse_deal, "1\N{ARABIC-INDIC DIGIT THREE}", 1, "the end"),
        (parse_deal, "18446744073709551616", 0, NUMBER),
        (parse_deal, "pysol:", 6, PYSOL_NUMBER),
        (parse_deal, "pysol:0", 6, PYSOL_NUMBER),
        (parse_deal, "pysol:100000000000000000001", 6, PYSOL_NUMBER),
        (parse_deal, "pysol:1 ", 7, "the end"),
        (parse_deal, "pysol:ms0", 8, "a number from 1 to 8589934591"),
        (parse_deal, "pysol:ms8589934592", 8, "a number from 1 to 8589934591"),
        (parse_deal, "seed:", 5, HEX),
        (parse_deal, f"seed:{SEED[:-1]}", 5, HEX),
        (parse_deal, f"seed:{SEED.upper()}", 5, HEX),
        (parse_deal, f"seed:{SEED}0", 69, "the end"),
        (parse_deal, "position:", 9, CARD),
        (parse_deal, f"position:{POSITION}-", len(POSITION) + 9, "the end"),
    ],
)
def test_a_bad_text_is_refused_where_it_goes_wrong(
    parse: Callable[[str], Any], text: str, at: int, expected: str
) -> None:
    assert refusal(parse, text) == (at, expected)


@pytest.mark.parametrize(
    ("right", "wrong", "at", "expected"),
    [
        ("3S2H/7D", "3S2H,7D", 41, "'/' and the pile of a2"),
        ("9H,4H,5H4S", "9H/4H,5H4S", 28, "',' and the pile of f1"),
        ("5D4C3D", "", 0, CARD),
        ("5D4C3D", "5D4C3", 4, CARD),
        ("5D4C3D", "5D4C3D-", 6, "',' and the pile of b1"),
        ("5D4C3D", "5D4C2D", 4, RUN),
        ("5D4C3D", "5D4C3C", 4, RUN),
        ("5C,2H AAAAAAAA", "5C,2D AAAAAAAA", 177, TWICE),
        ("8C,TH", "3D,TH", 159, TWICE),
        ("2H AAAAAAAA", "2H/AAAAAAAA", 135, "a space and the eight foundations"),
        ("2H AAAAAAAA", "2H  AAAAAAAA", 136, "the rank of a foundation of clubs, at most J"),
        ("2H AAAAAAAA", "2H A2AAAAAA", 137, "the rank of a foundation of clubs, at most A"),
        ("2H AAAAAAAA", "2H AAAAAAA", 143, "the rank of a foundation of diamonds, at most A"),
        ("2H AAAAAAAA", "2H AAAAKAAA", 140, "the rank of a foundation of hearts, at most J"),
        ("2H AAAAAAAA", "2H AA2AAAAA", 138, "a rank up to which no card is there twice already"),
        ("AAAAAAAA 7C6D", "AAAAAAAA7C6D", 144, "a space and the stock"),
        ("AAAAAAAA 7C6D", "AAAAAAAA 7C7C", 147, TWICE),
        (" TD", "", 199, "a space and the waste"),
        (" TD", " ", 200, CARD),
        (" TD", " -", 201, "cards that are nowhere yet: TD"),
        (" TD", " TD\n", 202, "the end"),
    ],
)
def test_a_bad_position_is_refused_where_it_goes_wrong(right: str, wrong: str, at: int, expected: str) -> None:
    assert POSITION.count(right) == 1
    assert refusal(parse_position, POSITION.replace(right, wrong)) == (at, expected)


@pytest.mark.parametrize(
    ("right", "wrong", "at", "expected"),
    [
        (" 27 TD", " 27", 147, "a space and the waste"),
        (" 27 TD", " 26 TD", 145, "27, the number of cards that are nowhere else"),
        (" 27 TD", " 29 TD", 145, "a number from 0 to 28"),
        (" 27 TD", " 027 TD", 146, "a space and the waste"),
        (" 27 TD", " \N{ARABIC-INDIC DIGIT TWO} TD", 145, "a number from 0 to 28"),
        (" 27 TD", " - TD", 145, "a number from 0 to 28"),
        (" 27 TD", " 27  TD", 148, CARD),
        (" 27 TD", " 27 TDTD", 150, TWICE),
        (" 27 TD", " 27 TD TD", 150, "the end"),
        (" AAAAAAAA 27", " AAAAAAAA", 145, "a number from 0 to 28"),
    ],
)
def test_a_bad_view_is_refused_where_it_goes_wrong(right: str, wrong: str, at: int, expected: str) -> None:
    assert VIEW.count(right) == 1
    assert refusal(parse_view, VIEW.replace(right, wrong)) == (at, expected)


@given(
    st.sampled_from(
        [
            (parse_card, "TH"),
            (parse_place, "c2"),
            (parse_move, "c2f1"),
            (parse_rules, "modern"),
            (parse_deal, "pysol:1"),
            (parse_deal, f"seed:{SEED}"),
            (parse_position, POSITION),
            (parse_view, VIEW),
        ]
    ),
    st.sampled_from(["\0", "\ud800", "\N{FULLWIDTH DIGIT ONE}", "\N{ARABIC-INDIC DIGIT ONE}", "\N{NO-BREAK SPACE}"]),
    st.data(),
)
def test_a_foreign_character_is_refused_anywhere(
    form: tuple[Callable[[str], Any], str], foreign: str, data: st.DataObject
) -> None:
    parse, text = form
    at = data.draw(st.integers(0, len(text)))
    with pytest.raises(NotationError):
        parse(text[:at] + foreign + text[at:])


@pytest.mark.timeout(5)
@pytest.mark.parametrize(
    ("parse", "text"),
    [
        (parse_deal, "{}"),
        (parse_deal, "pysol:{}"),
        (parse_deal, "pysol:ms{}"),
        (parse_view, VIEW.replace(" 27 ", " {} ")),
    ],
)
def test_a_number_of_a_hundred_thousand_digits_is_refused_at_once(parse: Callable[[str], Any], text: str) -> None:
    at, expected = refusal(parse, text.format("9" * 10**5))
    assert at == text.index("{")
    assert expected.startswith("a number from ")
