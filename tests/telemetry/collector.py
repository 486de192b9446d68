"""A collector of traces: it takes what is sent by OTLP over HTTP, as an OpenTelemetry Collector does."""

import gzip
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http import HTTPStatus
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, NamedTuple

from opentelemetry.proto.collector.trace.v1.trace_service_pb2 import (
    ExportTraceServiceRequest,
    ExportTraceServiceResponse,
)


class Kept(NamedTuple):
    """A span: ids in hexadecimal, and its facts and those of the process that made it."""

    name: str
    trace: str
    span: str
    parent: str
    facts: dict[str, Any]
    process: dict[str, Any]
    has_failed: bool


class Collector:
    """What was sent to `url`, and the headers that came with it."""

    def __init__(self, url: str) -> None:
        self.url = url
        self.spans: list[Kept] = []
        self.headers: list[dict[str, str]] = []

    def take(self, body: bytes) -> None:
        for batch in ExportTraceServiceRequest.FromString(body).resource_spans:
            process = _facts(batch.resource.attributes)
            self.spans += [_kept(span, process) for scope in batch.scope_spans for span in scope.spans]

    def named(self, name: str) -> list[Kept]:
        return [span for span in self.spans if span.name == name]


def _kept(span: Any, process: dict[str, Any]) -> Kept:
    ids = (span.trace_id.hex(), span.span_id.hex(), span.parent_span_id.hex())
    return Kept(span.name, *ids, _facts(span.attributes), process, span.status.code == span.status.STATUS_CODE_ERROR)


def _facts(attributes: Any) -> dict[str, Any]:
    return {one.key: getattr(one.value, str(one.value.WhichOneof("value"))) for one in attributes}


@contextmanager
def collecting() -> Iterator[Collector]:
    """A collector on a free port of this machine, until the end of the context."""

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            body = self.rfile.read(int(self.headers["Content-Length"]))
            is_right = self.path == "/v1/traces" and self.headers["Content-Type"] == "application/x-protobuf"
            if is_right:
                collector.take(gzip.decompress(body) if self.headers["Content-Encoding"] == "gzip" else body)
                collector.headers.append(dict(self.headers))
            self.send_response(HTTPStatus.OK if is_right else HTTPStatus.NOT_FOUND)
            self.end_headers()
            self.wfile.write(ExportTraceServiceResponse().SerializeToString())

        def log_message(self, *_: object) -> None:
            """It says nothing."""

    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
        collector = Collector(f"http://127.0.0.1:{server.server_address[1]}")
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        try:
            yield collector
        finally:
            server.shutdown()
            thread.join()
