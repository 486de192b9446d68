"""A line on the terminal that tells how far a run is; nothing where nobody looks at one."""

import sys
import time
from collections import Counter
from collections.abc import Iterable, Iterator
from typing import Final

from service.study.trials import Trial

_WIDTH: Final = 24
_CLEARED: Final = "\r\x1b[K"


def shown(trials: Iterable[Trial], rules: str, total: int) -> Iterator[Trial]:
    """The trials as they come, each counted on the line."""
    if not sys.stderr.isatty():
        yield from trials
        return
    results: Counter[str] = Counter()
    begun = time.monotonic()
    print(_line(rules, results, total, 0), end="", file=sys.stderr, flush=True)
    for trial in trials:
        results[trial.result] += 1
        line = _line(rules, results, total, time.monotonic() - begun)
        print(_CLEARED, line, sep="", end="", file=sys.stderr, flush=True)
        yield trial
    print(file=sys.stderr)


def _line(rules: str, results: Counter[str], total: int, seconds: float) -> str:
    done = results.total()
    bar = "#" * (_WIDTH * done // max(1, total))
    counts = "".join(f", {count} {result}" for result, count in results.most_common())
    left = f", {seconds / done * (total - done) / 60:.0f} min left" if done else ""
    return f"{rules} [{bar:.<{_WIDTH}}] {done}/{total}{counts}{left}"
