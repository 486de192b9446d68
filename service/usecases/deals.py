"""Deals: whether they can be won, how hard they are, and drawing one that is as it is wished."""

import asyncio
from collections.abc import Coroutine
from typing import Any, Final, NamedTuple

from service.engine.deal import SEED_BYTES, Deal, Numbered, Seeded, start
from service.engine.errors import EngineError
from service.engine.game import ENGINE_VERSION, Game
from service.engine.log import Entry, packed
from service.engine.notation import format_deal, parse_deal, parse_rules
from service.engine.record import format_record
from service.engine.rules import PRESETS
from service.ports import Chance, Report, Solver, Task
from service.protocol import shapes
from service.usecases.errors import BadAddress, NoSuchDeal
from service.usecases.solutions import Line, problem_of, real_line, scope_of

TRIES: Final = 60
"""Deals that are drawn for one wish: of the rarest difficulty, about one in seven, all but one wish in ten thousand."""
AT_ONCE: Final = 2
"""Of which so many are certified at a time for somebody who waits."""
LINGER_SECONDS: Final = 60.0
"""How long a deal is searched for on behalf of whoever may ask again, having waited as long as they would."""
_NOTHING: Final = Report("gave_up", 0)
_FOUND: Final[dict[str, tuple[shapes.Winnable, shapes.Method]]] = {
    "won": ("yes", "line"),
    "unwinnable": ("no", "proof"),
    "gave_up": ("unknown", "none"),
}


class Certificate(NamedTuple):
    """What was found of a deal; line: all moves of the win with the most tempo, empty where none is known."""

    deal: Deal
    report: Report
    line: Line

    @property
    def is_won(self) -> bool:
        return self.report.result == "won"

    @property
    def difficulty(self) -> shapes.DifficultyName | None:
        return self.report.difficulty  # type: ignore[return-value]  # the solver has these grades


class Deals:
    """Certifies deals. Every method raises SolverBusy or StoreUnavailable where there is no answer now."""

    def __init__(self, solver: Solver, chance: Chance) -> None:
        self._solver, self._chance = solver, chance
        self._lingering: set[asyncio.Task[Certificate]] = set()

    async def report(self, text: str, rules: str, wait: float) -> shapes.DealReport:
        """What is known of a deal after `wait` seconds; a search that takes longer goes on for a while.

        Raises BadAddress.
        """
        deal = _read(text, rules)
        asking = asyncio.ensure_future(self.certified(deal, rules))
        try:
            await asyncio.wait([asking], timeout=wait)
        except asyncio.CancelledError:
            asking.cancel()
            raise
        if asking.done():
            return _view(rules, asking.result(), is_done=True)
        self._let_linger(asking)
        return _view(rules, Certificate(deal, _NOTHING, ()), is_done=False)

    async def certified(self, deal: Deal, rules: str, *, is_secret: bool = False) -> Certificate:
        """What is found of a deal that the rules can play."""
        scope = scope_of(format_deal(deal)) if is_secret else ""
        problem, form = problem_of(Task.CERTIFY, rules, start(deal, PRESETS[rules]), scope)
        report = await self._solver.report(problem)
        return Certificate(deal, report, real_line(form, report.best or report.line))

    async def draw(
        self, rules: str, difficulty: shapes.DifficultyName | None, *, is_secret: bool, at_once: int = AT_ONCE
    ) -> Certificate:
        """A deal that can be won, as hard as is wished; raises NoSuchDeal where none of many is."""
        for _ in range(TRIES // at_once):
            deals = [self.drawn(is_secret=is_secret) for _ in range(at_once)]
            found = await _all(*(self.certified(deal, rules, is_secret=is_secret) for deal in deals))
            for certificate in found:
                if certificate.is_won and difficulty in {None, certificate.difficulty}:
                    return certificate
        raise NoSuchDeal

    def drawn(self, *, is_secret: bool) -> Deal:
        """A deal by chance: one with a number, or one that nobody can guess."""
        if is_secret:
            return Seeded(self._chance.bytes(SEED_BYTES))
        return Numbered(int.from_bytes(self._chance.bytes(8), "big"))

    def _let_linger(self, asking: "asyncio.Task[Certificate]") -> None:
        self._lingering.add(asking)
        asking.add_done_callback(self._lingered)
        asyncio.get_running_loop().call_later(LINGER_SECONDS, asking.cancel)

    def _lingered(self, asked: "asyncio.Task[Certificate]") -> None:
        self._lingering.discard(asked)
        if not asked.cancelled():
            asked.exception()  # nobody waits for it any more


async def _all(*asked: Coroutine[Any, Any, Certificate]) -> list[Certificate]:
    """All answers; if one of them fails, nobody waits for the others."""
    tasks = [asyncio.ensure_future(one) for one in asked]
    try:
        return await asyncio.gather(*tasks)
    finally:
        for task in tasks:
            task.cancel()


def _read(text: str, rules: str) -> Deal:
    """The deal of a text that the rules can play; raises BadAddress."""
    try:
        preset = parse_rules(rules)
    except EngineError as error:
        raise BadAddress("rules", str(error)) from None
    try:
        deal = parse_deal(text)
        start(deal, preset)
    except EngineError as error:
        raise BadAddress("deal", str(error)) from None
    return deal


def _view(rules: str, certificate: Certificate, *, is_done: bool) -> shapes.DealReport:
    deal, report, line = certificate
    winnable, method = _FOUND[report.result]
    return shapes.DealReport(
        deal=format_deal(deal),
        rules=rules,
        winnable=winnable,
        method=method,
        par=report.par,
        difficulty=certificate.difficulty,
        engine=ENGINE_VERSION,
        nodes=report.nodes,
        done=is_done,
        record=record_of_line(deal, rules, line) if certificate.is_won else None,
    )


def record_of_line(deal: Deal, rules: str, line: Line) -> str:
    """The record of a game in which these moves were played, and nothing else."""
    game = Game.begin(deal, PRESETS[rules])
    entries = []
    for move in line:
        entries.append(Entry(game.kind_of(move), move=move))
        game = game.after(entries[-1], packed(entries[-1], game.crc)[1])
    return format_record(deal, PRESETS[rules], entries)
