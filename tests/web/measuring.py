"""What a service counts, read from its `/metrics`."""

from collections import Counter
from typing import TypeAlias

import httpx
from prometheus_client.parser import text_string_to_metric_families

from tests.web.running import PATIENCE, until

Numbers: TypeAlias = Counter[str]
"""Values by name, and labels in the order of their names: `commands_total kind=play outcome=ack`."""
PREFIX = "constitution_"


def asked(url: str, **headers: str) -> httpx.Response:
    """The answer to a scrape, as a program on this machine asks for it."""
    return httpx.get(f"{url}/metrics", headers=headers, timeout=PATIENCE)


def numbers(url: str) -> Numbers:
    """All that is told now, without the prefix."""
    answer = asked(url)
    assert answer.status_code == 200, answer.text
    told = Numbers()
    for family in text_string_to_metric_families(answer.text):
        for sample in family.samples:
            labels = " ".join(f"{name}={value}" for name, value in sorted(sample.labels.items()))
            told[f"{sample.name.removeprefix(PREFIX)} {labels}".strip()] = sample.value  # type: ignore[assignment]
    return told


class Meter:
    """What has come on top of what a service had counted at first."""

    def __init__(self, url: str) -> None:
        self._url, self._before = url, numbers(url)

    def more(self, name: str) -> float:
        """By how much a number is larger now."""
        now = numbers(self._url)
        assert name in now, f"{name} is not told"
        return now[name] - self._before[name]

    def until(self, name: str, more: float) -> None:
        """Returns once a number is so much larger."""
        until(lambda: self.more(name) == more)
