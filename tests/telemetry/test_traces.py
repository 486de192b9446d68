"""The traces of a service in a process of its own, as a collector gets them."""

import json
import signal
import socket
import subprocess
import sys
import time
from pathlib import Path

import httpx
import pytest

from service.settings import Settings
from tests.cli.commands import ROOT, environment, started
from tests.cli.test_serve import ended, opened
from tests.live.replica import replica
from tests.telemetry.collector import Collector, collecting
from tests.telemetry.test_logs import lines, play
from tests.web.running import until

TRACE, PARENT = "0af7651916cd43dd8448eb211c80319c", "b7ad6b7169203331"
CALLER = {"traceparent": f"00-{TRACE}-{PARENT}-01"}
SOON = {"OTEL_BSP_SCHEDULE_DELAY": "50"}
PATIENT = {"OTEL_EXPORTER_OTLP_TIMEOUT": "600"}  # seconds, by which the SDK would wait for half a minute at the end


def sent_to(collector: Collector, **more: str) -> dict[str, str]:
    return {"OTEL_EXPORTER_OTLP_ENDPOINT": collector.url} | SOON | more


def test_a_request_has_a_span_in_the_trace_of_its_caller(redis_url: str, tmp_path: Path) -> None:
    with collecting() as collector, replica(redis_url, tmp_path / "service.log", **sent_to(collector)) as one:
        _, session = play(one.url)
        seen = f"{one.url}/v1/sessions/{session['id']}"
        assert httpx.get(f"{seen}/history?limit=1", headers=CALLER).status_code == 200
        until(lambda: bool(collector.named("GET /v1/sessions/{session}/history")))

    [span] = collector.named("GET /v1/sessions/{session}/history")
    assert (span.trace, span.parent) == (TRACE, PARENT)
    assert span.facts["http.response.status_code"] == 200
    assert span.facts["http.route"] == "/v1/sessions/{session}/history"
    assert span.process.items() >= {"service.name": "british-constitution", "service.version": "0.1.0"}.items()
    assert not span.has_failed
    assert {span.name for span in collector.spans} == {
        "POST /v1/players",
        "POST /v1/sessions",
        "POST /v1/sessions/{session}/moves",
        "GET /v1/sessions/{session}/history",
        "commits",
    }


def test_commits_have_a_span_within_that_of_a_request(redis_url: str, tmp_path: Path) -> None:
    with collecting() as collector, replica(redis_url, tmp_path / "service.log", **sent_to(collector)) as one:
        play(one.url)

    commits, moves = collector.named("commits"), collector.named("POST /v1/sessions/{session}/moves")
    assert [span.facts["commits"] for span in commits if not span.has_failed] == [1] * len(moves)
    within = [span.parent for span in commits if span.parent]  # all but the first, which waited for a link
    assert len(within) == len(moves) - 1
    assert set(within) < {span.span for span in moves}


def test_a_search_and_the_preparing_of_a_day_have_spans(redis_url: str, tmp_path: Path) -> None:
    with (
        collecting() as collector,
        replica(redis_url, tmp_path / "service.log", DAYS_AHEAD="1", **sent_to(collector)) as one,
    ):
        assert httpx.get(f"{one.url}/v1/deals/167", headers=CALLER, timeout=30).json()["done"]
        until(lambda: any(span.trace == TRACE for span in collector.named("search")))
        deadline = time.monotonic() + 60
        while not collector.named("prepare a day"):
            assert time.monotonic() < deadline
            time.sleep(0.1)

    [asked] = [span for span in collector.named("search") if span.trace == TRACE]
    assert asked.parent == collector.named("GET /v1/deals/{deal}")[0].span
    assert (asked.facts["rules"], asked.facts["task"]) == ("modern", "certify")
    assert asked.facts["budget"] > 0
    prepared = collector.named("prepare a day")[0]
    assert prepared.facts["day"].endswith(("modern", "cadogan"))
    assert [span for span in collector.named("search") if span.trace == prepared.trace]


def test_a_worker_sends_spans_of_its_searches(tmp_path: Path) -> None:
    data = str(tmp_path / "data")
    with collecting() as collector, started("serve", "--port", "0", DATA=data, SOLVERS="0") as service:
        url = opened(service)
        with started("worker", "--processes", "1", DATA=data, **sent_to(collector)) as worker:
            assert worker.stdout
            worker.stdout.readline()
            assert httpx.get(f"{url}/v1/deals/167", timeout=30).json()["done"]
            assert ended(worker, signal.SIGTERM) == (0, "", "")

    assert {span.name for span in collector.spans} == {"search"}


def test_probes_have_no_spans_and_no_span_tells_a_query_or_an_address(redis_url: str, tmp_path: Path) -> None:
    with collecting() as collector, replica(redis_url, tmp_path / "service.log", **sent_to(collector)) as one:
        for path in ("/livez", "/readyz", "/metrics", "/v1/players/me?ticket=a-secret"):
            httpx.get(f"{one.url}{path}", headers={"Authorization": "Bearer another-secret"})

    [span] = collector.spans
    assert span.name == "GET /v1/players/me"
    assert "secret" not in str(span)
    assert "127.0.0.1" not in {value for name, value in span.facts.items() if name != "server.address"}


def test_what_was_traced_last_is_sent_before_the_end(redis_url: str, tmp_path: Path) -> None:
    with (
        collecting() as collector,
        replica(redis_url, tmp_path / "service.log", OTEL_EXPORTER_OTLP_ENDPOINT=collector.url) as one,
    ):
        httpx.get(f"{one.url}/v1/nowhere")
        assert collector.spans == []
        assert one.stop() == 0
        assert len(collector.spans) == 1
    assert one.log == ""


def test_the_variables_of_the_sdk_work(redis_url: str, tmp_path: Path) -> None:
    named = {
        "OTEL_SERVICE_NAME": "patience",
        "OTEL_RESOURCE_ATTRIBUTES": "deployment.environment.name=here",
        "OTEL_EXPORTER_OTLP_HEADERS": "authorization=let-me-in",
    }
    with collecting() as collector:
        traces = f"{collector.url}/v1/traces"
        with replica(redis_url, tmp_path / "a.log", OTEL_EXPORTER_OTLP_TRACES_ENDPOINT=traces, **named) as one:
            httpx.get(f"{one.url}/v1/nowhere")
        with replica(redis_url, tmp_path / "b.log", **sent_to(collector, OTEL_TRACES_SAMPLER="always_off")) as one:
            httpx.get(f"{one.url}/v1/nowhere")

    [span] = collector.spans
    assert span.process.items() >= {"service.name": "patience", "deployment.environment.name": "here"}.items()
    assert [headers["authorization"] for headers in collector.headers] == ["let-me-in"]


def test_lines_of_the_log_have_the_trace_where_there_is_one(redis_url: str, tmp_path: Path) -> None:
    with (
        collecting() as collector,
        replica(redis_url, tmp_path / "service.log", LOG_LEVEL="debug", LOG_FORMAT="json", **sent_to(collector)) as one,
    ):
        httpx.get(f"{one.url}/v1/nowhere", headers=CALLER)
        httpx.get(f"{one.url}/livez")

    assert [line.get("trace_id") for line in lines(one.log)] == [TRACE, None]


def test_a_collector_that_is_down_costs_a_warning_and_no_request(redis_url: str, tmp_path: Path) -> None:
    down = {"OTEL_EXPORTER_OTLP_ENDPOINT": "http://127.0.0.1:9"} | SOON
    with replica(redis_url, tmp_path / "service.log", LOG_FORMAT="json", **down) as one:
        play(one.url)
        until(lambda: one.log != "")
        play(one.url)
        assert one.stop() == 0

    for line in lines(one.log):
        assert line["logger"].startswith("opentelemetry.")
        assert line["level"] in {"warning", "error"}


def test_a_collector_that_says_nothing_costs_no_request_and_does_not_hold_up_the_end(
    redis_url: str, tmp_path: Path
) -> None:
    with socket.create_server(("127.0.0.1", 0)) as silent:
        url = f"http://127.0.0.1:{silent.getsockname()[1]}"
        with replica(redis_url, tmp_path / "service.log", OTEL_EXPORTER_OTLP_ENDPOINT=url, **SOON, **PATIENT) as one:
            play(one.url)
            with silent.accept()[0]:
                play(one.url)
                assert one.stop() == 0


def test_a_service_without_a_collector_takes_in_nothing_that_sends_spans() -> None:
    script = (
        "import json, sys\n"
        "from fastapi.testclient import TestClient\n"
        "from service import __main__\n"
        "from service.app import create_app\n"
        "from service.store.memory import MemoryStore\n"
        "with TestClient(create_app(MemoryStore(lambda: 0, 0), 1)) as client:\n"
        "    client.post('/v1/players')\n"
        "print(json.dumps(list(sys.modules)))"
    )
    done = subprocess.run([sys.executable, "-c", script], check=True, capture_output=True, text=True, cwd=ROOT)

    taken = set(json.loads(done.stdout))
    assert "service.telemetry.traces" in taken
    assert not taken & {"service.telemetry.collector", "opentelemetry.sdk.trace", "opentelemetry.exporter"}


def test_a_collector_without_the_extra_is_told_in_one_line() -> None:
    script = (
        "import sys; sys.modules['opentelemetry.sdk.trace'] = None\n"
        "from service.__main__ import main; sys.exit(main(['serve', '--port', '0']))"
    )
    settings = {"OTEL_EXPORTER_OTLP_ENDPOINT": "http://127.0.0.1:9", "REDIS_URL": "redis://127.0.0.1:9"}
    done = subprocess.run(
        [sys.executable, "-c", script],
        check=False,
        capture_output=True,
        text=True,
        timeout=30,
        cwd=ROOT,
        env=environment(settings),
    )

    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.startswith("constitution: for traces install british-constitution[telemetry]: ")
    assert done.stderr.count("\n") == 1


@pytest.mark.parametrize("name", ["OTEL_EXPORTER_OTLP_ENDPOINT", "OTEL_EXPORTER_OTLP_TRACES_ENDPOINT"])
def test_either_variable_names_a_collector_unless_it_is_empty(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(name, "")
    assert not Settings().traces

    monkeypatch.setenv(name, "http://127.0.0.1:9")
    assert Settings().traces
