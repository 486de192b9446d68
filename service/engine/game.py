"""A game: what a deal, a rule set and a log amount to. Everything here follows from those three."""

from collections.abc import Iterable
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, Final, NamedTuple

from service.engine.deal import Deal, start
from service.engine.errors import CorruptLog, EngineError, GameOver, IllegalMove, NothingToDo
from service.engine.log import EMPTY_CRC, Entry
from service.engine.moves import (
    Kind,
    Move,
    Status,
    kind_of,
    legal_moves,
    must_fill,
    status_with,
    transfer,
    why_not,
)
from service.engine.piles import PEOPLE_START, Place
from service.engine.position import Position
from service.engine.rules import Rules
from service.engine.score import NO_ASSISTS, Assists, Points

ENGINE_VERSION: Final = 1
"""Stored with a session, so that an old log replays under the rules it was played with."""

MARK_EVERY: Final = 32
"""Moves between two marks: the bound on what an undo or a redo has to play again."""


class Step(NamedTuple):
    """One move of the line; `opens` tells whether it was made from a settled position and so begins a group."""

    move: Move
    opens: bool


class Mark(NamedTuple):
    """What the line has come to at one of the places that an undo goes on from."""

    position: Position
    tempo: int


class LegalMove(NamedTuple):
    """`reveals` tells whether the move turns up a card that this game has not shown before."""

    move: Move
    kind: Kind
    reveals: bool


@dataclass(frozen=True)
class Game:
    """A game after `seq` entries, the last of which ended with checksum `crc`.

    time:   of the last entry, in tenths of a second since the session began
    line:   the moves from `start` to `position`, and behind `played` those that a redo would repeat
    marks:  what the line comes to after every MARK_EVERY of its moves, from none on
    tempo:  of the moves that are played
    """

    rules: Rules
    start: Position
    position: Position
    marks: tuple[Mark, ...]
    seq: int = 0
    crc: int = EMPTY_CRC
    time: int = 0
    line: tuple[Step, ...] = ()
    played: int = 0
    tempo: int = 0
    assists: Assists = NO_ASSISTS
    resigned: bool = False

    @classmethod
    def begin(cls, deal: Deal, rules: Rules) -> "Game":
        """The game before its first entry; raises UnplayablePosition."""
        position = start(deal, rules)
        return cls(rules, position, position, (Mark(position, 0),))

    @cached_property
    def status(self) -> Status:
        return Status.RESIGNED if self.resigned else status_with(self.position, self._moves)

    @property
    def is_over(self) -> bool:
        """Whether the log is closed: won or resigned. A stuck game goes on, since undo stays possible."""
        return self.resigned or self.position.is_won

    @property
    def points(self) -> Points:
        return Points(self.position.promoted, self.tempo, self.assists.count, self.position.is_won)

    @cached_property
    def must_fill(self) -> Place | None:
        return must_fill(self.position, self.rules)

    @cached_property
    def legal(self) -> tuple[LegalMove, ...]:
        """What may be played now; nothing once the game is over."""
        if self.resigned:
            return ()
        position = self.position
        unseen = bool(position.stock) and self._dealt(position) == self.assists.furthest
        return tuple([LegalMove(move, kind_of(position, move), unseen and self._deals(move)) for move in self._moves])

    @cached_property
    def _moves(self) -> list[Move]:
        return legal_moves(self.position, self.rules)

    def undo_count(self, by_group: bool) -> int:
        """How many steps one undo takes back; 0 when there is nothing to undo."""
        if not by_group:
            return min(1, self.played)
        first = self.played
        while first:
            first -= 1
            if self.line[first].opens:
                break
        return self.played - first

    def redo_count(self, by_group: bool) -> int:
        """How many steps one redo repeats; 0 when there is nothing to redo."""
        if not by_group:
            return min(1, len(self.line) - self.played)
        last = self.played
        while last < len(self.line) and (last == self.played or not self.line[last].opens):
            last += 1
        return last - self.played

    def kind_of(self, move: Move) -> Kind:
        return kind_of(self.position, move)

    def after(self, entry: Entry, crc: int) -> "Game":
        """The game with one entry more; raises IllegalMove, NothingToDo or GameOver, and then nothing has changed."""
        if self.is_over:
            raise GameOver(self.status)
        if entry.move is not None:
            return self._after_move(entry.move, crc, entry.time)
        return replace(self, seq=self.seq + 1, crc=crc, time=entry.time, **self._by_command(entry))

    def _after_move(self, move: Move, crc: int, time: int) -> "Game":
        position, line, marks, played = self.position, self.line, self.marks, self.played
        if reason := why_not(position, move, self.rules):
            raise IllegalMove(str(move), reason)
        after = transfer(position, move, self.rules)
        tempo = self.tempo + _tempo(position, move)
        if played == len(line) or line[played].move != move:
            line = (*line[:played], Step(move, opens=self.must_fill is None))
            marks = marks[: played // MARK_EVERY + 1]
            if len(line) % MARK_EVERY == 0:
                marks = (*marks, Mark(after, tempo))
        return Game(
            self.rules,
            self.start,
            after,
            marks,
            self.seq + 1,
            crc,
            time,
            line,
            played + 1,
            tempo,
            self.assists.after_deal(self._dealt(after)),
        )

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
                return {"resigned": True}
            case Kind.HINT | Kind.ASK:
                return {"assists": self.assists.after_question()}
            case _:
                return {}

    def _moved_to(self, played: int) -> dict[str, Any]:
        """What it changes to have the first `played` moves of the line on the board."""
        marked = played // MARK_EVERY
        position, tempo = self.marks[marked]
        for move, _ in self.line[marked * MARK_EVERY : played]:
            tempo += _tempo(position, move)
            position = transfer(position, move, self.rules)
        assists = self.assists
        if played < self.played:
            assists = assists.after_undo(self._dealt(position), self._dealt(self.position))
        return {"position": position, "played": played, "tempo": tempo, "assists": assists}

    def _dealt(self, position: Position) -> int:
        """How many cards of the stock have come up."""
        return len(self.start.stock) - len(position.stock)

    def _deals(self, move: Move) -> bool:
        """Whether a card of the stock comes up with the move."""
        if move.source < PEOPLE_START:
            return False
        return len(transfer(self.position, move, self.rules).stock) < len(self.position.stock)


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


def _tempo(position: Position, move: Move) -> int:
    """What the move adds to the tempo: the stock just before it, if it promotes."""
    return len(position.stock) if kind_of(position, move) is Kind.PROMOTE else 0
