"""Checks answers by the engine alone: nothing here is shared with the searches."""

from collections.abc import Iterable

from service.engine.errors import IllegalMove
from service.engine.moves import Move, apply, legal_moves, transfer
from service.engine.position import Position, canonical
from service.engine.rules import Rules
from service.solver.results import Answer, Unwinnable, Won


def wins(position: Position, rules: Rules, line: Iterable[Move]) -> bool:
    """Whether the line is legal to its last move and ends in a win."""
    try:
        for move in line:
            position = apply(position, move, rules)
    except IllegalMove:
        return False
    return position.is_won


def winnable(position: Position, rules: Rules, most: int) -> bool | None:
    """Whether some play wins, by trying all; None if there are more than so many positions to look at."""
    seen: set[Position] = set()
    waiting = [canonical(position)]
    while waiting:
        position = waiting.pop()
        if position.is_won:
            return True
        if position in seen:
            continue
        if len(seen) == most:
            return None
        seen.add(position)
        moves = reversed(legal_moves(position, rules))  # so that promotions are tried first
        waiting += [canonical(transfer(position, move, rules)) for move in moves]
    return False


def holds(answer: Answer, position: Position, rules: Rules, most: int) -> bool | None:
    """Whether an answer is true of the position; None if that would take a look at more than so many positions."""
    if isinstance(answer, Won):
        return wins(position, rules, answer.line)
    if isinstance(answer, Unwinnable):
        can = winnable(position, rules, most)
        return None if can is None else not can
    return True
