"""How fast the engine is, beside python-chess: `python -m tests.bench.engine`.

Both count the lines of some depth from their openings and play every move of every line. They take turns in one
process, so that a busy machine slows both. The last line is the ratio of our lines a second, over all presets, to
theirs.
"""

from statistics import median
from time import perf_counter
from typing import NamedTuple

import chess

from service.engine import PRESETS, Pysol, apply, legal_moves, perft
from service.engine.deal import start
from tests.engine.games import WINS, Win

ROUNDS = 5
DEPTHS = {"modern": 6, "cadogan": 5, "cadogan-1914": 5, "pysol": 4}
CHESS = "python-chess"
CHESS_DEPTH = 4


class Count(NamedTuple):
    lines: int
    seconds: float


def counts() -> dict[str, Count]:
    """One round: the lines of every preset, and of chess."""
    return {preset: our_count(preset, depth) for preset, depth in DEPTHS.items()} | {CHESS: chess_count(CHESS_DEPTH)}


def our_count(preset: str, depth: int) -> Count:
    rules = PRESETS[preset]
    position = start(Pysol(1), rules)
    begun = perf_counter()
    return Count(perft(position, rules, depth), perf_counter() - begun)


def chess_count(depth: int) -> Count:
    board = chess.Board()
    begun = perf_counter()
    return Count(chess_perft(board, depth), perf_counter() - begun)


def chess_perft(board: chess.Board, depth: int) -> int:
    lines = 0
    for move in board.legal_moves:
        board.push(move)
        lines += chess_perft(board, depth - 1) if depth > 1 else 1
        board.pop()
    return lines


def move_seconds(win: Win) -> list[float]:
    """How long a move and the list of those that may follow take, for each move of the middle third of a game."""
    steps, seconds = win.play.steps, []
    for position, move, _ in steps[len(steps) // 3 : len(steps) * 2 // 3]:
        begun = perf_counter()
        legal_moves(apply(position, move, win.rules), win.rules)
        seconds.append(perf_counter() - begun)
    return seconds


def move_microseconds(wins: list[Win]) -> float:
    return median(second for _ in range(ROUNDS) for win in wins for second in move_seconds(win)) * 1e6


def main() -> None:
    rounds = [counts() for _ in range(ROUNDS)]
    lines = {name: count.lines for name, count in rounds[0].items()}
    seconds = {name: median(round_[name].seconds for round_ in rounds) for name in lines}
    print(f"{'':14}{'lines':>10}{'lines/s':>12}")
    for name, counted in lines.items():
        print(f"{name:14}{counted:>10,}{counted / seconds[name]:>12,.0f}")
    print("\na move and the moves that may follow, median in mid-game")
    print(f"{'modern':14}{move_microseconds([win for win in WINS if win.preset == 'modern']):>10.1f} µs")
    print(f"{'all presets':14}{move_microseconds(list(WINS)):>10.1f} µs\n")
    ours = sum(lines[preset] for preset in DEPTHS) / sum(seconds[preset] for preset in DEPTHS)
    print(f"ratio {ours / (lines[CHESS] / seconds[CHESS]):.2f}")


if __name__ == "__main__":
    main()
