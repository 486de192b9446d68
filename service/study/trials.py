"""A deal, tried: solved, and the answer checked before anybody is told."""

from collections.abc import Iterable
from typing import Final, NamedTuple

from service.engine.deal import Numbered, start
from service.engine.errors import GameOver, IllegalMove
from service.engine.game import Game
from service.engine.log import Entry
from service.engine.moves import Move
from service.engine.rules import PRESETS, Rules
from service.engine.score import Points
from service.solver.budget import OutOfBudget
from service.solver.certify import Certificate, Difficulty, certify
from service.solver.results import RESULTS, Unwinnable, Won
from service.solver.solve import is_lost, solve

_PROOF: Final = 20
"""How many times the nodes of the search a proof without its shortcut may have."""


class Disagreement(Exception):
    """The solver's answer did not stand up to the check: one of the two is wrong."""


class Trial(NamedTuple):
    """What became of a numbered deal under a preset.

    result: won, where the engine has played the line; unwinnable, where that was proved twice, the second time
            following every line; else gave_up, which says nothing about the deal
    nodes:  states that the search expanded
    tempo:  of the line, as the score counts it
    grade:  how hard the deal is, where that was asked and it is won
    line:   the moves of a win, with a grade the one of the most tempo that was found; empty where there is none
    """

    deal: int
    rules: str
    result: str
    nodes: int
    tempo: int | None = None
    grade: Difficulty | None = None
    line: tuple[str, ...] = ()


def tried(rules: str, budget: int, is_graded: bool, number: int) -> Trial:
    """The trial of a deal, with at most so many nodes; raises Disagreement."""
    deal, preset = Numbered(number), PRESETS[rules]
    position = start(deal, preset)
    found = certify(position, preset, budget) if is_graded else Certificate(solve(position, preset, budget))
    answer = found.answer
    if isinstance(answer, Won):
        line = found.best or answer.line
        points = played(deal, preset, line)
        if points is None or not points.won:
            raise Disagreement(f"deal {number}, {rules}: the line that was found does not win")
        return Trial(number, rules, "won", answer.nodes, points.tempo, found.difficulty, tuple(map(str, line)))
    if isinstance(answer, Unwinnable):
        try:
            if not is_lost(position, preset, _PROOF * budget):
                raise Disagreement(f"deal {number}, {rules}: said to be unwinnable, and there is a win")
        except OutOfBudget:
            return Trial(number, rules, "gave_up", budget)
    return Trial(number, rules, RESULTS[type(answer)], answer.nodes)


def played(deal: Numbered, rules: Rules, line: Iterable[Move]) -> Points | None:
    """The points of a line by the engine's own game, None if it is not legal to its last move."""
    game = Game.begin(deal, rules)
    try:
        for move in line:
            game = game.after(Entry(game.kind_of(move), move=move), game.crc)
    except (IllegalMove, GameOver):
        return None
    return game.points
