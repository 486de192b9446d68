"""The beam that looks for a win with much tempo: cards promoted while many others are still in the stock.

A draw takes a card from the stock as long as there is one, so a line's tempo is how many cards were promoted before
each of those draws, summed. What a state will still add to that follows from the state alone.
"""

from heapq import nlargest
from operator import itemgetter
from typing import Final, TypeAlias

from service.engine.cards import Cards
from service.solver.budget import Budget
from service.solver.modern_beam import Seen, closure
from service.solver.modern_game import GREEDY, Line, Pile, Root, State, drawn
from service.solver.modern_value import Values

_first: Final = itemgetter(0)
_Paced: TypeAlias = tuple[int, State]
"""A state, with the tempo from the root to its last draw."""


def swift(root: Root, values: Values, width: int, pace: float, budget: Budget) -> Line:
    """The line of the win with the most tempo that is found, or None; raises OutOfBudget.

    `pace` is what a point of tempo is worth.
    """
    layer: list[_Paced] = [(0, root.state)]
    for draws in range(1, root.draws):
        waits, stock = values.waits(draws), root.stock_after(draws)
        worths = (
            (values.of(state, waits) + pace * (tempo + stock * _promoted(root, state)), (tempo, state))
            for tempo, state in _children(root, layer, draws, budget)
        )
        layer = [paced for _, paced in nlargest(width, worths, key=_first)]
    won = max(_children(root, layer, root.draws, budget), key=_first, default=None)
    return won[1][-1] if won else None


def _children(root: Root, layer: list[_Paced], draws: int, budget: Budget) -> list[_Paced]:
    """The states after one draw more, each with the most tempo that it can be had with.

    Parents of more tempo come first, so that a state which two can be rearranged into is met with the more.
    """
    released, from_stock = root.released_with(draws), root.stock_after(draws - 1) > 0
    expanded: Seen = set()
    children: dict[tuple[Cards, tuple[Pile, ...]], _Paced] = {}
    for before, parent in sorted(layer, key=_first, reverse=True):
        for state in closure(parent, GREEDY, expanded, budget):
            tempo = before + from_stock * _promoted(root, state)
            for child in drawn(state, released, GREEDY):
                if (known := children.get(child[:2])) is None or known[0] < tempo:
                    children[child[:2]] = tempo, child
    return list(children.values())


def _promoted(root: Root, state: State) -> int:
    """Cards promoted since the root: a rank more is a card that is 4 more."""
    return (sum(state[0]) - sum(root.state[0])) // 4
