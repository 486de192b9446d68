"""The table of a study, a file that outlives the process: a row is written whole as soon as its deal was tried.

What an unbroken run leaves is what one leaves that was killed and started again: the rows, in the order of the deals.
"""

import os
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final

from service.solver.certify import Difficulty
from service.solver.results import RESULTS
from service.study.trials import Trial

_HEAD: Final = "deal,rules,result,nodes,moves,tempo,grade,line"
"""No cell has a comma, so none needs quotes."""
_Add = Callable[[Trial], None]


def read(path: Path) -> dict[int, Trial]:
    """The trials by deal, none where there is no table; the later of two counts, a line that was cut off does not.

    Raises ValueError where the file is not such a table.
    """
    text = path.read_text("ascii", "replace") if path.exists() else ""
    lines = text[: text.rfind("\n") + 1].splitlines()
    if lines and lines[0] != _HEAD:
        raise ValueError(f"{path}: line 1 is not the head of a study's table")
    trials: dict[int, Trial] = {}
    for number, line in enumerate(lines[1:], start=2):
        try:
            trial = _parsed(line)
        except ValueError as error:
            raise ValueError(f"{path}: line {number} is not a row of a study's table") from error
        trials[trial.deal] = trial
    return trials


def write(path: Path, trials: Iterable[Trial]) -> None:
    """Makes the table, in the order of the deals; the old one stands until the new one is whole."""
    new = path.with_suffix(".new")
    with new.open("w", encoding="ascii", newline="") as file:
        file.write(f"{_HEAD}\n")
        file.writelines(_row(trial) for trial in sorted(trials))
        file.flush()
        os.fsync(file.fileno())
    new.replace(path)


@contextmanager
def adding(path: Path) -> Iterator[_Add]:
    """What adds a trial to the table."""
    with path.open("a", encoding="ascii", newline="") as file:

        def add(trial: Trial) -> None:
            file.write(_row(trial))
            file.flush()

        yield add


def _row(trial: Trial) -> str:
    deal, rules, result, nodes, tempo, grade, line = trial
    measures = (len(line), tempo, grade or "") if line else ("", "", "")
    return ",".join(map(str, (deal, rules, result, nodes, *measures, " ".join(line)))) + "\n"


def _parsed(row: str) -> Trial:
    deal, rules, result, nodes, _, tempo, grade, line = row.split(",")
    if result not in RESULTS.values():
        raise ValueError(result)
    known = int(tempo) if tempo else None, Difficulty(grade) if grade else None
    return Trial(int(deal), rules, result, int(nodes), *known, tuple(line.split()))
