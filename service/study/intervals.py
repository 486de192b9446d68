"""What a sample says about the share that it is a sample of, with 95 % confidence.

Both intervals are in R. G. Newcombe, "Two-sided confidence intervals for the single proportion: comparison of seven
methods", Statistics in Medicine 17 (1998), 857-872, as methods 3 and 5.
"""

from collections.abc import Callable
from math import exp, lgamma, log, sqrt
from typing import Final, NamedTuple

_Z: Final = 1.959963984540054
"""A normal deviate is within so much of the mean in 95 of 100 cases."""
_TAIL: Final = 0.025
_HALVINGS: Final = 60


class Interval(NamedTuple):
    low: float
    high: float


def wilson(hits: int, trials: int) -> Interval:
    """Wilson's score interval: (2np + z² ± z√(z² + 4npq)) / 2(n + z²), right about 95 times in 100."""
    spread = _Z * sqrt(_Z * _Z + 4 * hits * (trials - hits) / trials)
    middle, scale = 2 * hits + _Z * _Z, 2 * (trials + _Z * _Z)
    low = (middle - spread) / scale if hits else 0.0
    return Interval(low, (middle + spread) / scale if hits < trials else 1.0)


def clopper_pearson(hits: int, trials: int) -> Interval:
    """Clopper and Pearson's exact interval: the shares that make so many hits, or so few, no rarer than 1 in 40."""
    low = _share(lambda share: _at_most(trials - hits, trials, 1 - share) < _TAIL) if hits else 0.0
    high = _share(lambda share: _at_most(hits, trials, share) > _TAIL) if hits < trials else 1.0
    return Interval(low, high)


def _share(is_below: Callable[[float], bool]) -> float:
    """The share up to which the judgement is true."""
    low, high = 0.0, 1.0
    for _ in range(_HALVINGS):
        middle = (low + high) / 2
        low, high = (middle, high) if is_below(middle) else (low, middle)
    return low


def _at_most(hits: int, trials: int, share: float) -> float:
    """How likely at most so many hits are: the binomial distribution."""
    ways = lgamma(trials + 1)
    return sum(
        exp(ways - lgamma(n + 1) - lgamma(trials - n + 1) + n * log(share) + (trials - n) * log(1 - share))
        for n in range(hits + 1)
    )
