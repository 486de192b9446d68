"""`/metrics`: who may see it, how it is told, and that it is told whatever has become of the store."""

import contextlib
import re
from collections.abc import Callable, Iterator
from pathlib import Path

import httpx
import pytest
from prometheus_client.metrics_core import Metric
from prometheus_client.openmetrics.parser import text_string_to_metric_families

from service import __version__
from service.app import create_app
from service.store.memory import MemoryStore
from service.store.redis import keys
from service.store.redis.store import RedisStore
from service.usecases.days import today
from tests.conftest import Emptied, now
from tests.servers import IN_MEMORY, WHEEL, Server, cluster
from tests.web.measuring import asked, numbers
from tests.web.playing import Guest
from tests.web.running import Running, hung, running, served

TOKEN = "a-token-of-the-operator's"
OPENMETRICS = "application/openmetrics-text; version=1.0.0"
TABLE = Path("service/telemetry/README.md")
SOON = 4.0  # seconds, of which a scraper leaves ten


@pytest.fixture(scope="module")
def guarded() -> Iterator[str]:
    """The URL of a service whose operator has set a token."""
    with served(create_app(MemoryStore(now, session_ttl=0), cached_sessions=1, metrics_token=TOKEN)) as url:
        yield url


@pytest.fixture
def at_url() -> Iterator[Callable[[str], str]]:
    """Serves on the store of a URL, and answers with the service's own."""
    with contextlib.ExitStack() as stack:
        yield lambda url: stack.enter_context(served(create_app(RedisStore(url, session_ttl=0), cached_sessions=1)))


def of_nodes(url: str, name: str) -> dict[str, float]:
    """The numbers of a name, by node."""
    told = numbers(url)
    return {found[1]: told[key] for key in told if (found := re.fullmatch(rf"{name} node=(\S+)", key))}


def strictly_read(url: str) -> list[Metric]:
    """All metrics, by a reader that takes nothing that is malformed."""
    text = asked(url, Accept=OPENMETRICS).text
    return list(text_string_to_metric_families(text))  # type: ignore[no-untyped-call]


def is_no_page(answer: httpx.Response, url: str) -> bool:
    """Whether the answer is that to a path which nobody knows."""
    unknown = httpx.get(f"{url}/nothing")
    return (answer.status_code, answer.text.replace("/metrics", "/nothing")) == (404, unknown.text)


@pytest.mark.parametrize("scheme", ["Bearer", "bearer"])
def test_who_shows_the_token_is_answered(guarded: str, scheme: str) -> None:
    assert asked(guarded, Authorization=f"{scheme} {TOKEN}").status_code == 200


@pytest.mark.parametrize(
    "shown",
    ["", "Bearer", f"Bearer {TOKEN}x", f"Bearer {TOKEN[:-1]}", f"Basic {TOKEN}", "Bearer ü", TOKEN],
)
def test_where_there_is_a_token_nobody_else_is_answered_on_this_machine_neither(guarded: str, shown: str) -> None:
    headers = {b"Authorization": shown.encode()} if shown else {}
    assert is_no_page(httpx.get(f"{guarded}/metrics", headers=headers), guarded)


def test_without_a_token_this_machine_is_answered(service: Running) -> None:
    assert asked(service.url).status_code == 200


@pytest.mark.parametrize(
    "header",
    ["X-Forwarded-For", "X-Forwarded-Host", "Forwarded", "X-Real-IP", "Via", "Origin"],
    ids=lambda name: name.lower(),
)
def test_what_a_proxy_or_a_page_asks_is_not_asked_by_this_machine(service: Running, header: str) -> None:
    assert is_no_page(asked(service.url, **{header: "127.0.0.1"}), service.url)


@pytest.mark.parametrize(
    ("peer", "status"),
    [
        ("127.0.0.1", 200),
        ("127.9.9.9", 200),
        ("::1", 200),
        ("::ffff:127.0.0.1", 200),
        ("192.0.2.1", 404),
        ("172.17.0.1", 404),
        ("::ffff:192.0.2.1", 404),
        ("localhost", 404),
    ],
)
async def test_this_machine_is_told_by_the_address_of_the_peer(peer: str, status: int) -> None:
    app = create_app(MemoryStore(now, session_ttl=0), cached_sessions=1)
    transport = httpx.ASGITransport(app, client=(peer, 1))
    async with httpx.AsyncClient(transport=transport, base_url="http://service") as http:
        assert (await http.get("/metrics")).status_code == status


def test_it_is_kept_by_nobody(service: Running) -> None:
    assert asked(service.url).headers["cache-control"] == "no-store"


@pytest.mark.parametrize(("accept", "kind"), [("", "text/plain"), (OPENMETRICS, "application/openmetrics-text")])
def test_it_speaks_as_whoever_asks_would_have_it(service: Running, accept: str, kind: str) -> None:
    assert asked(service.url, Accept=accept).headers["content-type"].startswith(kind)


def test_it_is_well_formed_by_a_strict_reader(service: Running, guest: Guest) -> None:
    guest.play(guest.deal(), "b1G")
    families = strictly_read(service.url)

    names = [family.name for family in families]
    assert len(set(names)) == len(names)
    assert {"process_resident_memory_bytes", "python_gc_collections"} <= set(names)
    assert numbers(service.url)[f"build_info version={__version__}"] == 1


def test_the_table_has_each_metric_with_its_kind_and_labels_and_no_other(service: Running, guest: Guest) -> None:
    guest.play(guest.deal(), "b1G")
    told = set()
    for family in strictly_read(service.url):
        if family.name.startswith("constitution_"):
            labels = {name for sample in family.samples for name in sample.labels} - {"le"}
            name = family.name + ("_total" if family.type == "counter" else "")
            told.add((name, family.type, ", ".join(sorted(labels))))

    rows = re.findall(r"^\| `(constitution_\w+)` \| (\w+) \|([^|]*)\|", TABLE.read_text(), re.MULTILINE)
    assert sorted((name, kind, labels.replace("`", "").strip()) for name, kind, labels in rows) == sorted(told)


def test_a_service_that_is_told_to_stop_is_not_ready(emptied: Emptied) -> None:
    with running(emptied("valkey")) as one:
        assert numbers(one.url)["ready"] == 1
        one.app.state.use_cases.sockets.will_leave = True
        told = numbers(one.url)
    assert (told["ready"], told["store_up"]) == (0, 1)


def test_memory_that_is_no_server_is_up_and_has_no_nodes() -> None:
    with served(create_app(MemoryStore(now, session_ttl=0), cached_sessions=1)) as url:
        assert numbers(url)["store_up"] == 1
        assert of_nodes(url, "store_memory_bytes") == {}


def test_one_server_tells_what_it_holds_and_may_hold(redis_server: Server, at_url: Callable[[str], str]) -> None:
    url, [node] = at_url(redis_server.url), [str(redis_server.socket)]
    assert of_nodes(url, "store_max_memory_bytes") == {node: 0}
    redis_server.control.config_set("maxmemory", "100mb")
    try:
        assert of_nodes(url, "store_max_memory_bytes") == {node: 100 * 1024 * 1024}
    finally:
        redis_server.control.config_set("maxmemory", 0)
    held = int(redis_server.control.info("memory")["used_memory"])
    assert of_nodes(url, "store_memory_bytes")[node] == pytest.approx(held, rel=0.5)


def test_the_master_that_sentinels_name_tells_what_it_holds(
    emptied_url: Callable[[str], str], at_url: Callable[[str], str]
) -> None:
    told = of_nodes(at_url(emptied_url("sentinels")), "store_memory_bytes")
    assert [node.startswith("127.0.0.1:") for node in told] == [True]


def test_each_master_of_a_cluster_tells_what_it_holds_and_one_that_is_silent_costs_only_its_own() -> None:
    with cluster(WHEEL, *IN_MEMORY) as nodes:
        masters = {f"127.0.0.1:{node.port}" for node in nodes.masters()}
        with served(create_app(RedisStore(nodes.url, session_ttl=0), cached_sessions=1)) as url:
            assert set(of_nodes(url, "store_memory_bytes")) == masters
            silent = nodes.masters()[0]
            silent.freeze()
            told = set(of_nodes(url, "store_memory_bytes"))  # before a replica takes its place
            silent.thaw()
    assert told == masters - {f"127.0.0.1:{silent.port}"}


def test_a_store_that_is_gone_is_told_and_all_else_too(private_server: Server) -> None:
    with running(private_server) as one:
        with one.client() as http:
            guest = Guest(http)
            guest.play(guest.deal(), "b1G")
        private_server.kill()
        told = numbers(one.url)

        assert (told["store_up"], told["ready"]) == (0, 0)
        assert told["commands_total kind=play outcome=ack"] == 1
        assert of_nodes(one.url, "store_memory_bytes") == {}
        assert not [key for key in told if key.startswith("days_prepared")]
        private_server.start()
        assert numbers(one.url)["store_up"] == 1


def test_a_store_that_says_nothing_keeps_nobody_waiting_long(emptied: Emptied) -> None:
    with running(emptied("valkey")) as one, hung(emptied("valkey")):
        answer = httpx.get(f"{one.url}/metrics", timeout=SOON)
    assert "constitution_store_up 0.0" in answer.text


def test_what_a_store_lets_nobody_see_is_left_out(private_server: Server, at_url: Callable[[str], str]) -> None:
    private_server.control.execute_command("ACL", "SETUSER", "default", "-info")  # type: ignore[no-untyped-call]
    told = numbers(at_url(private_server.url))

    assert told["store_up"] == 1
    assert not [key for key in told if key.startswith("store_memory_bytes")]


def test_a_day_that_is_damaged_in_the_store_costs_only_what_it_says(emptied: Emptied) -> None:
    server = emptied("valkey")
    with running(server) as one:
        server.control.hset(keys.day(f"{today(now())}/modern"), "deal", "torn")
        told = numbers(one.url)

    assert told["store_up"] == 1
    assert "store_memory_bytes" in {key.partition(" ")[0] for key in told}
    assert "days_prepared" not in {key.partition(" ")[0] for key in told}
