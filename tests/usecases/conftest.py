import pytest

from tests.usecases.world import World


@pytest.fixture
def world() -> World:
    return World()
