"""What a process counts with."""

from service.telemetry.meters import Meters, Spread


def test_a_value_counts_up_to_the_first_bound_that_it_does_not_exceed() -> None:
    spread = Spread((1, 2, 5))
    for value in (0.5, 1, 1.5, 2, 5, 5.5, 100):
        spread.add(value)

    assert spread.counts == [2, 2, 1, 2]
    assert spread.total == 115.5


def test_many_of_one_value_are_counted_at_once() -> None:
    one_by_one, at_once = Spread((1, 2)), Spread((1, 2))
    for _ in range(16):
        one_by_one.add(1.5)
    at_once.add(1.5, 16)

    assert (at_once.counts, at_once.total) == (one_by_one.counts, one_by_one.total)


def test_two_applications_count_apart() -> None:
    one, other = Meters(), Meters()
    one.commits.seconds.add(0.1)
    one.commands["ack"][int] += 1
    one.refused["rate_limited"] += 1
    one.request_seconds["GET", "/livez"].add(0.1)

    assert not other.refused
    assert sum(other.commits.seconds.counts) == 0
    assert not other.commands
    assert not other.request_seconds
