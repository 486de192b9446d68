"""The way in: what becomes of a position under a rule set."""

from typing import Final

from service.engine.position import Position
from service.engine.rules import PRESETS, Rules
from service.solver import full, modern
from service.solver.budget import Budget
from service.solver.results import Answer

MODERN: Final = PRESETS["modern"]


def solve(position: Position, rules: Rules, budget: int) -> Answer:
    """Whether a position that the rules can show can still be won, found with at most so many nodes.

    The same question is answered the same way every time, by the same line.
    """
    return modern.search(position, budget) if rules == MODERN else full.search(position, rules, budget)


def is_lost(position: Position, rules: Rules, budget: int) -> bool:
    """Whether no play wins, by following every line without a shortcut; raises OutOfBudget.

    What `solve` calls unwinnable is proved again by this. It is no way to find a win.
    """
    nodes = Budget(budget)
    return modern.is_lost(position, nodes) if rules == MODERN else full.is_lost(position, rules, nodes)
