"""What is printed."""

from collections.abc import Mapping

from tests.bench.live.measures import Figures, Idle


def table(title: str, unit: str, figures: Mapping[str, Figures]) -> None:
    """A row for each contender. `µs each` is the server's processor time for one of what is counted."""
    print(f"\n{title}")
    heads = ("p50 ms", "p99 ms", "µs each", "server", "store", "load", "others")
    print(f"{'':18}{unit:>14}" + "".join(f"{head:>9}" for head in heads))
    for name, one in figures.items():
        print(
            f"{name:18}{one.rate:>14,.0f}{one.p50 * 1e3:>9.2f}{one.p99 * 1e3:>9.2f}{one.cost * 1e6:>9.1f}"
            f"{one.server:>9.0%}{one.store:>9.0%}{one.load:>9.0%}{one.others:>9.0%}",
            flush=True,
        )


def idle(sessions: Mapping[str, Idle]) -> None:
    """A line for each contender."""
    print()
    for name, one in sessions.items():
        print(
            f"memory {one.resident / 1024:.1f} KB a live idle session with its connection, {name}: "
            f"{one.opening * 1e6:.0f} µs to open, {one.server * 1e6:.1f} µs/s idle; in Redis {one.stored:.0f} bytes, "
            f"{one.store * 1e6:.1f} µs/s",
            flush=True,
        )


def note(text: str) -> None:
    print(f"\n{text}", flush=True)


def ratios(all_of_them: Mapping[str, float]) -> None:
    print()
    for name, ratio in all_of_them.items():
        print(f"ratio {name} {ratio:.2f}")
