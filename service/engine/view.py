"""A view: all of a position that somebody may see. The stock is a count; its order stays with the server."""

from typing import NamedTuple

from service.engine.cards import Cards
from service.engine.piles import TABLEAU
from service.engine.position import Position


class View(NamedTuple):
    """piles: the 32 tableau piles, bottom first; foundations and waste as in Position; stock: how many cards."""

    piles: tuple[Cards, ...]
    foundations: Cards
    stock: int
    waste: Cards


def view_of(position: Position) -> View:
    """What may be seen of the position."""
    return View(
        tuple(position.pile(place) for place in TABLEAU),
        position.foundations,
        len(position.stock),
        position.waste,
    )
