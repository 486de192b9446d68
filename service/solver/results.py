"""What a search answers. "Gave up" says nothing about the position but that the budget was too small."""

from typing import Final, NamedTuple, TypeAlias

from service.engine.moves import Move


class Won(NamedTuple):
    """The position can be won: by this line of moves, which the engine replays. `nodes`: states expanded."""

    line: tuple[Move, ...]
    nodes: int


class Unwinnable(NamedTuple):
    """No play wins the position: every line was followed to its end. `nodes`: states expanded."""

    nodes: int


class GaveUp(NamedTuple):
    """The budget ran out first. `nodes`: states expanded."""

    nodes: int


Answer: TypeAlias = Won | Unwinnable | GaveUp
RESULTS: Final = {Won: "won", Unwinnable: "unwinnable", GaveUp: "gave_up"}
"""The word for each answer."""
