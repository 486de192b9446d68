"""The way in: what becomes of a position under a rule set."""

from typing import Final

from service.engine.position import Position
from service.engine.rules import PRESETS, Rules
from service.solver import full, modern
from service.solver.results import Answer

_MODERN: Final = PRESETS["modern"]


def solve(position: Position, rules: Rules, budget: int) -> Answer:
    """Whether a position that the rules can show can still be won, found with at most so many nodes.

    The same question is answered the same way every time, by the same line.
    """
    return modern.search(position, budget) if rules == _MODERN else full.search(position, rules, budget)
