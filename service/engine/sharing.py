"""Several seats on one board: which moves are whose, and what the others must agree to.

A log says nothing of this: who holds a seat changes while a game goes on, so it is judged before an entry is written,
and never when a log is replayed. `held` is always the seats that somebody holds now, ascending and at least one.
"""

from enum import StrEnum
from typing import TypeAlias

from service.engine.errors import ConsentNeeded, IllegalMove, OthersPlay, Reason
from service.engine.game import Game, LegalMove, step_of
from service.engine.log import Entry
from service.engine.moves import Kind, Move
from service.engine.piles import PEOPLE, ROWS, row_of

Held: TypeAlias = tuple[int, ...]


class Mode(StrEnum):
    """How seats share the board. The values never change.

    solo:        there is one seat
    free_hands:  everybody plays whatever is legal
    turns:       one after another; whoever leaves a vacancy also fills it
    departments: the row that a card leaves says whose move it is; the hand goes with the People
    """

    SOLO = "solo"
    FREE_HANDS = "free_hands"
    TURNS = "turns"
    DEPARTMENTS = "departments"


def check(game: Game, entry: Entry, mode: Mode, held: Held) -> None:
    """Raises IllegalMove, ConsentNeeded or OthersPlay where an entry that the game takes is not the seat's to give."""
    if entry.move is not None:
        if reason := why_not_yours(game, entry.move, mode, entry.seat, held):
            raise IllegalMove(str(entry.move), reason)
    elif entry.kind is Kind.UNDO or entry.kind is Kind.RESTART:
        steps = entry.count if entry.kind is Kind.UNDO else game.played
        if missing := needs_consent(game, steps, entry.seat, held):
            raise ConsentNeeded(entry.kind, steps, missing)
    elif entry.kind is Kind.RESIGN and (others := others_than(entry.seat, held)):
        raise OthersPlay(others)


def why_not_yours(game: Game, move: Move, mode: Mode, seat: int, held: Held) -> Reason | None:
    """Why a move, legal or not, is not the seat's to play now, or None when it is."""
    if mode is Mode.TURNS and seat != turn_of(game, held):
        return Reason.NOT_YOUR_TURN
    if mode is Mode.DEPARTMENTS and seat != department_of(move, held):
        return Reason.NOT_YOUR_DEPARTMENT
    return None


def legal_for_seat(game: Game, mode: Mode, seat: int, held: Held) -> tuple[LegalMove, ...]:
    """The legal moves that are the seat's to play now."""
    if mode is Mode.TURNS:  # all of them, or none
        return game.legal if seat == turn_of(game, held) else ()
    return tuple([legal for legal in game.legal if why_not_yours(game, legal.move, mode, seat, held) is None])


def turn_of(game: Game, held: Held) -> int:
    """Whose turn it is: at first the least seat's, then the one's that follows the seat of the last step.

    While a vacancy must be filled it stays with that seat, if it is still held.
    """
    if not game.played:
        return held[0]
    last = step_of(game.line[game.played - 1]).seat
    if game.must_fill is not None and last in held:
        return last
    return next((seat for seat in held if seat > last), held[0])


def department_of(move: Move, held: Held) -> int:
    """Whose department a move is in: the rows are dealt out evenly, the Privy Council to the least seat."""
    row = min(row_of(move.source), PEOPLE)
    return held[row * len(held) // len(ROWS)]


def needs_consent(game: Game, steps: int, seat: int, held: Held) -> frozenset[int]:
    """Whose agreement is missing for the seat to take back so many steps; nobody's if it made them all itself."""
    if all(step.seat == seat for step in map(step_of, game.line[max(0, game.played - steps) : game.played])):
        return frozenset()
    agreed = {consent.seat for consent in game.consents if consent.steps >= steps}
    return others_than(seat, held) - agreed


def others_than(seat: int, held: Held) -> frozenset[int]:
    """The held seats but this one."""
    return frozenset(held) - {seat}
