"""A game: what a deal, a rule set and a log amount to. Everything here follows from those three."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import cache
from typing import Any, Final, Generic, NamedTuple, TypeVar

from service.engine.deal import Deal, start
from service.engine.errors import CorruptLog, EngineError, GameOver, IllegalMove, NothingToDo
from service.engine.log import EMPTY_CRC, MAX_COUNT, MOVE_KINDS, MOVE_OF, Entry, number_of
from service.engine.moves import (
    Kind,
    Move,
    Status,
    kind_of,
    legal_by_kind,
    must_fill,
    status_with,
    transfer,
    turns_up,
    why_not_with,
)
from service.engine.piles import GOVERNMENT, PEOPLE_START, Place
from service.engine.position import Position
from service.engine.rules import Rules
from service.engine.score import NO_ASSISTS, Assists, Points

ENGINE_VERSION: Final = 1
"""Stored with a session, so that an old log replays under the rules it was played with."""

MARK_EVERY: Final = 32
"""Moves between two marks: the bound on what an undo or a redo has to play again."""

OVER: Final = frozenset({Status.WON, Status.RESIGNED})
"""What closes a log."""
_T = TypeVar("_T")
_made: Final = tuple.__new__
"""Makes a game of its facts in half the time of `Game(…)`."""


class Step(NamedTuple):
    """One move of the line, and the seat that made it.

    `opens` tells whether it was made from a settled position and so begins a group.
    """

    move: Move
    opens: bool
    seat: int


@cache
def letter_of(move: Move, opens: bool, seat: int) -> str:
    """The letter that stands for a step in a line, which so is a text: it grows at once, however long it is."""
    return chr(seat << 13 | opens << 12 | number_of(move))


@cache
def step_of(letter: str) -> Step:
    """The step that a letter of a line stands for."""
    code = ord(letter)
    return Step(MOVE_OF[code & MAX_COUNT], bool(code >> 12 & 1), code >> 13)


class Mark(NamedTuple):
    """What the line has come to at one of the places that an undo goes on from."""

    position: Position
    tempo: int


@dataclass(frozen=True, slots=True, eq=False)
class LegalMove:
    """`reveals` tells whether the move turns up a card that this game has not shown before. Each is made once."""

    move: Move
    kind: Kind
    reveals: bool


class _Made(dict[Move, LegalMove]):
    """The legal moves of a kind that reveal something, or nothing, each made when it is first asked for."""

    def __init__(self, kind: Kind, reveals: bool) -> None:
        self._kind, self._reveals = kind, reveals

    def __missing__(self, move: Move) -> LegalMove:
        made = self[move] = LegalMove(move, self._kind, self._reveals)
        return made


_LEGAL: Final = {kind: (_Made(kind, reveals=False), _Made(kind, reveals=True)) for kind in MOVE_KINDS}


class Consent(NamedTuple):
    """A seat's agreement that up to so many steps be taken back."""

    seat: int
    steps: int


class _Facts(NamedTuple):
    """What of a game is carried from entry to entry; see Game."""

    rules: Rules
    start: Position
    position: Position
    must_fill: Place | None
    status: Status
    marks: tuple[Mark, ...]
    points: Points
    seq: int = 0
    crc: int = EMPTY_CRC
    time: int = 0
    line: str = ""
    played: int = 0
    assists: Assists = NO_ASSISTS
    consents: tuple[Consent, ...] = ()


class _Once(Generic[_T]):
    """A property of a game that is worked out once: `functools.cached_property` without the lock of Python 3.11."""

    def __init__(self, ask: Callable[[Any], _T]) -> None:
        self._ask, self._name = ask, ask.__name__

    def __get__(self, game: "Game", _: type["Game"]) -> _T:
        answer = game.__dict__[self._name] = self._ask(game)
        return answer


class Game(_Facts):
    """A game after `seq` entries, the last of which ended with checksum `crc`.

    must_fill: the vacancy that must be filled before anything else
    status:    how it stands; a stuck game goes on, since undo stays possible
    marks:     what the line comes to after every MARK_EVERY of its moves, from none on
    time:      of the last entry, in tenths of a second since the session began
    line:      the steps from `start` to `position`, a letter each, and behind `played` those that a redo would repeat
    consents:  each seat's last one since the board changed
    """

    @classmethod
    def begin(cls, deal: Deal, rules: Rules) -> "Game":
        """The game before its first entry; raises UnplayablePosition."""
        position = start(deal, rules)
        points = Points(position.promoted, 0, 0, position.is_won)
        vacancy = must_fill(position, rules)
        status = status_with(position, rules, vacancy)
        return cls(rules, position, position, vacancy, status, (Mark(position, 0),), points)

    @property
    def is_over(self) -> bool:
        """Whether the log is closed."""
        return self.status in OVER

    @_Once
    def legal(self) -> tuple[LegalMove, ...]:
        """What may be played now; nothing once the game is over."""
        if self.status is Status.RESIGNED:
            return ()
        rules, position = self.rules, self.position
        unseen = self._dealt(position) == self.assists.furthest
        legal: list[LegalMove] = []
        for kind, moves in legal_by_kind(position, rules, self.must_fill):
            shown, new = _LEGAL[kind]
            if unseen and moves and moves[0].source >= PEOPLE_START:
                legal += [(new if turns_up(position, move, rules) else shown)[move] for move in moves]
            else:
                legal += [shown[move] for move in moves]
        return tuple(legal)

    @property
    def steps(self) -> list[Step]:
        """The steps that have led to the board."""
        return list(map(step_of, self.line[: self.played]))

    def undo_count(self, by_group: bool) -> int:
        """How many steps one undo takes back; 0 when there is nothing to undo."""
        if not by_group:
            return min(1, self.played)
        first = self.played
        while first:
            first -= 1
            if step_of(self.line[first]).opens:
                break
        return self.played - first

    def redo_count(self, by_group: bool) -> int:
        """How many steps one redo repeats; 0 when there is nothing to redo."""
        if not by_group:
            return min(1, len(self.line) - self.played)
        last = self.played
        while last < len(self.line) and (last == self.played or not step_of(self.line[last]).opens):
            last += 1
        return last - self.played

    def kind_of(self, move: Move) -> Kind:
        return kind_of(self.position, move)

    def after(self, entry: Entry, crc: int) -> "Game":
        """The game with one entry more; raises IllegalMove, NothingToDo or GameOver, and then nothing has changed."""
        rules, start, position, vacancy, status, marks, points, seq, _, _, line, played, assists, _ = self
        if status in OVER:
            raise GameOver(status)
        _, seat, time, move, _ = entry
        if move is None:
            return self._replace(seq=seq + 1, crc=crc, time=time, **self._by_command(entry))
        if reason := why_not_with(position, move, rules, vacancy):
            raise IllegalMove(str(move), reason)
        after = transfer(position, move, rules)
        if move.target == GOVERNMENT:
            points = points.after_promotion(len(position.stock), after.is_won)
        letter = letter_of(move, vacancy is None, seat)
        if played < len(line) and step_of(line[played]).move == move:
            line = line[:played] + letter + line[played + 1 :]
        else:
            if played < len(line):
                line, marks = line[:played], marks[: played // MARK_EVERY + 1]
            line += letter
            if len(line) % MARK_EVERY == 0:
                marks = (*marks, Mark(after, points.tempo))
        if after.stock is not position.stock:
            assists = assists.after_deal(self._dealt(after))
        vacancy = must_fill(after, rules)
        status = status_with(after, rules, vacancy)
        facts = (rules, start, after, vacancy, status, marks, points, seq + 1, crc, time, line, played + 1, assists, ())
        return _made(Game, facts)

    def _by_command(self, entry: Entry) -> dict[str, Any]:
        """What a command that is no move changes."""
        match entry.kind:
            case Kind.UNDO:
                if not 0 < entry.count <= self.played:
                    raise NothingToDo(entry.kind)
                return self._moved_to(self.played - entry.count)
            case Kind.REDO:
                if not 0 < entry.count <= len(self.line) - self.played:
                    raise NothingToDo(entry.kind)
                return self._moved_to(self.played + entry.count)
            case Kind.RESTART:
                if not self.played:
                    raise NothingToDo(entry.kind)
                return self._moved_to(0)
            case Kind.RESIGN:
                return {"status": Status.RESIGNED}
            case Kind.CONSENT:
                if not 0 < entry.count <= self.played:
                    raise NothingToDo(entry.kind)
                others = [consent for consent in self.consents if consent.seat != entry.seat]
                return {"consents": (*others, Consent(entry.seat, entry.count))}
            case _:  # a hint or a question
                assists = self.assists.after_question()
                return {"assists": assists, "points": self.points._replace(assists=assists.count)}

    def _moved_to(self, played: int) -> dict[str, Any]:
        """What it changes to have the first `played` moves of the line on the board."""
        marked = played // MARK_EVERY
        position, tempo = self.marks[marked]
        for move, _, _ in map(step_of, self.line[marked * MARK_EVERY : played]):
            if move.target == GOVERNMENT:
                tempo += len(position.stock)
            position = transfer(position, move, self.rules)
        assists = self.assists
        if played < self.played:
            assists = assists.after_undo(self._dealt(position), self._dealt(self.position))
        vacancy = must_fill(position, self.rules)
        return {
            "position": position,
            "must_fill": vacancy,
            "status": status_with(position, self.rules, vacancy),
            "points": Points(position.promoted, tempo, assists.count, won=False),
            "played": played,
            "assists": assists,
            "consents": (),
        }

    def _dealt(self, position: Position) -> int:
        """How many cards of the stock have come up."""
        return len(self.start.stock) - len(position.stock)


def replay(game: Game, entries: Iterable[tuple[Entry, int]]) -> Game:
    """The game after further entries of its log, each with its checksum; raises CorruptLog at the first impossible."""
    for entry, crc in entries:
        if entry.move is not None and entry.kind is not game.kind_of(entry.move):
            raise CorruptLog(game.seq + 1, f"{entry.move} is a {game.kind_of(entry.move)} here, not a {entry.kind}")
        if entry.time < game.time:
            raise CorruptLog(game.seq + 1, "its time is before the last entry's")
        try:
            game = game.after(entry, crc)
        except EngineError as error:
            raise CorruptLog(game.seq + 1, str(error)) from error
    return game
