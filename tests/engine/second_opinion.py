"""The rules a second time, on lists of strings: plain, slow, and sharing nothing with the engine.

A card is its two characters, a place and a move their names, a board four rows of eight piles.
"""

from dataclasses import dataclass
from itertools import product

from service.engine import Rules

RANKS = "A23456789TJ"
COLUMNS = "abcdefgh"
BLACK = "CS"


@dataclass
class Board:
    """rows[0] is the Privy Council; a pile is bottom first; foundations are the ranks of C C S S H H D D, from 1."""

    rows: list[list[list[str]]]
    foundations: list[int]
    stock: list[str]
    waste: list[str]

    def pile(self, place: str) -> list[str]:
        return self.rows[int(place[1]) - 1][COLUMNS.index(place[0])]


def read(text: str) -> Board:
    """The board of a position's one line."""
    tableau, foundations, stock, waste = text.split(" ")
    rows = [[cards(pile) for pile in row.split(",")] for row in tableau.split("/")]
    return Board(rows, [RANKS.index(rank) + 1 for rank in foundations], cards(stock), cards(waste))


def write(board: Board) -> str:
    tableau = "/".join(",".join("".join(pile) or "-" for pile in row) for row in board.rows)
    foundations = "".join(RANKS[rank - 1] for rank in board.foundations)
    return f"{tableau} {foundations} {''.join(board.stock) or '-'} {''.join(board.waste) or '-'}"


def cards(text: str) -> list[str]:
    return [] if text == "-" else [text[at : at + 2] for at in range(0, len(text), 2)]


def builds(card: str, base: str) -> bool:
    one_lower = RANKS.index(card[0]) + 1 == RANKS.index(base[0])
    return one_lower and (card[1] in BLACK) != (base[1] in BLACK)


def places(row: int) -> list[str]:
    return [f"{column}{row}" for column in COLUMNS]


def full_places(board: Board, row: int) -> list[str]:
    return [place for place in places(row) if board.pile(place)]


def is_won(board: Board) -> bool:
    return board.foundations == [len(RANKS)] * 8


def vacancies(board: Board) -> list[str]:
    """The empty places of rows 1 to 3 whose next row has a card."""
    return [
        place
        for row in (1, 2, 3)
        if any(map(board.pile, places(row + 1)))
        for place in places(row)
        if not board.pile(place)
    ]


def foundation_for(board: Board, card: str) -> int | None:
    """Which of the eight foundations takes the card."""
    suit = "CSHD".index(card[1])
    fitting = [at for at in (2 * suit, 2 * suit + 1) if board.foundations[at] == RANKS.index(card[0])]
    return fitting[0] if fitting else None


def legal(board: Board, rules: Rules) -> list[str]:
    if is_won(board):
        return []
    if rules.fill == "forced" and (open_places := vacancies(board)):
        vacancy = open_places[0]
        return [source + vacancy for source in full_places(board, int(vacancy[1]) + 1)]
    moves = promotions(board) + upward_builds(board, rules)
    if rules.lateral:
        moves += builds_between(board, 1, 1)
    if rules.fill == "free":
        moves += [source + target for target in vacancies(board) for source in full_places(board, int(target[1]) + 1)]
    if rules.waste and board.stock:
        moves.append("S")
    if rules.waste and rules.people and board.waste:
        moves += [f"W{place}" for place in full_places(board, 4) if builds(board.waste[-1], board.pile(place)[-1])]
    return moves


def promotions(board: Board) -> list[str]:
    return [f"{place}G" for place in full_places(board, 1) if foundation_for(board, board.pile(place)[-1]) is not None]


def upward_builds(board: Board, rules: Rules) -> list[str]:
    rows = (1, 2, 3) if rules.deep else (1,)
    return [move for row in rows for move in builds_between(board, row + 1, row)]


def builds_between(board: Board, from_row: int, to_row: int) -> list[str]:
    return [
        source + target
        for source, target in product(full_places(board, from_row), full_places(board, to_row))
        if builds(board.pile(source)[-1], board.pile(target)[-1])
    ]


def play(board: Board, move: str, rules: Rules) -> Board:
    """The board after a legal move."""
    board = copied(board)
    if move == "S":
        board.waste.append(board.stock.pop(0))
    else:
        card = (board.waste if move[0] == "W" else board.pile(move[:2])).pop()
        target = move.removeprefix("W")[-2:]
        if move.endswith("G"):
            where = foundation_for(board, card)
            assert where is not None
            board.foundations[where] += 1
        else:
            board.pile(target).append(card)
    for place in places(4):
        if not board.pile(place) and board.waste:
            board.pile(place).append(board.waste.pop())
        elif not board.pile(place) and board.stock:
            board.pile(place).append(board.stock.pop(0))
    if rules.fill == "free" and board.stock and not board.waste:
        board.waste.append(board.stock.pop(0))
    return board


def copied(board: Board) -> Board:
    rows = [[pile.copy() for pile in row] for row in board.rows]
    return Board(rows, board.foundations.copy(), board.stock.copy(), board.waste.copy())


def status(board: Board, rules: Rules) -> str:
    if is_won(board):
        return "won"
    reached = [board]
    for here in reached:
        for move in legal(here, rules):
            lateral = move[1:2] == "1" and move[3:4] == "1"
            if not lateral or len(here.pile(move[:2])) == 1:
                return "playing"
            there = play(here, move, rules)
            if there not in reached:
                reached.append(there)
    return "stuck"


def perft(board: Board, rules: Rules, depth: int) -> int:
    if depth == 0:
        return 1
    return sum(perft(play(board, move, rules), rules, depth - 1) for move in legal(board, rules))
