"""A service for the commands that speak to one."""

from collections.abc import Iterator

import pytest

from tests.conftest import Emptied
from tests.web.running import Running, running


@pytest.fixture
def service(emptied: Emptied) -> Iterator[Running]:
    with running(emptied("valkey")) as one:
        yield one
