import pytest

from service.engine.cards import (
    ALL_CARDS,
    BASE_FAMILY,
    CARD_NAMES,
    EMPTY,
    FAMILY,
    NO_FAMILY,
    Colour,
    Suit,
    card_of,
    may_build,
    rank_of,
    suit_of,
)
from service.engine.notation import parse_card


def test_a_card_has_its_rank_and_its_suit() -> None:
    ten_of_hearts = card_of(10, Suit.HEARTS)
    assert (rank_of(ten_of_hearts), suit_of(ten_of_hearts)) == (10, Suit.HEARTS)
    assert CARD_NAMES[ten_of_hearts] == "TH"


def test_there_are_44_different_cards() -> None:
    assert " ".join(CARD_NAMES[card] for card in ALL_CARDS) == (
        "AC 2C 3C 4C 5C 6C 7C 8C 9C TC JC AS 2S 3S 4S 5S 6S 7S 8S 9S TS JS "
        "AH 2H 3H 4H 5H 6H 7H 8H 9H TH JH AD 2D 3D 4D 5D 6D 7D 8D 9D TD JD"
    )


def test_no_card_has_no_name() -> None:
    assert CARD_NAMES[EMPTY] == ""


def test_clubs_and_spades_are_black_hearts_and_diamonds_red() -> None:
    assert [suit.colour for suit in Suit] == [Colour.BLACK, Colour.BLACK, Colour.RED, Colour.RED]


@pytest.mark.parametrize(
    ("card", "base", "fits"),
    [
        ("9S", "TH", True),
        ("9S", "TD", True),
        ("9H", "TC", True),
        ("9S", "TC", False),
        ("9H", "TD", False),
        ("TH", "9S", False),
        ("8S", "TH", False),
        ("9S", "9H", False),
        ("AC", "JD", False),
        ("JD", "AC", False),
    ],
)
def test_a_card_is_built_on_one_higher_of_the_other_colour(card: str, base: str, fits: bool) -> None:
    assert may_build(parse_card(card), parse_card(base)) is fits


def test_the_tables_of_families_say_what_may_be_built() -> None:
    for card in ALL_CARDS:
        for base in ALL_CARDS:
            assert (FAMILY[base] == BASE_FAMILY[card]) == may_build(card, base)


def test_a_jack_and_no_card_are_built_on_nothing() -> None:
    assert BASE_FAMILY[EMPTY] == BASE_FAMILY[parse_card("JS")] == NO_FAMILY
    assert NO_FAMILY not in {FAMILY[card] for card in (EMPTY, *ALL_CARDS)}
