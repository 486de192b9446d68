"""Certificates of deals: that they can be won, how hard that is, and how swiftly it was done."""

from collections.abc import Iterable
from enum import StrEnum
from typing import Final, NamedTuple

from service.engine.moves import Move, transfer
from service.engine.piles import GOVERNMENT
from service.engine.position import Position
from service.engine.rules import Rules
from service.solver import full, modern
from service.solver.results import Answer, Won
from service.solver.solve import MODERN, solve

TRIES: Final = 8
"""How many hasty searches try a deal, to grade it."""


class Difficulty(StrEnum):
    """How hard a deal is: how few of the hasty searches win it."""

    GENTLE = "gentle"
    STEADY = "steady"
    TESTING = "testing"
    FIERCE = "fierce"


class Certificate(NamedTuple):
    """What is known of a deal; the rest only if it was won.

    answer:     what `solve` says
    difficulty: its grade
    best:       the winning line of the most tempo that was found, which a player may well beat
    par:        the tempo of that line
    """

    answer: Answer
    difficulty: Difficulty | None = None
    best: tuple[Move, ...] = ()
    par: int | None = None


def certify(position: Position, rules: Rules, budget: int) -> Certificate:
    """The certificate of the deal that a position is; solving it has at most so many nodes, and all else is bounded."""
    answer = solve(position, rules, budget)
    if not isinstance(answer, Won):
        return Certificate(answer)
    if rules == MODERN:
        wins, lines = modern.hasty_wins(position, TRIES), modern.swift_lines(position)
    else:
        wins, lines = full.hasty_wins(position, rules, TRIES), full.swift_lines(position, rules)
    tempos = {line: tempo_of(position, rules, line) for line in (answer.line, *lines)}
    best = max(tempos, key=tempos.__getitem__)
    return Certificate(answer, difficulty_of(wins), best, tempos[best])


def difficulty_of(wins: int) -> Difficulty:
    """The grade of a deal that so many of TRIES hasty searches won."""
    hardest_first = tuple(reversed(Difficulty))
    return hardest_first[min(len(hardest_first) * wins // TRIES, len(hardest_first) - 1)]


def tempo_of(position: Position, rules: Rules, line: Iterable[Move]) -> int:
    """The tempo of a legal line: for each promotion the cards in the stock just before it, summed."""
    tempo = 0
    for move in line:
        if move.target == GOVERNMENT:
            tempo += len(position.stock)
        position = transfer(position, move, rules)
    return tempo
