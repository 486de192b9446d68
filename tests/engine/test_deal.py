from collections import Counter

import pytest
from hypothesis import given

from service.engine import PRESETS, Game, Given, Numbered, Position, Pysol, Seeded
from service.engine.deal import IN_PLAY, dealt, start
from service.engine.errors import UnplayablePosition
from service.engine.notation import format_cards, parse_deal
from tests.engine.games import Play, dealt_deals, played, plays, won

GOLDEN_DEALS = {
    "0": (
        "9D9SJS2C2D4H3D9DTS7SJH7D8H4SJD3C5S5C5CTH6S6DTC6H4C4S3STC2HJS7CJH"
        "8D7C6H2S9C5D9H6C4CTS9H5D2C6D6S5H3D7S4DTD6C3H2S4H8SJC9S8C4D9C8D2D7D3H8C3S8S2HJC8HTH5SJD3C7H5HTD7H"
    ),
    "1": (
        "4CTC6S2S8D3D9C5H7S7D5C9CJC2CJS3CJD3S2D9H3HTS6HTS4S9D5CTD9H2C2DJH"
        "3S2H6D4H8CTC7C7H4D7CJS2S7D6H5D9D9S6D7H6S6CTHJH3D2H5H4C6C4D7S8HJC8S4S4H8CTH9S5S5D8H3H8D3C5S8STDJD"
    ),
    "42": (
        "8S6C4STCJS8DTDTS9C2H8HTD5C8S9H5H9S7C3D4D5C7D6H2C2DTS7H9D6S6D6D2S"
        "2H3H2D3H8CJH4C2S7D8C3SJS4S5H7SJD6H4H5S7C7H9S6C9H8D3S6S5STH5D3D9D5D9CJHTH4C3CTCJC4D7SJC4H8H3CJD2C"
    ),
    "18446744073709551615": (
        "3H7S2S5H4C7C9C5HTD6CTHJHTC2CTSTS2H4C2SJH8H5D2D2H5C2D6STC9S8S7CJS"
        "7D4H3C3HJD3D4H6D5C8D2C7H9H6H3C6C4D9H4S9D8C4S8CJC8H7H3SJC9S3S6D6S8S4D5D9D5S5S7D8D9C3DTHJSJD6H7STD"
    ),
    "seed:000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f": (
        "7S8D7S6C5D3DTD8H4H2C8S8H4C9D8C2STC4S9D5SJC5STSJC8DJS8SJH4C5H6D9S"
        "9C2H9H3S6H2H7D3S6S6D4H5D7CTC4SJD7H2C9STH2DJH6C8C7D6H3H3H9C2D5C2S5H7HJSTD3C4D3D9HJD6S4D3C7CTH5CTS"
    ),
    "pysol:1": (
        "9D2H2SJS7S5D4D4D3CTC8D4H6H2C2DJD4S2HJCTD8D9C4H5D2D7S7C6D2S7HTC6H"
        "6DTH8S3D8H4C8HTD4C3CTSJS3S5C6CJCJH9C9S8C8C3H7H3S4S7D6S5C9H5STS5H9S3D9D6C7D7C3HJH5S6S8STH9H5HJD2C"
    ),
}


@pytest.mark.parametrize(("deal", "cards"), GOLDEN_DEALS.items())
def test_a_golden_deal_is_dealt_in_this_order(deal: str, cards: str) -> None:
    parsed = parse_deal(deal)
    assert not isinstance(parsed, Given)
    assert format_cards(dealt(parsed)) == cards


def test_pysol_numbers_below_32000_are_shuffled_by_the_microsoft_generator_and_no_others() -> None:
    assert dealt(Pysol(31999)) == dealt(Pysol(31999, ms=True))
    assert dealt(Pysol(32000)) != dealt(Pysol(32000, ms=True))


@given(dealt_deals)
def test_every_deal_has_each_card_in_play_twice(deal: Numbered | Pysol | Seeded) -> None:
    assert Counter(dealt(deal)) == dict.fromkeys(IN_PLAY, 2)


@pytest.mark.parametrize("place", [0, 1, 31, 32, 78, 79])
def test_the_shuffle_favours_no_card(place: int) -> None:
    """Chi-square with 39 degrees of freedom: above 88 once in 100,000 fair tries."""
    deals = 4000
    counts = Counter(dealt(Numbered(number))[place] for number in range(deals))
    expected = deals / 40
    assert sum((counts[card] - expected) ** 2 / expected for card in set(IN_PLAY)) < 88


def test_only_pysol_turns_a_card_up_at_the_start() -> None:
    wastes = {name: format_cards(start(Pysol(1), rules).waste) for name, rules in PRESETS.items()}
    assert wastes == {"modern": "", "cadogan": "", "cadogan-1914": "", "pysol": "6D"}


@given(plays())
def test_every_position_that_play_reaches_can_be_given_as_a_deal(play: Play) -> None:
    for position in play.positions:
        assert start(Given(position), play.rules) == position


OPENING = start(Numbered(1), PRESETS["modern"])
WITHOUT_H4 = OPENING._replace(tops=OPENING.tops[:-1] + b"\0", stock=OPENING.stock + OPENING.tops[-1:])


@pytest.mark.parametrize(
    ("preset", "position", "why"),
    [
        ("modern", won("cadogan", "pysol:13", 41), "these rules have no waste, and the position has one"),
        ("modern", won("cadogan", "pysol:3", 7), "these rules build no pile on h2, and the position has one"),
        ("modern", won("cadogan", "pysol:42", 13), "these rules build no pile on b3, and the position has one"),
        ("cadogan-1914", won("cadogan", "pysol:13", 48), "these rules build no pile on f4, and the position has one"),
        ("modern", WITHOUT_H4, "a place of the People stands empty, which the waste or the stock would fill at once"),
        ("pysol", OPENING, "these rules turn a card up whenever the waste is empty"),
        (
            "cadogan",
            played(Pysol(1), PRESETS["pysol"], ("b1G", "c1G")).last,
            "these rules fill a vacancy at once, and the position has more than one",
        ),
    ],
)
def test_a_position_that_the_rules_can_never_show_is_refused(preset: str, position: Position, why: str) -> None:
    with pytest.raises(UnplayablePosition, match=f"^{why}$"):
        Game.begin(Given(position), PRESETS[preset])
