"""Positions in canonical order, so that one answer serves all that differ only in the order within their rows.

No rule can tell the places of a row apart, so a line of the one position is a line of the other with its places
renamed: the same for the whole line, since both positions stay each other's image.
"""

from typing import NamedTuple

from service.engine.moves import Move
from service.engine.piles import COLUMNS, GOVERNMENT, STOCK, TABLEAU, WASTE, Place
from service.engine.position import Position, canonical


class Canonical(NamedTuple):
    """A position in canonical order; `places` tells for each of its places where that is in the real one."""

    position: Position
    places: tuple[Place, ...]

    def real(self, move: Move) -> Move:
        """What a move of the canonical position is in the real one."""
        return Move(self.places[move.source], self.places[move.target])


def canonical_form(position: Position) -> Canonical:
    """The canonical order of a position."""
    tops, under = position.tops, position.under
    places: list[Place] = []
    for start in range(0, len(TABLEAU), COLUMNS):
        places += sorted(range(start, start + COLUMNS), key=lambda place: (tops[place], under[place]))
    return Canonical(canonical(position), (*places, WASTE, STOCK, GOVERNMENT))
