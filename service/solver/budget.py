"""Budgets, counted in nodes and not in seconds, so that an answer can be had again."""

from sys import maxsize
from typing import Final

ENDLESS: Final = maxsize
"""The limit for what ends by itself, as a beam does."""


class OutOfBudget(Exception):
    """No more nodes may be expanded."""


class Budget:
    """How many nodes, states expanded, a search may still have; `nodes` it has had."""

    def __init__(self, limit: int) -> None:
        self.limit, self.nodes = limit, 0

    def spend(self) -> None:
        """Counts one more node; raises OutOfBudget instead where there is none left."""
        if self.nodes >= self.limit:
            raise OutOfBudget
        self.nodes += 1

    def part(self, limit: int) -> "Budget":
        """A budget for an attempt, which may have so many nodes of what is left; what it had is to be added."""
        return Budget(min(limit, self.limit - self.nodes))
