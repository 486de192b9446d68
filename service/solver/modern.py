"""`modern`, solved in practice: beams through the reduced game, and between them proofs that there is no win."""

from collections.abc import Iterator
from random import Random
from typing import Final

from service.engine.moves import Move
from service.engine.position import Position
from service.solver.budget import ENDLESS, Budget, OutOfBudget
from service.solver.modern_beam import Plan, beam
from service.solver.modern_game import GREEDY, PATIENT, SAFE, Line, Root, root_of
from service.solver.modern_line import moves_of
from service.solver.modern_proof import proof
from service.solver.modern_tempo import swift
from service.solver.modern_value import PLAIN, TUNED, Values
from service.solver.results import Answer, GaveUp, Unwinnable, Won

_SCHEDULE: Final[tuple[Plan | int, ...]] = (
    Plan(TUNED, 1, GREEDY),
    100,
    Plan(TUNED, 4, GREEDY, noise=0.3),
    500,
    Plan(TUNED, 5, GREEDY, noise=0.3),
    Plan(TUNED, 1, SAFE),
    Plan(TUNED, 8, GREEDY, noise=0.5),
    2000,
    Plan(TUNED, 1, SAFE, noise=0.3),
    Plan(TUNED, 2, SAFE, noise=0.3),
    Plan(TUNED, 16, GREEDY, noise=0.5),
    Plan(TUNED, 4, SAFE, noise=0.3),
    Plan(PLAIN, 16, SAFE, noise=0.3),
    Plan(TUNED, 64, SAFE, noise=0.3),
    Plan(PLAIN, 256, SAFE, noise=0.3),
    Plan(TUNED, 1024, SAFE, noise=0.3),
)
"""Beams, and proofs of at most so many nodes. Trying again with other errors wins more than trying more broadly."""
_HASTY: Final = Plan(PLAIN, 1, GREEDY, noise=1.0)
"""A beam that often fails: how often tells how hard a position is."""
_SWIFT: Final = ((1, 0.08), (4, 0.16))
"""Beams that look for tempo: how many states they keep of a layer, and what a point of tempo is worth to them."""


def search(position: Position, limit: int) -> Answer:
    """What becomes of a position of `modern`, found with at most so many nodes."""
    root, budget = root_of(position), Budget(limit)
    if root.draws == 0:
        return Won(moves_of(position, None), 0)
    try:
        line = _solved(root, budget)
    except OutOfBudget:
        return GaveUp(budget.nodes)
    return Unwinnable(budget.nodes) if line is None else Won(moves_of(position, line), budget.nodes)


def _solved(root: Root, budget: Budget) -> Line:
    """The line of a win, or None if there is none; raises OutOfBudget."""
    values = {weights: Values(root, weights) for weights in (TUNED, PLAIN)}
    chance = Random(0)  # noqa: S311 - the same errors every time
    for stage in _SCHEDULE:
        if isinstance(stage, int):
            part = budget.part(stage)
            try:
                return proof(root, part)
            except OutOfBudget:
                continue
            finally:
                budget.nodes += part.nodes
        elif line := beam(root, values[stage.weights], stage, budget, chance):
            return line
    return proof(root, budget)


def is_lost(position: Position, budget: Budget) -> bool:
    """Whether no play wins, by following every line without the shortcut of safe promotions; raises OutOfBudget."""
    root = root_of(position)
    return root.draws > 0 and proof(root, budget, PATIENT) is None


def hasty_wins(position: Position, tries: int) -> int:
    """How many of so many hasty searches win."""
    root = root_of(position)
    if root.draws == 0:
        return tries
    values, chance = Values(root, _HASTY.weights), Random(0)  # noqa: S311 - the same errors every time
    return sum(beam(root, values, _HASTY, Budget(ENDLESS), chance) is not None for _ in range(tries))


def swift_lines(position: Position) -> Iterator[tuple[Move, ...]]:
    """Wins that were looked for by their tempo."""
    root = root_of(position)
    values = Values(root, PLAIN)
    for width, pace in _SWIFT:
        if line := swift(root, values, width, pace, Budget(ENDLESS)):
            yield moves_of(position, line)
