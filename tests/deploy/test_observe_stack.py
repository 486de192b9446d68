"""The profile `observe` on a real engine: every replica is scraped, and whatever is asked has an answer."""

import asyncio
import contextlib
from collections.abc import Iterator
from functools import partial

import httpx
import pytest

from service.usecases.days import DAILY_RULES, today
from tests.conftest import now
from tests.deploy import traffic
from tests.deploy.conftest import Stacked
from tests.deploy.expressions import Expression, by_name, of_alerts, of_dashboard
from tests.deploy.prometheus import Prometheus
from tests.deploy.stack import PATIENCE, Stack

pytestmark = pytest.mark.timeout(600)

OBSERVED = ("service", "worker", "proxy", "prometheus")
"""All but the dashboard; to name a service with a profile is to ask for the profile."""
REPLICAS = 3
PREPARING = 240.0
"""Seconds in which the challenge of today and tomorrow is prepared, by one worker."""


@pytest.fixture(scope="module")
def stack(new_stack: Stacked) -> Stack:
    one = new_stack(DAYS_AHEAD="1")
    one.up(*OBSERVED, service=REPLICAS)
    return one


@pytest.fixture(scope="module")
def watched(stack: Stack) -> Iterator[Prometheus]:
    """Prometheus, as the profile starts it, which has scraped all before, between and after traffic of all kinds."""
    asked = Prometheus(f"http://{stack.address(*stack.containers('prometheus'))}:9090")
    asked.until_there()
    asked.until_up(service=REPLICAS, proxy=1, prometheus=1)
    one, other, *_ = (f"http://{stack.address(container)}:8000" for container in stack.containers("service"))
    date = today(now())
    stack.until(lambda: all(_is_open(stack, f"{date}/{rules}") for rules in DAILY_RULES), "a challenge", PREPARING)
    for _ in range(2):
        asyncio.run(traffic.everything(one, other, stack.url, date, partial(_frozen, stack)))
        asked.until_scraped()
    yield asked
    asked.close()


def _is_open(stack: Stack, day: str) -> bool:
    return httpx.get(f"{stack.url}/v1/daily/{day}", timeout=PATIENCE).is_success


@contextlib.contextmanager
def _frozen(stack: Stack) -> Iterator[None]:
    [store] = stack.containers("redis")
    stack.pause(store)
    try:
        yield
    finally:
        stack.unpause(store)


def test_every_replica_is_scraped_with_the_token_of_the_volume(stack: Stack, watched: Prometheus) -> None:
    scraped = watched.targets()["service"]

    assert len(scraped) == REPLICAS
    assert {target["health"] for target in scraped} == {"up"}
    for target in scraped:
        assert httpx.get(target["scrapeUrl"]).status_code == 404, "without the token there is no such page"


@pytest.mark.parametrize("expression", of_dashboard(), ids=by_name)
def test_what_a_panel_asks_has_an_answer(watched: Prometheus, expression: Expression) -> None:
    assert watched.ask(expression.text)


@pytest.mark.parametrize("expression", of_alerts(), ids=by_name)
def test_an_alert_has_something_to_judge(watched: Prometheus, expression: Expression) -> None:
    assert watched.ask(expression.text)


def test_commits_that_went_wrong_were_told_and_nothing_else_was(watched: Prometheus) -> None:
    firing = watched.ask('ALERTS{alertstate="firing"}')

    assert {one["metric"]["alertname"] for one in firing} == {"CommitErrors"}


def test_a_replica_more_is_scraped_as_soon_as_it_is_there(stack: Stack, watched: Prometheus) -> None:
    stack.up(*OBSERVED, service=REPLICAS + 1)

    watched.until_up(service=REPLICAS + 1, proxy=1, prometheus=1)
