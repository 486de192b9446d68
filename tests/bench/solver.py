"""How fast and how sure the solver is: `python -m tests.bench.solver`.

It solves and certifies deals by number, and solves positions of games as three players leave them: one who follows a
line that the solver found, one who promotes whenever that is possible, and one who plays anything. Then it finds where
each of these games was lost, by a bisection of its positions. Times are of the processor, with their spread; a node is
a state expanded. The rounds take turns with the engine's count of all lines of
DEPTH moves from the same openings, the floor of the ratios that come last: how long a deal takes beside that count, and
how many of its lines are counted in the time of a node. Lower is better for both.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from random import Random
from statistics import mean, median
from time import process_time
from typing import NamedTuple

from service.engine import PRESETS, Move, Numbered, Position, Status, apply, legal_moves, perft, status
from service.engine.deal import start
from service.engine.piles import GOVERNMENT
from service.solver.certify import certify
from service.solver.results import Answer, GaveUp, Unwinnable, Won
from service.solver.solve import solve
from service.solver.turning import turning
from service.solver.verify import wins

MODERN = PRESETS["modern"]
ROUNDS = 5
DEALS = {"modern": (100, 5_000), "cadogan": (60, 100_000), "cadogan-1914": (40, 100_000), "pysol": (40, 100_000)}
"""For each preset the deals of a round and the nodes that each may have."""
CERTIFIED = 20
WITHIN = (2_000, 10_000)
"""The nodes for which it is told how many of the answers took no more."""
GAMES = 50
"""Games of each player, with POSITIONS of each that may have POSITION_NODES; those for an analysis have more."""
POSITIONS = 4
POSITION_NODES, ANALYSIS_NODES = 2_000, 20_000
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


def games() -> dict[str, list[list[Position]]]:
    """The positions of modern games, by who played them."""
    chance, numbers = Random(1), range(1, GAMES + 1)
    return {
        "careful": [list(careful_game(number)) for number in numbers],
        "eager": [list(game(number, eager, chance)) for number in numbers],
        "careless": [list(game(number, careless, chance)) for number in numbers],
    }


def sampled(played: list[list[Position]]) -> list[Solved]:
    """The answers to some positions of each game."""
    chance = Random(2)
    chosen = [chance.sample(met, min(POSITIONS, len(met))) for met in played]
    return [solved(position, "modern", POSITION_NODES) for met in chosen for position in met]


def analysed(met: Sequence[Position]) -> list[Solved]:
    """The answers that it takes to tell where a game was lost."""
    asking, answers = turning(len(met)), []
    try:
        number = next(asking)
        while True:
            answers.append(solved(met[number], "modern", ANALYSIS_NODES))
            answer = answers[-1].answer
            number = asking.send(None if isinstance(answer, GaveUp) else isinstance(answer, Won))
    except StopIteration:
        return answers


def certified(preset: str) -> list[float]:
    """How many milliseconds certificates of deals take, in ascending order."""
    took = []
    for number in range(1, CERTIFIED + 1):
        deal, begun = start(Numbered(number), PRESETS[preset]), process_time()
        certify(deal, PRESETS[preset], DEALS[preset][1])
        took.append((process_time() - begun) * 1000)
    return sorted(took)


def show(name: str, answers: list[Solved]) -> None:
    """One line: what the answers are, and the nodes and milliseconds they took."""
    kinds = [sum(isinstance(one.answer, kind) for one in answers) for kind in (Won, Unwinnable, GaveUp)]
    within = [
        mean(not isinstance(one.answer, GaveUp) and one.answer.nodes <= nodes for one in answers) for nodes in WITHIN
    ]
    nodes = sorted(one.answer.nodes for one in answers)
    print(
        f"{name:14}{kinds[0]:>6}{kinds[1]:>6}{kinds[2]:>6}{within[0]:>9.1%}{within[1]:>9.1%}"
        f"{share(nodes, 0.5):>8,.0f}{share(nodes, 0.95):>8,.0f}{spread(one.seconds * 1000 for one in answers)}"
    )


def spread(milliseconds: Iterable[float]) -> str:
    took = sorted(milliseconds)
    return (
        f"{mean(took):>9.1f}{share(took, 0.5):>9.1f}{share(took, 0.95):>9.1f}{share(took, 0.99):>9.1f}{took[-1]:>9.1f}"
    )


def share(ascending: list[float] | list[int], part: float) -> float:
    """The number below which this part of them lies."""
    return ascending[min(len(ascending) - 1, int(part * len(ascending)))]


def main() -> None:
    rounds = [(deals("modern", round_), counted(round_)) for round_ in range(ROUNDS)]
    print(f"{'':50}{'nodes':>8}{'':8}{'ms':>9}\n{'':14}{'won':>6}{'lost':>6}{'?':>6}", end="")
    print(f"{'<= 2,000':>9}{'10,000':>9}{'p50':>8}{'p95':>8}{'mean':>9}{'p50':>9}{'p95':>9}{'p99':>9}{'most':>9}")
    print(f"deals, at most {DEALS['modern'][1]:,} nodes, or {DEALS['cadogan'][1]:,} if not modern")
    show("modern", [one for answers, _ in rounds for one in answers])
    for preset in list(DEALS)[1:]:
        show(preset, [one for round_ in range(ROUNDS) for one in deals(preset, round_)])
    print(f"positions of modern games, at most {POSITION_NODES:,} nodes")
    played = games()
    for player, met in played.items():
        show(player, sampled(met))
    print(f"where a modern game was lost, at most {ANALYSIS_NODES:,} nodes a position")
    for player, met in played.items():
        analyses = [analysed(positions) for positions in met]
        lengths, searches = max(map(len, met)), max(map(len, analyses))
        told = f"{player:14}up to {lengths} positions, {searches} searches"
        print(f"{told:66}{spread(sum(one.seconds for one in answers) * 1000 for answers in analyses)}")
    print(f"certificates of {CERTIFIED} deals")
    for preset in DEALS:
        print(f"{preset:66}{spread(certified(preset))}")

    means = [mean(one.seconds for one in answers) for answers, _ in rounds]
    print(f"\nmean of a modern deal: {min(means) * 1000:.1f} to {max(means) * 1000:.1f} ms in {ROUNDS} rounds")
    floors = [count.seconds / COUNTED for _, count in rounds]
    nodes = [mean(one.seconds for one in answers) / mean(one.answer.nodes for one in answers) for answers, _ in rounds]
    lines = [count.seconds / count.lines for _, count in rounds]
    print(f"ratio deal {median(ours / floor for ours, floor in zip(means, floors, strict=True)):.2f}")
    print(f"ratio node {median(ours / floor for ours, floor in zip(nodes, lines, strict=True)):.2f}")


if __name__ == "__main__":
    main()
