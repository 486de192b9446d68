"""A problem, solved: from texts to texts, in whatever process."""

import logging

from service.engine.moves import Move
from service.engine.notation import parse_move, parse_position, parse_rules
from service.engine.position import Position
from service.engine.rules import Rules
from service.ports import Problem, Report, Task
from service.solver.certify import certify
from service.solver.results import RESULTS, Answer, Won
from service.solver.solve import solve
from service.solver.verify import wins

_log = logging.getLogger(__name__)


def run(problem: Problem) -> Report:
    """What is found of a problem; no line is told that the engine does not play to a win."""
    rules, position = parse_rules(problem.rules), parse_position(problem.position)
    if problem.task is Task.SOLVE:
        return _checked(_report(solve(position, rules, problem.budget)), problem, position, rules)
    found = certify(position, rules, problem.budget)
    report = _report(found.answer)._replace(
        difficulty=found.difficulty and found.difficulty.value, best=_texts(found.best), par=found.par
    )
    return _checked(report, problem, position, rules)


def _report(answer: Answer) -> Report:
    line = answer.line if isinstance(answer, Won) else ()
    return Report(RESULTS[type(answer)], answer.nodes, _texts(line))


def _checked(report: Report, problem: Problem, position: Position, rules: Rules) -> Report:
    """The report, if its lines win; else one that says nothing, and the log says what was wrong."""
    for line in (report.line, report.best):
        if line and not wins(position, rules, map(parse_move, line)):
            _log.error("the solver was wrong about %s", problem)
            return Report("gave_up", report.nodes)
    return report


def _texts(line: tuple[Move, ...]) -> tuple[str, ...]:
    return tuple(map(str, line))
