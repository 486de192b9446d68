"""From a place of play to a problem for the solver, and from its report back to real moves.

What was found is kept as a plan of the session: all moves of a win, from the deal on. Whoever plays by one is answered
without a search; and since the oldest plan that goes through a place answers for it, in the same way every time.
"""

from collections import OrderedDict
from hashlib import sha256
from typing import Final, NamedTuple, TypeAlias

from service.engine.errors import NotationError
from service.engine.game import Game
from service.engine.moves import Move, transfer
from service.engine.notation import format_position, parse_move
from service.engine.position import Position
from service.engine.rules import PRESETS
from service.ports import Problem, Report, SessionMeta, SessionStore, Solver, Task
from service.solver.canonical import Canonical, canonical_form
from service.solver.verify import wins
from service.usecases.views import is_secret

BUDGETS: Final = {Task.SOLVE: dict.fromkeys(PRESETS, 20_000), Task.CERTIFY: dict.fromkeys(PRESETS, 100_000)}
"""Nodes for each question about a place of play, and for a deal, of each preset."""
BUDGETS[Task.CERTIFY]["modern"] = 20_000  # nearly all of its deals are decided within a tenth of that
_REMEMBERED: Final = 4096
"""Plans that are known to win: whoever follows one asks at each of its moves."""

Line: TypeAlias = tuple[Move, ...]


class Point(NamedTuple):
    """A place of play: the moves that stand, from the deal on, and what they lead to."""

    moves: Line
    position: Position


class Outlook(NamedTuple):
    """Whether a place of play can still be won, None where that is not known; if so, the moves of a win from there."""

    winnable: bool | None
    line: Line = ()


class Solutions:
    """Looks for wins in sessions. Every method raises SolverBusy or StoreUnavailable where there is no answer now."""

    def __init__(self, store: SessionStore, solver: Solver) -> None:
        self._store, self._solver = store, solver
        self._winning: OrderedDict[tuple[str, str, str], None] = OrderedDict()
        """Plans that are known to win, each with its deal and its rules: those that were found here, or are proved."""

    async def outlook(self, meta: SessionMeta, game: Game) -> Outlook:
        """Whether the game can still be won."""
        return await self.outlook_at(meta, game, Point(moves_of(game), game.position))

    async def outlook_at(self, meta: SessionMeta, game: Game, point: Point) -> Outlook:
        """Whether a place that the game's line goes through can be won; a win that is found becomes a plan."""
        if point.position.is_won:
            return Outlook(winnable=True)
        plans = [plan_of(moves_of(game))] if game.points.won else []
        plans += await self._store.plans(meta.id)
        if (line := self._followed(plans, point, meta, game)) is not None:
            return Outlook(True, line)
        scope = scope_of(meta.deal) if is_secret(meta, game) else ""
        report, form = await self._searched(Task.SOLVE, meta, point, scope)
        if report.result == "gave_up" and not point.moves:  # a deal is worth more, and may be known already
            report, form = await self._searched(Task.CERTIFY, meta, point, scope)
        if report.result != "won":
            return Outlook(False if report.result == "unwinnable" else None)
        line = real_line(form, report.line)
        plan = plan_of(point.moves + line)
        self._remember(meta, plan)
        await self._store.keep_plan(meta.id, plan)
        return Outlook(True, line)

    async def _searched(self, task: Task, meta: SessionMeta, point: Point, scope: str) -> tuple[Report, Canonical]:
        problem, form = problem_of(task, meta.rules, point.position, scope)
        return await self._solver.report(problem), form

    def _followed(self, plans: list[str], point: Point, meta: SessionMeta, game: Game) -> Line | None:
        """What is left to play of the first of the plans that goes through a place, and wins; None where none does."""
        begun = plan_of(point.moves) + " " * bool(point.moves)
        for plan in plans:
            if plan.startswith(begun) and self._wins(meta, game, plan):
                return _parsed(plan[len(begun) :])
        return None

    def _wins(self, meta: SessionMeta, game: Game, plan: str) -> bool:
        """Whether a plan wins from the deal on, which is proved once."""
        if (meta.deal, meta.rules, plan) not in self._winning and not _is_won(game, plan):
            return False
        self._remember(meta, plan)
        return True

    def _remember(self, meta: SessionMeta, plan: str) -> None:
        known = meta.deal, meta.rules, plan
        self._winning[known] = None
        self._winning.move_to_end(known)
        if len(self._winning) > _REMEMBERED:
            self._winning.popitem(last=False)


def moves_of(game: Game) -> Line:
    """The moves that stand."""
    return tuple([step.move for step in game.steps])


def points_of(game: Game) -> list[Point]:
    """Every place that the moves that stand went through, from the deal to now."""
    points = [Point((), game.start)]
    for move in moves_of(game):
        moves, position = points[-1]
        points.append(Point((*moves, move), transfer(position, move, game.rules)))
    return points


def problem_of(task: Task, rules: str, position: Position, scope: str = "") -> tuple[Problem, Canonical]:
    """What the solver is asked about a position under a preset, and how to read the lines that it answers with."""
    form = canonical_form(position)
    return Problem(task, rules, format_position(form.position), BUDGETS[task][rules], scope), form


def scope_of(deal: str) -> str:
    """What the problems of a secret deal are kept apart by, without telling the deal."""
    return sha256(deal.encode()).hexdigest()


def real_line(form: Canonical, line: tuple[str, ...]) -> Line:
    """A line of a report, as moves of the position that was asked about."""
    return tuple([form.real(parse_move(move)) for move in line])


def plan_of(line: Line) -> str:
    """All moves of a win, from the deal on, as a plan is stored."""
    return " ".join(map(str, line))


def _is_won(game: Game, plan: str) -> bool:
    """Whether the engine plays a plan to a win from the deal on; a stored one may be damaged."""
    try:
        return wins(game.start, game.rules, _parsed(plan))
    except NotationError:
        return False


def _parsed(plan: str) -> Line:
    return tuple(map(parse_move, plan.split()))
