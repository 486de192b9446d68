"""Where a game was lost: whether it could still be won after each of its moves, and how.

If it can be won after a move, it could be before, so a bisection asks about few places. What was found is kept by the
solver and as plans, so that whoever asks again goes on where the time ran out.
"""

from collections.abc import Sequence
from typing import Final, NamedTuple

from service.engine.game import Game
from service.ports import Clock, SessionMeta
from service.protocol import messages, shapes
from service.solver.turning import Turning, turning
from service.usecases.errors import BadAddress, StillSecret
from service.usecases.history import History
from service.usecases.live import Live
from service.usecases.solutions import Line, Point, Solutions, points_of
from service.usecases.views import is_secret, viewing_seat, winnable_word

_NOWHERE: Final = Turning(None, None)


class _Found(NamedTuple):
    """What is known by now; `is_done` if there is nothing more to search for."""

    turning: Turning
    searches: int
    is_done: bool


class Analyses:
    """Analyses of sessions. Every method raises as `Histories.fresh` and as `Solutions`."""

    def __init__(self, live: Live, solutions: Solutions, clock: Clock) -> None:
        self._live, self._solutions, self._clock = live, solutions, clock

    async def analysis(self, session: str, player: str | None, start: int | None, wait: float) -> shapes.Analysis:
        """What is known of a session after `wait` seconds, when no further search is begun.

        With the moves of a win from after move `start` on, or from where it could last be won. Whoever watches the
        session is told of each search. Raises NotForSpectators, StillSecret or BadAddress.
        """
        history = await self._live.read(session)
        meta, game = history.meta, history.game
        viewing_seat(meta, player)
        if is_secret(meta, game):
            raise StillSecret
        if start is not None and start > game.played:
            raise BadAddress("from", f"there should be a move that stands, up to {game.played}")
        points = points_of(game)
        found = await self._find(history, points, self._clock.now() + int(wait * 1000))
        start = found.turning.won if start is None else start
        line = await self._line(meta, game, points, start) if found.is_done else None
        return _view(game, found, start, line)

    async def _find(self, history: History, points: Sequence[Point], deadline: int) -> _Found:
        """Asks about one place after the other, until all is found or the deadline is past."""
        meta, game = history.meta, history.game
        asking, searches, known = turning(len(points)), 0, _NOWHERE
        try:
            number = next(asking)
            while not searches or self._clock.now() < deadline:
                outlook = await self._solutions.outlook_at(meta, game, points[number])
                searches += 1
                self._live.tell_analysis(meta.id, game.seq, searches)
                known = _with(known, number, outlook.winnable)
                number = asking.send(outlook.winnable)
        except StopIteration as end:
            return _Found(end.value, searches, is_done=True)
        return _Found(known, searches, is_done=False)

    async def _line(self, meta: SessionMeta, game: Game, points: Sequence[Point], start: int | None) -> Line | None:
        """The moves of a win from after move `start`, None where none is known."""
        if start is None:
            return None
        outlook = await self._solutions.outlook_at(meta, game, points[start])
        return outlook.line if outlook.winnable else None


def _with(known: Turning, number: int, winnable: bool | None) -> Turning:
    """What is known with one answer more."""
    match winnable:
        case None:
            return known
        case True:
            return known._replace(won=max(number, known.won or 0))
        case False:
            return known._replace(lost=number if known.lost is None else min(number, known.lost))


def _view(game: Game, found: _Found, start: int | None, line: Line | None) -> shapes.Analysis:
    where, steps = found.turning, game.steps
    is_sharp = where.won is not None and where.lost == where.won + 1
    return shapes.Analysis(
        seq=game.seq,
        crc=messages.format_crc(game.crc),
        done=found.is_done,
        searches=found.searches,
        deal=winnable_word(where.winnable(0)),
        moves=[
            shapes.AnalysedMove(str(step.move), winnable_word(where.winnable(number)))
            for number, step in enumerate(steps, 1)
        ],
        winnable_until=where.won,
        lost_at=where.lost if is_sharp else None,
        line_from=start,
        line=None if line is None else list(map(str, line)),
    )
