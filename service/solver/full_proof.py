"""Every line of play, depth first: what is left when it ends without a win is a proof that there is none."""

from collections.abc import Iterator

from service.engine.cards import Colour, rank_of, suit_of
from service.solver.budget import Budget
from service.solver.full_board import CARD, GOVERNMENT, TOP, TURNED, Board, Step, Steps, Table


class Proof:
    """Follows every line from a board. The `shortcut`: a safe promotion is followed alone."""

    def __init__(self, table: Table, board: Board, *, shortcut: bool = True) -> None:
        self._table, self._shortcut = table, shortcut
        self._steps: Steps = ()
        self._board = board
        self._met = {board}
        self._path: list[tuple[Steps, Iterator[tuple[Steps, Board]]]] = []

    def run(self, budget: Budget) -> list[Step] | None:
        """The steps of a win, or None if there is none; raises OutOfBudget, and then goes on where it was."""
        table, met, path = self._table, self._met, self._path
        while not table.is_won(self._board):
            budget.spend()
            path.append((self._steps, _followers(table, self._board, self._shortcut)))
            while (follower := next((there for there in path[-1][1] if there[1] not in met), None)) is None:
                path.pop()
                if not path:
                    return None
            self._steps, self._board = follower
            met.add(self._board)
        return [step for before, _ in path for step in before] + list(self._steps)


def _followers(table: Table, board: Board, shortcut: bool) -> Iterator[tuple[Steps, Board]]:
    """What turns and then one other move make of a board, those of no turns first.

    A turn before a move that it cannot matter to is made after it instead, so no board is lost by leaving that out.
    """
    steps = table.steps(board, table.forced)
    if shortcut and (safe := next((step for step in steps if _is_safe(board, step)), None)):
        yield (safe,), table.after(board, safe)
        return
    turns: Steps = ()
    while True:
        for step in steps:
            yield (*turns, step), table.after(board, step)
        if not (turned := table.turned(board, table.forced)):
            return
        board, turns = turned, (*turns, TURNED)
        steps = table.steps_after_turn(board, table.forced)


def _is_safe(board: Board, step: Step) -> bool:
    """Whether a promotion uncovers a card and can stand in nobody's way, neither a guest's nor its twin's.

    It is then the one move worth trying: take any win, promote the card now, and leave it out of the rest. All that
    could be built on it is founded, so nothing misses it; it was never alone in a pile, so no vacancy comes or goes;
    what lay below it is open earlier; and the lower foundation of its suit is far enough to take its twin whenever
    the win does.
    """
    _, pile, target, _ = step
    if target != GOVERNMENT or not pile >> CARD:
        return False
    card, foundations = pile & TOP, board.foundations
    suit = suit_of(card)
    others = foundations[4:] if suit.colour is Colour.BLACK else foundations[:4]
    return rank_of(min(foundations[2 * suit + 1], *others)) + 1 >= rank_of(card)
