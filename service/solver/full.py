"""The search under any rules, with all rows, the waste and the stock: beams at first, in the end every line of play."""

from collections.abc import Iterable, Iterator
from itertools import count, cycle
from random import Random
from typing import Final

from service.engine.moves import MOVES, TURN, Move, apply, legal_moves
from service.engine.piles import GOVERNMENT as GOVERNMENT_PLACE
from service.engine.piles import ROWS, WASTE, Place
from service.engine.position import Position
from service.engine.rules import Rules
from service.solver.budget import ENDLESS, Budget, OutOfBudget
from service.solver.full_beam import Beam, Stage
from service.solver.full_board import GOVERNMENT, HAND, TURNED, Board, Pile, Step, Table, board_of, packed
from service.solver.full_proof import Proof
from service.solver.results import Answer, GaveUp, Unwinnable, Won

_TURNS: Final = (0, 1, 0, 0, 1, 0, 3)
_NOISES: Final = (0.0, 0.5, 0.2, 1.0, 0.5)
"""How many turns in a row beams think of, and how far they blur, each in its turn."""
_GLANCE: Final = 20
_SHARE: Final = 4
"""How many nodes the proof has after a beam: a few, and one for so many that the beam had."""
_HASTY: Final = Stage(width=1, turns=1, noise=1.5)
"""A beam that often fails: how often tells how hard a position is."""
_SWIFT: Final = (
    Stage(width=8, turns=0, noise=0.0, pace=0.2),
    Stage(width=8, turns=0, noise=1.0, pace=0.4),
    Stage(width=8, turns=0, noise=3.0, pace=0.4),
    Stage(width=8, turns=0, noise=0.0, pace=0.8),
)
"""Beams that look for tempo: the more eagerly, the less surely they win. A card that is turned is tempo lost."""


def search(position: Position, rules: Rules, limit: int) -> Answer:
    """What becomes of a position that the rules can show, found with at most so many nodes."""
    table, budget = Table(rules, position.stock), Budget(limit)
    try:
        steps = _solved(table, board_of(position), budget)
    except OutOfBudget:
        return GaveUp(budget.nodes)
    return Unwinnable(budget.nodes) if steps is None else Won(_line(position, rules, steps), budget.nodes)


def _solved(table: Table, board: Board, budget: Budget) -> list[Step] | None:
    """The steps of a win, or None if there is none; raises OutOfBudget."""
    beam, proof = Beam(table, Random(0)), Proof(table, board)  # noqa: S311 - it blurs what boards are worth
    stages = _stages()
    while True:
        before = budget.nodes
        steps = beam.run(board, next(stages), budget)
        if steps is not None:
            return steps
        turn = budget.part(_GLANCE + (budget.nodes - before) // _SHARE)
        try:
            return proof.run(turn)
        except OutOfBudget:
            pass
        finally:
            budget.nodes += turn.nodes


def _stages() -> Iterator[Stage]:
    """Every other beam is one board wide, every other one of the rest two, and so on, so each width has like effort."""
    widths = (number & -number for number in count(1))
    return map(Stage, widths, cycle(_TURNS), cycle(_NOISES))


def _line(position: Position, rules: Rules, steps: Iterable[Step]) -> tuple[Move, ...]:
    """The steps as moves, and then the promotions that win."""
    moves = []
    for step in steps:
        moves.append(_move(position, step))
        position = apply(position, moves[-1], rules)
    while not position.is_won:
        moves.append(legal_moves(position, rules)[0])
        position = apply(position, moves[-1], rules)
    return tuple(moves)


def _move(position: Position, step: Step) -> Move:
    source, pile, target, base = step
    if step == TURNED:
        return TURN
    start = WASTE if source == HAND else _place(position, source, pile)
    return MOVES[start][GOVERNMENT_PLACE if target == GOVERNMENT else _place(position, target, base)]


def _place(position: Position, row: int, pile: Pile) -> Place:
    """A place of the row where such a pile lies."""
    return next(place for place in ROWS[row] if packed(position.pile(place)) == pile)


def is_lost(position: Position, rules: Rules, budget: Budget) -> bool:
    """Whether no play wins, by following every line without the shortcut of safe promotions; raises OutOfBudget."""
    proof = Proof(Table(rules, position.stock), board_of(position), shortcut=False)
    return proof.run(budget) is None


def hasty_wins(position: Position, rules: Rules, tries: int) -> int:
    """How many of so many hasty searches win."""
    board, beam = board_of(position), _beam(position, rules)
    return sum(beam.run(board, _HASTY, Budget(ENDLESS)) is not None for _ in range(tries))


def swift_lines(position: Position, rules: Rules) -> Iterator[tuple[Move, ...]]:
    """Wins that were looked for by their tempo."""
    board, beam = board_of(position), _beam(position, rules)
    for stage in _SWIFT:
        if (steps := beam.run(board, stage, Budget(ENDLESS))) is not None:
            yield _line(position, rules, steps)


def _beam(position: Position, rules: Rules) -> Beam:
    return Beam(Table(rules, position.stock), Random(0))  # noqa: S311 - the same errors every time
