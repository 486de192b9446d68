"""The score, a function of the log.

Each card promoted is worth 100, and one more for every card still in the stock just before; a win 1000; each assist
costs 50. No clock and no order of arrival comes into it.
"""

from dataclasses import dataclass
from typing import Final, NamedTuple

PROMOTION: Final = 100
WIN: Final = 1000
ASSIST: Final = 50


class Points(NamedTuple):
    """promoted: cards beyond the aces, 0..80; tempo: cards in the stock just before each promotion, summed."""

    promoted: int
    tempo: int
    assists: int
    won: bool

    def after_promotion(self, stock: int, won: bool) -> "Points":
        """Once a card was promoted, with so many cards in the stock just before; `won` if it was the last."""
        return Points(self.promoted + 1, self.tempo + stock, self.assists, won)

    @property
    def total(self) -> int:
        """The points of a board, never below 0."""
        promoted, tempo, assists, won = self
        total = PROMOTION * promoted + tempo + WIN * won - ASSIST * assists
        return total if total > 0 else 0  # noqa: FURB136 - a third of the time


@dataclass(frozen=True, slots=True)
class Assists:
    """What a player was helped by; it never falls.

    asked:      hint steps and questions whether the game can still be won
    furthest:   the most stock cards that were ever up: a card is new only beyond it
    taken_back: which of them were taken back, as a bit for each; a card counts once
    """

    asked: int = 0
    furthest: int = 0
    taken_back: int = 0

    @property
    def count(self) -> int:
        return self.asked + self.taken_back.bit_count()

    def after_deal(self, dealt: int) -> "Assists":
        """Once `dealt` stock cards are up."""
        return Assists(self.asked, dealt, self.taken_back) if dealt > self.furthest else self

    def after_undo(self, dealt: int, before: int) -> "Assists":
        """Once the board went back from `before` stock cards to `dealt`."""
        return Assists(self.asked, self.furthest, self.taken_back | (1 << before) - (1 << dealt))

    def after_question(self) -> "Assists":
        return Assists(self.asked + 1, self.furthest, self.taken_back)


NO_ASSISTS: Final = Assists()
