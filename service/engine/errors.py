"""What can be wrong with a question put to the engine.

EngineError (a ValueError)
├── NotationError        a text or bytes that do not parse: where, and what would be right
├── IllegalMove          a move that the rules refuse, with the reason
├── NothingToDo          an undo, redo, restart or consent with nothing to take back or repeat
├── GameOver             a command to a game that is won or resigned
├── ConsentNeeded        an undo or a restart that other seats must agree to, with those that have not
├── OthersPlay           a resignation while other seats are held, with those
├── UnplayablePosition   a position that these rules can never show
└── CorruptLog           a log that no play can have written, with its first bad entry
"""

from enum import StrEnum


class Reason(StrEnum):
    """Why a move is not legal. The values go over the wire and never change."""

    MUST_FILL = "must_fill"
    NO_VACANCY = "no_vacancy"
    EMPTY_SOURCE = "empty_source"
    NOT_TOP_ROW = "not_top_row"
    NOT_ROW_BELOW = "not_row_below"
    WRONG_RANK = "wrong_rank"
    WRONG_COLOUR = "wrong_colour"
    WRONG_SUIT = "wrong_suit"
    SAME_PLACE = "same_place"
    NO_LATERAL = "no_lateral"
    NOT_DEEP = "not_deep"
    NO_WASTE = "no_waste"
    STOCK_EMPTY = "stock_empty"
    NO_PEOPLE = "no_people"
    OVER = "over"
    NOT_YOUR_TURN = "not_your_turn"
    NOT_YOUR_DEPARTMENT = "not_your_department"


class EngineError(ValueError):
    """The root of all that the engine raises."""


class NotationError(EngineError):
    """The text is no `what`: at offset `at` (from 0) there should be `expected`."""

    def __init__(self, what: str, text: str, at: int, expected: str) -> None:
        self.what, self.text, self.at, self.expected = what, text, at, expected
        super().__init__(f"not a {what}: at {at}, {_shown(text, at)}, there should be {expected}")


class IllegalMove(EngineError):
    """The rules refuse `move` (its text), for `reason`."""

    def __init__(self, move: str, reason: Reason) -> None:
        self.move, self.reason = move, reason
        super().__init__(f"{move} is not legal: {reason}")


class NothingToDo(EngineError):
    """There is nothing to `command`: undo, redo, restart or consent."""

    def __init__(self, command: str) -> None:
        self.command = command
        super().__init__(f"there is nothing to {command}")


class GameOver(EngineError):
    """The game is `status`, won or resigned, and takes no further command."""

    def __init__(self, status: str) -> None:
        self.status = status
        super().__init__(f"the game is {status}")


class ConsentNeeded(EngineError):
    """To `command`, undo or restart, takes back `steps`, to which the `missing` seats have not agreed."""

    def __init__(self, command: str, steps: int, missing: frozenset[int]) -> None:
        self.command, self.steps, self.missing = command, steps, missing
        super().__init__(f"{_seats(missing)} must consent to the {command} of {steps}")


class OthersPlay(EngineError):
    """Nobody resigns while `others` hold seats."""

    def __init__(self, others: frozenset[int]) -> None:
        self.others = others
        super().__init__(f"the game goes on for {_seats(others)}")


class UnplayablePosition(EngineError):
    """No play under these rules can show the position; `why` is a sentence."""


class CorruptLog(EngineError):
    """Entry `seq` (from 1) is the first that no play can have written; `why` is a phrase."""

    def __init__(self, seq: int, why: str) -> None:
        self.seq, self.why = seq, why
        super().__init__(f"entry {seq} is corrupt: {why}")


def _seats(seats: frozenset[int]) -> str:
    return f"seat{'s' * (len(seats) > 1)} {', '.join(map(str, sorted(seats)))}"


def _shown(text: str, at: int) -> str:
    return repr(text[at : at + 12]) if at < len(text) else "the end"
