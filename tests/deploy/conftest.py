"""Stacks for the tests, on the engine that the environment names."""

import itertools
import os
from collections.abc import Callable, Iterator
from contextlib import ExitStack

import pytest

from tests.deploy.docker import Docker
from tests.deploy.stack import V2, Stack

Stacked = Callable[..., Stack]
FIRST_PORT = 18000


@pytest.fixture(scope="session")
def docker() -> Docker:
    """The engine; where there is none, the test fails and says how to have one."""
    docker = Docker()
    assert docker.answers(), "no engine answers: `make test-deploy` starts one, or name yours in DOCKER_HOST"
    return docker


@pytest.fixture(scope="session")
def ports() -> Iterator[int]:
    """Ports that no other worker of the run takes, each with the next one free as well."""
    worker = int(os.environ.get("PYTEST_XDIST_WORKER", "gw0").removeprefix("gw"))
    return itertools.count(FIRST_PORT + 100 * worker, 2)


@pytest.fixture(scope="module")
def new_stack(docker: Docker, ports: Iterator[int]) -> Iterator[Stacked]:
    """Makes stacks of this file's own, which are taken down when its tests have ended."""
    with ExitStack() as stacks:

        def one(*, compose: tuple[str, ...] = V2, **environment: str) -> Stack:
            port = next(ports)
            return stacks.enter_context(Stack(f"constitution{port}", port, compose=compose, **environment))

        yield one


@pytest.fixture(scope="session")
def standing(docker: Docker, ports: Iterator[int]) -> Iterator[Stack]:
    """A stack with three replicas for many tests, each of which leaves it as it was; each worker has its own."""
    port = next(ports)
    with Stack(f"constitution{port}", port, REPLICAS="3", DAYS_AHEAD="1") as stack:
        stack.up(service=3)
        yield stack
