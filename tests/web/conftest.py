"""The service over real HTTP on a real Redis, and two guests of it."""

from collections.abc import Iterator

import httpx
import pytest

from tests.conftest import Emptied
from tests.web.playing import Guest
from tests.web.running import Running, running


@pytest.fixture(scope="session")
def service(emptied: Emptied) -> Iterator[Running]:
    """The service, started once in a run of the tests."""
    with running(emptied("valkey")) as started:
        yield started


@pytest.fixture
def http(service: Running) -> Iterator[httpx.Client]:
    """A client without a token, whose every answer is checked against the contract."""
    with service.client() as client:
        yield client


@pytest.fixture
def guest(http: httpx.Client) -> Guest:
    return Guest(http)


@pytest.fixture
def rival(http: httpx.Client) -> Guest:
    return Guest(http)
