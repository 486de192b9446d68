"""The intervals, against figures that others have published."""

from math import comb

import pytest

from service.study.intervals import Interval, clopper_pearson, wilson

NEWCOMBE = {
    (81, 263): (Interval(0.2553, 0.3662), Interval(0.2527, 0.3676)),
    (15, 148): (Interval(0.0624, 0.1605), Interval(0.0578, 0.1617)),
    (0, 20): (Interval(0.0000, 0.1611), Interval(0.0000, 0.1684)),
    (1, 29): (Interval(0.0061, 0.1718), Interval(0.0009, 0.1776)),
}
"""Table I of the paper, which gives four digits: Wilson's interval, and Clopper and Pearson's."""


@pytest.mark.parametrize("sample", NEWCOMBE)
def test_the_intervals_are_those_of_the_paper(sample: tuple[int, int]) -> None:
    by_wilson, exact = NEWCOMBE[sample]

    assert wilson(*sample) == pytest.approx(by_wilson, abs=0.00005)
    assert clopper_pearson(*sample) == pytest.approx(exact, abs=0.00005)


@pytest.mark.parametrize("sample", NEWCOMBE)
def test_lost_and_won_are_each_other_s_mirror(sample: tuple[int, int]) -> None:
    hits, trials = sample
    for interval in (wilson, clopper_pearson):
        low, high = interval(hits, trials)
        assert interval(trials - hits, trials) == pytest.approx(Interval(1 - high, 1 - low), abs=1e-12)


@pytest.mark.parametrize(("hits", "trials"), [(1, 10), (9, 10), (20, 50)])
def test_the_ends_of_the_exact_interval_make_the_sample_as_rare_as_one_in_forty(hits: int, trials: int) -> None:
    def chance_of(counts: range, share: float) -> float:
        return sum(comb(trials, count) * share**count * (1 - share) ** (trials - count) for count in counts)

    low, high = clopper_pearson(hits, trials)

    assert chance_of(range(hits, trials + 1), low) == pytest.approx(0.025)
    assert chance_of(range(hits + 1), high) == pytest.approx(0.025)


def test_more_trials_make_them_narrower() -> None:
    for interval in (wilson, clopper_pearson):
        narrow, wide = interval(1_998, 2_000), interval(999, 1_000)
        assert narrow.high - narrow.low < wide.high - wide.low
