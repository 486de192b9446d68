from hypothesis import given

from service.engine.notation import format_view
from service.engine.piles import TABLEAU
from service.engine.view import View, view_of
from tests.engine.games import Play, plays, won


@given(plays())
def test_a_view_shows_the_piles_the_government_and_the_waste_and_counts_the_stock(play: Play) -> None:
    position = play.last
    piles = tuple(position.pile(place) for place in TABLEAU)
    assert view_of(position) == View(piles, position.foundations, len(position.stock), position.waste)


def test_positions_that_differ_in_the_order_of_the_stock_alone_have_one_view() -> None:
    position = won("cadogan", "pysol:13", 47)
    other = position._replace(stock=position.stock[::-1])
    assert position != other
    assert view_of(position) == view_of(other)
    assert format_view(view_of(position)).endswith(" AAAAAAAA 27 TD")
