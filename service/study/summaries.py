"""The sum of a study: how many deals can be won, how surely, and what it took to find out."""

import json
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any, Final

from service.engine.game import ENGINE_VERSION
from service.engine.rules import PRESETS
from service.solver.certify import Difficulty
from service.solver.results import RESULTS
from service.study import tables
from service.study.intervals import Interval, clopper_pearson, wilson
from service.study.plots import Curve, plot
from service.study.trials import Trial

_MEASURES: Final = ("nodes", "moves", "tempo", "par")
_NODES: Final = (200, 500, 1_000, 2_000, 5_000, 10_000, 100_000, 1_000_000)
_QUANTILES: Final = {"p50": 0.5, "p95": 0.95, "p99": 0.99, "most": 1.0}


def write(folder: Path) -> str:
    """Writes summary.json, summary.md and nodes.svg about all tables of a folder; answers with the second's text."""
    found = {rules: list(tables.read(folder / f"{rules}.csv").values()) for rules in PRESETS}
    studies = {rules: trials for rules, trials in found.items() if trials}
    sums = {rules: summed(trials) for rules, trials in studies.items()}
    text = _text(sums)
    (folder / "summary.json").write_text(json.dumps(sums, indent=2) + "\n", "utf-8")
    (folder / "summary.md").write_text(text, "utf-8")
    (folder / "nodes.svg").write_text(plot({rules: _curve(trials) for rules, trials in studies.items()}), "utf-8")
    return text


def summed(trials: Sequence[Trial]) -> dict[str, Any]:
    """What the trials of one preset come to.

    The intervals reckon what is not known both ways: as lost for their lower ends and as won for their upper ends.
    """
    by_result = {result: sorted(t.deal for t in trials if t.result == result) for result in RESULTS.values()}
    won = [trial for trial in trials if trial.result == "won"]
    plain, graded = [t for t in won if t.grade is None], [t for t in won if t.grade is not None]
    surely, maybe, deals = len(won), len(won) + len(by_result["gave_up"]), len(trials)
    return {
        "engine": ENGINE_VERSION,
        "deals": deals,
        **{result: len(numbers) for result, numbers in by_result.items()},
        "wilson": Interval(wilson(surely, deals).low, wilson(maybe, deals).high),
        "clopper_pearson": Interval(clopper_pearson(surely, deals).low, clopper_pearson(maybe, deals).high),
        "won_within": {nodes: sum(trial.nodes <= nodes for trial in won) for nodes in _NODES},
        "nodes": _quantiles([trial.nodes for trial in trials]),
        "moves": _quantiles([len(trial.line) for trial in plain]),
        "tempo": _quantiles([trial.tempo or 0 for trial in plain]),
        "par": _quantiles([trial.tempo or 0 for trial in graded]),
        "grades": {grade: count for grade in Difficulty if (count := sum(t.grade is grade for t in graded))},
        "unwinnable_deals": by_result["unwinnable"],
        "gave_up_deals": by_result["gave_up"],
    }


def _quantiles(values: Sequence[int]) -> dict[str, float]:
    """The mean, and values that so great a part of all do not exceed."""
    if not values:
        return {}
    ordered, count = sorted(values), len(values)
    at = {name: ordered[max(0, -int(-share * count // 1) - 1)] for name, share in _QUANTILES.items()}
    return {"mean": round(sum(values) / count, 1), **at}


def _curve(trials: Sequence[Trial]) -> Curve:
    return Curve(sorted(trial.nodes for trial in trials if trial.result == "won"), len(trials))


def _text(sums: Mapping[str, dict[str, Any]]) -> str:
    """The sums as tables and lists of Markdown."""
    answers, within, measures, grades, lists = [], [], [], [], []
    for rules, found in sums.items():
        intervals = [_range(found[name]) for name in ("wilson", "clopper_pearson")]
        answers.append([rules, found["deals"], *(found[result] for result in RESULTS.values()), *intervals])
        within.append([rules, *(f"{100 * count / found['deals']:.2f} %" for count in found["won_within"].values())])
        measures += [[rules, name, *found[name].values()] for name in _MEASURES if found[name]]
        if found["grades"]:
            grades.append([rules, *(found["grades"].get(grade, 0) for grade in Difficulty)])
        lists += [_listed(f"{rules}, {result}", found[f"{result}_deals"]) for result in ("unwinnable", "gave_up")]
    return "\n".join(
        [
            _table(["rules", "deals", *RESULTS.values(), "winnable (Wilson)", "winnable (Clopper-Pearson)"], answers),
            _table(["won within nodes", *(f"{nodes:,}" for nodes in _NODES)], within),
            _table(["rules", "of a deal", "mean", *_QUANTILES], measures),
            *([_table(["rules", *Difficulty], grades)] if grades else []),
            "".join(lists),
        ]
    )


def _table(head: Sequence[str], rows: Iterable[Sequence[object]]) -> str:
    lines = [
        head,
        ["---"] * len(head),
        *([f"{cell:,}" if isinstance(cell, int) else str(cell) for cell in row] for row in rows),
    ]
    return "".join(f"| {' | '.join(line)} |\n" for line in lines)


def _listed(name: str, deals: Sequence[int]) -> str:
    return f"{name}: {' '.join(map(str, deals)) or 'none'}\n"


def _range(interval: Interval) -> str:
    return f"{100 * interval.low:.3f} to {100 * interval.high:.3f} %"
