"""A beam through the whole board: layer by layer of upward moves, the best few boards of each."""

from collections.abc import Iterator
from random import Random
from typing import Final, NamedTuple, Optional, TypeAlias

from service.solver.budget import Budget
from service.solver.full_board import GOVERNMENT, HAND, TURNED, Board, Step, Steps, Table
from service.solver.full_value import Appraiser

_MOST_LEVEL: Final = 64
"""How many boards of one layer are made of one, by laterals and by builds on the People."""

Candidate: TypeAlias = tuple[float, int, float, int, "Node", Board, Steps]
"""What may become a node: how little it is favoured; its number; its worth; its tempo; its parent, the parent's board
after any turns, and the steps from the parent."""


class Stage(NamedTuple):
    """How a beam searches.

    width: boards kept of a layer
    turns: how many cards are turned in a row
    noise: how far worths are blurred
    pace:  what a point of tempo is worth; a beam that values it goes on for the win with the most
    """

    width: int
    turns: int
    noise: float
    pace: float = 0.0


class Node(NamedTuple):
    """A board with its worth and its tempo since the first board, and the steps that led to it from another."""

    board: Board
    worth: float
    tempo: int
    parent: Optional["Node"]
    steps: Steps

    @property
    def line(self) -> list[Step]:
        """All steps from the first board."""
        node: Node | None = self
        parts = []
        while node:
            parts.append(node.steps)
            node = node.parent
        return [step for steps in reversed(parts) for step in steps]


class Beam:
    """Runs stages on one table."""

    def __init__(self, table: Table, chance: Random) -> None:
        self._table, self._chance, self._appraiser = table, chance, Appraiser(table)

    def run(self, board: Board, stage: Stage, budget: Budget) -> list[Step] | None:
        """The steps of a win, or None, which proves nothing; raises OutOfBudget."""
        layer = [Node(board, self._appraiser.worth(board), 0, None, ())]
        best: Node | None = None
        while layer:
            for node in layer:
                if self._table.is_won(node.board) and (best is None or node.tempo > best.tempo):
                    best = node
            if best and not stage.pace:
                break
            layer = self._best(self._candidates(layer, stage, budget), stage.width)
        return best.line if best else None

    def _candidates(self, layer: list[Node], stage: Stage, budget: Budget) -> list[Candidate]:
        """All that one upward move makes of the layer, and of what can be made of it without; raises OutOfBudget."""
        candidates: list[Candidate] = []
        met = {node.board for node in layer}
        stock, (_, _, noise, pace) = len(self._table.stock), stage
        for root in layer:
            level = [root]
            for node in level:
                budget.spend()
                for worth, board, steps in self._followers(node, stage.turns):
                    source, _, target, _ = steps[-1]
                    if source not in (target, HAND):
                        tempo = node.tempo + (stock - board.dealt if target == GOVERNMENT else 0)
                        favour = worth + noise * self._chance.random() + pace * tempo
                        candidates.append((-favour, len(candidates), worth, tempo, node, board, steps))
                    elif len(level) < _MOST_LEVEL and (there := self._table.after(board, steps[-1])) not in met:
                        met.add(there)
                        level.append(Node(there, worth, node.tempo, node, steps))
        return candidates

    def _followers(self, node: Node, most_turns: int) -> Iterator[tuple[float, Board, Steps]]:
        """What turns and one other move make of a board: the worth, the board after the turns, and the steps."""
        table, appraiser = self._table, self._appraiser
        board, worth = node.board, node.worth
        turns: Steps = ()
        steps = table.steps(board, True)
        while True:
            for step, after in zip(steps, appraiser.worths_after(board, worth, steps), strict=True):
                yield after, board, (*turns, step)
            if len(turns) == most_turns or not (turned := table.turned(board, True)):
                return
            turns = (*turns, TURNED)
            worth += appraiser.change_of_hand(board, turned)
            board = turned
            steps = table.steps_after_turn(board, True)

    def _best(self, candidates: list[Candidate], width: int) -> list[Node]:
        """The worthiest of the layer that differ."""
        layer: dict[Board, Node] = {}
        candidates.sort()
        for _, _, worth, tempo, parent, board, steps in candidates:
            there = self._table.after(board, steps[-1])
            if there not in layer:
                layer[there] = Node(there, worth, tempo, parent, steps)
                if len(layer) == width:
                    break
        return list(layer.values())
