"""From a line of the reduced game to moves that the engine plays: cards are pulled up just in time to be drawn."""

from collections import Counter, deque
from itertools import islice

from service.engine.cards import Card
from service.engine.moves import MOVES, Move, transfer
from service.engine.piles import COLUMNS, GOVERNMENT, LORDS, PRIVY_COUNCIL, ROWS, Place, row_of
from service.engine.position import Position
from service.engine.rules import PRESETS
from service.solver.modern_game import FOUNDED, POOL, Line, Pile


def moves_of(position: Position, line: Line) -> tuple[Move, ...]:
    """The moves that win the position by a line of its reduced game."""
    steps: list[tuple[Card, Pile | None, Pile | None]] = []
    while line is not None:
        line, card, source, target = line
        steps.append((card, source, target))
    steps.reverse()
    player = _Player(position, deque(card for card, source, _ in steps if source is POOL))
    player.pull_up()
    for card, source, target in steps:
        player.step(card, source, target)
        player.pull_up()
    player.finish()
    return tuple(player.moves)


class _Player:
    """Plays on from a position of `modern`, and knows which cards will be drawn, in their order."""

    def __init__(self, position: Position, upcoming: deque[Card]) -> None:
        self.position, self.upcoming = position, upcoming
        self.moves: list[Move] = []

    def step(self, card: Card, source: Pile | None, target: Pile | None) -> None:
        """Plays one step of the reduced game."""
        if source is POOL:
            self.upcoming.popleft()
            from_ = ROWS[LORDS][self.position.row(LORDS).index(card)]
        else:
            from_ = self._council(source)
        self._move(from_, GOVERNMENT if target is FOUNDED else self._council(target))

    def pull_up(self) -> None:
        """Fills the vacancies of rows 2 and 3, each with a card that must be there by now, or with any."""
        while (vacancy := self.position.vacancy()) is not None and row_of(vacancy) != PRIVY_COUNCIL:
            self._move(self._pulled(row_of(vacancy)), vacancy)

    def finish(self) -> None:
        """Promotes whatever is left, once all cards are in the Privy Council."""
        while not self.position.is_won:
            founded = self.position.foundations
            tops = enumerate(self.position.row(PRIVY_COUNCIL))
            self._move(next(place for place, card in tops if card and card - 4 in founded), GOVERNMENT)

    def _pulled(self, row: int) -> Place:
        """The place of the next row whose card fills this one.

        The card drawn next must be in row 2 now, and the one after it in row 3 at the least; the lemma has it that
        whichever is not lies just below. Copies count: a card above serves one draw.
        """
        above = Counter(self.position.tops[COLUMNS : (row + 1) * COLUMNS])
        below = self.position.row(row + 1)
        for card in islice(self.upcoming, row):
            if not above[card]:
                return ROWS[row + 1][below.index(card)]
            above[card] -= 1
        return next(place for place in ROWS[row + 1] if self.position.tops[place])

    def _council(self, pile: Pile) -> Place:
        return next(place for place in ROWS[PRIVY_COUNCIL] if self.position.pile(place) == pile)

    def _move(self, source: Place, target: Place) -> None:
        move = MOVES[source][target]
        self.moves.append(move)
        self.position = transfer(self.position, move, PRESETS["modern"])
