"""What clients saw and did, as plain data: the checker needs nothing else but the log."""

from dataclasses import dataclass, field
from enum import Enum
from typing import Any, Literal, NamedTuple

from service.engine.game import Game
from service.engine.notation import format_cards, format_place
from service.engine.piles import TABLEAU

ORIGIN = "00000000"

Board = dict[str, Any]
CommandKind = Literal["play", "undo", "redo", "consent"]


class Sent(NamedTuple):
    """A command on a place: its identity, however often it is sent."""

    at: int
    crc: str
    kind: CommandKind
    detail: str
    """The move, by what an undo or redo goes, or to how many steps a consent is."""
    seat: int = 0


class Acked(NamedTuple):
    """What a client was told became of its command."""

    sent: Sent
    seq: int
    crc: str


class Told(NamedTuple):
    """One message as it came, which says where in the history it is."""

    kind: Literal["event", "snapshot", "reset", "subbed", "ack", "answer"]
    """That of the socket's message; an answer came over HTTP, and so may overtake what is under way on the socket."""
    seq: int
    crc: str | None = None


@dataclass
class Witness:
    """One client's part of a history; `board` is what it would draw at the end."""

    name: str
    sent: set[Sent] = field(default_factory=set)
    acked: list[Acked] = field(default_factory=list)
    denied: list[Sent] = field(default_factory=list)
    """What was refused or stale for good: such a command must not be in the log."""
    told: list[Told] = field(default_factory=list)
    board: Board = field(default_factory=dict)
    complaints: list[str] = field(default_factory=list)


class Kind(Enum):
    LOST = "lost"
    """It was acknowledged, and the log does not have it."""
    LOST_WITH_RESET = "lost with reset"
    """The same after a promotion, and its client was told: no failure."""
    DOUBLED = "doubled"
    SILENT = "silent"
    """A client was left with what the log does not say."""
    REORDERED = "reordered"
    BROKEN = "broken"
    """A server or a log failed in a way that no fault excuses."""


class Problem(NamedTuple):
    kind: Kind
    what: str


class Findings(NamedTuple):
    acknowledged: int
    problems: list[Problem]

    @property
    def failures(self) -> list[Problem]:
        return [problem for problem in self.problems if problem.kind is not Kind.LOST_WITH_RESET]

    def count(self, *kinds: Kind) -> int:
        return sum(problem.kind in kinds for problem in self.problems)


def board_of(game: Game) -> Board:
    """The board that a client should have at this place."""
    position = game.position
    piles = {format_place(place): format_cards(position.pile(place)) for place in TABLEAU}
    return {**piles, "stock": len(position.stock), "waste": format_cards(position.waste), "status": game.status.value}


def taken_over(board: Board, message: dict[str, Any]) -> Board:
    """The board after a snapshot's session, or after an event."""
    piles = [pile for row in message.get("rows", ()) for pile in row]
    whole = dict(zip(map(format_place, TABLEAU), piles, strict=False))  # an event has no rows
    news = {name: message[name] for name in ("stock", "waste", "status")}
    return {**board, **whole, **message.get("piles", {}), **news}
