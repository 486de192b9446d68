"""The proof: depth first through every state of the reduced game, until one is won or all are seen."""

from service.engine.cards import Cards
from service.engine.piles import COLUMNS
from service.solver.budget import Budget
from service.solver.modern_game import SAFE, Haste, Line, Pile, Root, State, drawn, rearranged


def proof(root: Root, budget: Budget, haste: Haste = SAFE) -> Line:
    """The line of a win, or None if there is none; raises OutOfBudget. `haste` must not be greedy.

    Foundations and piles say all of a state: with them the number of draws is fixed, and with that the pool.
    """
    seen: set[tuple[Cards, tuple[Pile, ...]]] = set()
    states: list[tuple[int, State]] = [(0, root.state)]
    while states:
        draws, state = states.pop()
        if (key := state[:2]) in seen:
            continue
        seen.add(key)
        budget.spend()
        for child in drawn(state, root.released_with(draws + 1), haste):
            if draws + 1 == root.draws:
                return child[-1]
            states.append((draws + 1, child))
        if len(state[1]) == COLUMNS:
            states += [(draws, there) for there in rearranged(state, haste)]
    return None
