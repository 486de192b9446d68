"""What is printed."""

from collections.abc import Mapping

from tests.bench.live.measures import Figures


def table(title: str, unit: str, figures: Mapping[str, Figures]) -> None:
    """A row for each contender. `µs each` is the server's processor time for one of what is counted."""
    print(f"\n{title}")
    heads = ("p50 ms", "p99 ms", "µs each", "server", "redis", "load", "others")
    print(f"{'':18}{unit:>14}" + "".join(f"{head:>9}" for head in heads))
    for name, one in figures.items():
        print(
            f"{name:18}{one.rate:>14,.0f}{one.p50 * 1e3:>9.2f}{one.p99 * 1e3:>9.2f}{one.server / one.rate * 1e6:>9.1f}"
            f"{one.server:>9.0%}{one.redis:>9.0%}{one.load:>9.0%}{one.others:>9.0%}",
            flush=True,
        )


def note(text: str) -> None:
    print(f"\n{text}", flush=True)


def ratios(all_of_them: Mapping[str, float]) -> None:
    print()
    for name, ratio in all_of_them.items():
        print(f"ratio {name} {ratio:.2f}")
