"""Whatever the dashboard and the alerts ask has an answer, from two replicas and the proxy without containers."""

import asyncio
import contextlib
import re
import subprocess
from collections.abc import Iterator
from functools import partial
from pathlib import Path

import httpx
import pytest

from service.store.redis.store import RedisStore
from tests.deploy import traffic
from tests.deploy.expressions import Expression, Known, alert_groups, alerts, by_name, judged, of_alerts, of_dashboard
from tests.deploy.prometheus import Prometheus, free_port, prometheus
from tests.live.replica import replica
from tests.live.today import DAYS_AHEAD, keep_today
from tests.servers import IN_MEMORY, PROGRAMS, Server, server

pytestmark = pytest.mark.timeout(300)

PROXY = Path(__file__).parents[2] / "deploy/proxy/haproxy.cfg"
TOKEN = "of-this-test"
HOSTS = ("127.0.0.1", "127.0.0.2")
STOPPING = 10.0  # seconds
BROKEN = re.compile(r"^ |  |error expanding|no value|NaN")
"""What stands where a label or a figure is missing."""


@pytest.fixture(scope="module")
def watched(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Prometheus]:
    """Prometheus, which has scraped two replicas and the proxy before, between and after traffic of all kinds."""
    folder = tmp_path_factory.mktemp("observe")
    with contextlib.ExitStack() as stack:
        store = stack.enter_context(server(PROGRAMS["valkey"], *IN_MEMORY, "--maxmemory", "1gb"))
        date = asyncio.run(_today(store.url))
        settings = {"METRICS_TOKEN": TOKEN, "DAYS_AHEAD": str(DAYS_AHEAD), "FORWARDED_ALLOW_IPS": "127.0.0.1"}
        one, other = (
            stack.enter_context(replica(store.url, folder / f"{host}.log", HOST=host, **settings)).url for host in HOSTS
        )
        door, inner = stack.enter_context(proxy(folder, one, other))
        places = {"service": [url.removeprefix("http://") for url in (one, other)], "proxy": [inner]}
        asked = stack.enter_context(prometheus(folder, TOKEN, places, _always_on()))
        asked.until_up(service=2, proxy=1, prometheus=1)
        for _ in range(2):
            asyncio.run(traffic.everything(one, other, door, date, partial(_frozen, store)))
            asked.until_scraped()
        yield asked


async def _today(url: str) -> str:
    """The date of today, whose challenge is prepared, and tomorrow's too."""
    store = RedisStore(url, session_ttl=0)
    date = await keep_today(store)
    await store.close()
    return date


@contextlib.contextmanager
def _frozen(store: Server) -> Iterator[None]:
    store.freeze()
    try:
        yield
    finally:
        store.thaw()


def _always_on() -> list[Known]:
    """Our alerts, but that each is on at once for all that it judges, so that its words are seen with real figures."""
    return [
        {**group, "rules": [{**rule, "expr": judged(rule["expr"]), "for": "0s"} for rule in group["rules"]]}
        for group in alert_groups()
    ]


@contextlib.contextmanager
def proxy(folder: Path, *replicas: str) -> Iterator[tuple[str, str]]:
    """Our proxy before replicas that it is told of: its URL, and where its figures are."""
    outer, inner = free_port(), free_port()
    text = PROXY.read_text()
    servers = "\n".join(f"    server r{number} {url.removeprefix('http://')}" for number, url in enumerate(replicas))
    for ours, here in {
        "bind :8080": f"bind 127.0.0.1:{outer}",
        "bind :8405": f"bind 127.0.0.1:{inner}",
        "    server-template replica 1-50 service:8000": servers,
        "init-addr none": "init-addr last",
    }.items():
        assert ours in text, f"the proxy's file has no {ours}"
        text = text.replace(ours, here)
    (folder / "haproxy.cfg").write_text(text)
    with (folder / "haproxy.log").open("wb") as log:
        process = subprocess.Popen(["haproxy", "-db", "-f", str(folder / "haproxy.cfg")], stdout=log, stderr=log)
    try:
        yield f"http://127.0.0.1:{outer}", f"127.0.0.1:{inner}"
    finally:
        process.terminate()
        process.wait(STOPPING)


@pytest.mark.parametrize("expression", of_dashboard(), ids=by_name)
def test_what_a_panel_asks_has_an_answer(watched: Prometheus, expression: Expression) -> None:
    assert watched.ask(expression.text)


@pytest.mark.parametrize("expression", of_alerts(), ids=by_name)
def test_an_alert_has_something_to_judge(watched: Prometheus, expression: Expression) -> None:
    assert watched.ask(expression.text)


def test_a_name_that_nobody_counts_has_no_answer(watched: Prometheus) -> None:
    assert watched.ask(judged("sum(rate(constitution_comands_total[5m])) > 0")) == []


@pytest.mark.parametrize("name", [rule["alert"] for rule in alerts()])
def test_an_alert_that_is_on_says_it_in_whole_words(watched: Prometheus, name: str) -> None:
    [rule] = [rule for rule in watched.rules() if rule["name"] == name]

    assert (rule["health"], rule.get("lastError", "")) == ("ok", "")
    assert rule["alerts"]
    for one in rule["alerts"]:
        said = one["annotations"]["description"]
        assert not BROKEN.search(said), said


def test_each_replica_is_told_apart(watched: Prometheus) -> None:
    told = {one["metric"]["instance"] for one in watched.ask("constitution_ready")}

    assert told == set(HOSTS)


def test_nobody_is_scraped_without_the_token(watched: Prometheus) -> None:
    for target in watched.targets()["service"]:
        assert httpx.get(target["scrapeUrl"]).status_code == 404


def test_commits_that_had_no_answer_are_counted(watched: Prometheus) -> None:
    assert watched.ask("constitution_commit_errors_total > 0")
