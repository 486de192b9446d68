"""The beam: layer by layer, a draw each, only the states that look best are kept. It finds wins, and proves nothing."""

from collections.abc import Iterator
from heapq import nlargest
from operator import itemgetter
from random import Random
from typing import Final, NamedTuple, TypeAlias

from service.engine.cards import Cards
from service.engine.piles import COLUMNS
from service.solver.budget import Budget
from service.solver.modern_game import Haste, Line, Pile, Root, State, drawn, rearranged
from service.solver.modern_value import Values, Weights

_REARRANGED: Final = 64
"""States at most that promotions and laterals may make of one between two draws."""
_worth: Final = itemgetter(0)
Seen: TypeAlias = set[tuple[Cards, tuple[Pile, ...]]]
"""States that were met, each by what says all of it within a layer."""


class Plan(NamedTuple):
    """How a beam searches: what it values, how many states of a layer it keeps, its haste, and how far it errs."""

    weights: Weights
    width: int
    haste: Haste
    noise: float = 0.0


def beam(root: Root, values: Values, plan: Plan, budget: Budget, chance: Random) -> Line:
    """The line of a win, or None if none was found; raises OutOfBudget."""
    layer = [root.state]
    for draws in range(1, root.draws + 1):
        waits = values.waits(draws)
        children = _children(layer, root.released_with(draws), plan.haste, budget)
        if draws == root.draws:
            return next((child[-1] for child in children), None)
        worths = (
            (values.of(child, waits) + (chance.gauss(0, plan.noise) if plan.noise else 0), child) for child in children
        )
        layer = [child for _, child in nlargest(plan.width, worths, key=_worth)]
    return None


def _children(layer: list[State], released: Cards, haste: Haste, budget: Budget) -> Iterator[State]:
    """The states one draw on, each once."""
    expanded: Seen = set()
    seen: Seen = set()
    for parent in layer:
        for state in closure(parent, haste, expanded, budget):
            for child in drawn(state, released, haste):
                if (key := child[:2]) not in seen:
                    seen.add(key)
                    yield child


def closure(parent: State, haste: Haste, expanded: Seen, budget: Budget) -> Iterator[State]:
    """A state and those that promotions and laterals make of it; each of a layer once."""
    states = [parent]
    left = _REARRANGED
    while states and left:
        state = states.pop()
        if (key := state[:2]) in expanded:
            continue
        expanded.add(key)
        budget.spend()
        left -= 1
        yield state
        if len(state[1]) == COLUMNS:
            states += rearranged(state, haste)
