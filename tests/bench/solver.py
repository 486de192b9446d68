"""How fast and how sure the solver is: `python -m tests.bench.solver`.

It solves deals by number, and positions of games as three players leave them: one who follows a line that the solver
found, one who promotes whenever that is possible, and one who plays anything. Times are of the processor, with their
spread over the deals; a node is a state expanded. The rounds take turns with the engine's count of all lines of
DEPTH moves from the same openings, the floor of the ratios that come last: how long a deal takes beside that count, and
how many of its lines are counted in the time of a node. Lower is better for both.
"""

from collections.abc import Callable, Iterator
from random import Random
from statistics import mean, median
from time import process_time
from typing import NamedTuple

from service.engine import PRESETS, Move, Numbered, Position, Status, apply, legal_moves, perft, status
from service.engine.deal import start
from service.engine.piles import GOVERNMENT
from service.solver.results import Answer, GaveUp, Unwinnable, Won
from service.solver.solve import solve
from service.solver.verify import wins

MODERN = PRESETS["modern"]
ROUNDS = 5
DEALS = {"modern": (100, 5_000), "cadogan": (20, 10_000), "cadogan-1914": (20, 10_000), "pysol": (20, 10_000)}
"""For each preset the deals of a round and the nodes that each may have."""
GAMES = 50
"""Games of each player, with POSITIONS of each that may have POSITION_NODES."""
POSITIONS = 4
POSITION_NODES = 2_000
DEPTH = 5
COUNTED = 10
"""Openings in a round from which lines are counted."""
Player = Callable[[Position, list[Move], Random], Move]


class Solved(NamedTuple):
    answer: Answer
    seconds: float


class Count(NamedTuple):
    lines: int
    seconds: float


def solved(position: Position, preset: str, nodes: int) -> Solved:
    """The answer, once it was seen to be right, and how long it took."""
    begun = process_time()
    answer = solve(position, PRESETS[preset], nodes)
    seconds = process_time() - begun
    assert not isinstance(answer, Won) or wins(position, PRESETS[preset], answer.line)
    return Solved(answer, seconds)


def deals(preset: str, round_: int) -> list[Solved]:
    many, nodes = DEALS[preset]
    numbers = range(round_ * many + 1, (round_ + 1) * many + 1)
    return [solved(start(Numbered(number), PRESETS[preset]), preset, nodes) for number in numbers]


def counted(round_: int) -> Count:
    """All lines of DEPTH moves from the first openings of a round."""
    first = round_ * DEALS["modern"][0] + 1
    openings = [start(Numbered(number), MODERN) for number in range(first, first + COUNTED)]
    begun = process_time()
    lines = sum(perft(opening, MODERN, DEPTH) for opening in openings)
    return Count(lines, process_time() - begun)


def eager(_: Position, legal: list[Move], chance: Random) -> Move:
    return next((move for move in legal if move.target == GOVERNMENT), chance.choice(legal))


def careless(_: Position, legal: list[Move], chance: Random) -> Move:
    return chance.choice(legal)


def game(number: int, player: Player, chance: Random) -> Iterator[Position]:
    """The positions of a game that a player plays until it is over, or that long."""
    position = start(Numbered(number), MODERN)
    for _ in range(300):
        if status(position, MODERN) is not Status.PLAYING:
            return
        position = apply(position, player(position, legal_moves(position, MODERN), chance), MODERN)
        yield position


def careful_game(number: int) -> Iterator[Position]:
    """The positions of a game along a line that the solver found."""
    position = start(Numbered(number), MODERN)
    answer = solve(position, MODERN, POSITION_NODES)
    for move in answer.line if isinstance(answer, Won) else ():
        position = apply(position, move, MODERN)
        yield position


def positions() -> dict[str, list[Solved]]:
    """Positions of modern games, by who played them."""
    chance = Random(1)
    games = {
        "careful": [list(careful_game(number)) for number in range(1, GAMES + 1)],
        "eager": [list(game(number, eager, chance)) for number in range(1, GAMES + 1)],
        "careless": [list(game(number, careless, chance)) for number in range(1, GAMES + 1)],
    }
    return {
        player: [
            solved(position, "modern", POSITION_NODES)
            for met in played
            for position in chance.sample(met, min(POSITIONS, len(met)))
        ]
        for player, played in games.items()
    }


def show(name: str, answers: list[Solved]) -> None:
    """One line: what the answers are, and the nodes and milliseconds they took."""
    kinds = [sum(isinstance(one.answer, kind) for one in answers) for kind in (Won, Unwinnable, GaveUp)]
    nodes = sorted(one.answer.nodes for one in answers)
    took = sorted(one.seconds * 1000 for one in answers)
    print(
        f"{name:14}{kinds[0]:>6}{kinds[1]:>6}{kinds[2]:>6}{share(nodes, 0.5):>8,.0f}{share(nodes, 0.95):>8,.0f}"
        f"{mean(took):>9.1f}{share(took, 0.5):>8.1f}{share(took, 0.95):>8.1f}{share(took, 0.99):>9.1f}{took[-1]:>9.1f}"
    )


def share(ascending: list[float] | list[int], part: float) -> float:
    """The number below which this part of them lies."""
    return ascending[min(len(ascending) - 1, int(part * len(ascending)))]


def main() -> None:
    rounds = [(deals("modern", round_), counted(round_)) for round_ in range(ROUNDS)]
    print(f"{'':32}{'nodes':>8}{'':>8}{'ms':>9}\n{'':14}{'won':>6}{'lost':>6}{'?':>6}", end="")
    print(f"{'p50':>8}{'p95':>8}{'mean':>9}{'p50':>8}{'p95':>8}{'p99':>9}{'most':>9}")
    print(f"deals, at most {DEALS['modern'][1]:,} nodes, or {DEALS['cadogan'][1]:,} if not modern")
    show("modern", [one for answers, _ in rounds for one in answers])
    for preset in list(DEALS)[1:]:
        show(preset, [one for round_ in range(ROUNDS) for one in deals(preset, round_)])
    print(f"positions of modern games, at most {POSITION_NODES:,} nodes")
    for player, answers in positions().items():
        show(player, answers)
    whole = [solved(position, "modern", POSITION_NODES) for position in (start(Numbered(1), MODERN), *careful_game(1))]
    print(f"\nevery position of a game of {len(whole) - 1} moves: {sum(one.seconds for one in whole):.1f} s")

    means = [mean(one.seconds for one in answers) for answers, _ in rounds]
    print(f"mean of a modern deal: {min(means) * 1000:.1f} to {max(means) * 1000:.1f} ms in {ROUNDS} rounds\n")
    floors = [count.seconds / COUNTED for _, count in rounds]
    nodes = [mean(one.seconds for one in answers) / mean(one.answer.nodes for one in answers) for answers, _ in rounds]
    lines = [count.seconds / count.lines for _, count in rounds]
    print(f"ratio deal {median(ours / floor for ours, floor in zip(means, floors, strict=True)):.2f}")
    print(f"ratio node {median(ours / floor for ours, floor in zip(nodes, lines, strict=True)):.2f}")


if __name__ == "__main__":
    main()
