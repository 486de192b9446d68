"""Two services on one server, which are started once in a run of the tests and have to stay without complaint."""

from collections.abc import Iterator

import pytest

from tests.conftest import Emptied
from tests.live.replica import Replica, replica


@pytest.fixture(scope="session")
def started(emptied: Emptied, tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Replica, Replica]]:
    logs, url = tmp_path_factory.mktemp("replicas"), emptied("valkey").url
    with replica(url, logs / "one.log") as one, replica(url, logs / "two.log") as other:
        yield one, other


@pytest.fixture
def replicas(started: tuple[Replica, Replica], redis_url: str) -> Iterator[tuple[str, str]]:
    """The URLs of two services that share a store without data."""
    before = [len(one.log) for one in started]
    yield started[0].url, started[1].url
    for one, length in zip(started, before, strict=True):
        assert "Traceback" not in one.log[length:]
        assert "never" not in one.log[length:], "retrieved, or awaited"


@pytest.fixture
def service(replicas: tuple[str, str]) -> str:
    """The URL of a service on a store without data."""
    return replicas[0]
