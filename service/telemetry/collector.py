"""The way to an OpenTelemetry collector, over OTLP by HTTP; the SDK's `OTEL_` variables say where and how.

Nothing imports this before spans are to be sent: what it needs is in the extra `telemetry`.
"""

from opentelemetry.context import Context
from opentelemetry.exporter.otlp.proto.http.trace_exporter import OTLPSpanExporter
from opentelemetry.sdk.resources import OTELResourceDetector, Resource
from opentelemetry.sdk.trace import Span, TracerProvider
from opentelemetry.sdk.trace.export import BatchSpanProcessor

_QUERY = "url.query"


class _Discreet(BatchSpanProcessor):
    """Sends spans in batches, by a thread of its own, without queries: one may carry a ticket."""

    def on_start(self, span: Span, parent_context: Context | None = None) -> None:  # noqa: ARG002
        if span.attributes and _QUERY in span.attributes:
            span.set_attribute(_QUERY, "")


def provider(name: str, version: str) -> TracerProvider:
    """What makes spans and sends them, under a name that OTEL_SERVICE_NAME may replace."""
    named = Resource({"service.name": name, "service.version": version}).merge(OTELResourceDetector().detect())
    made = TracerProvider(resource=Resource.create(named.attributes), shutdown_on_exit=False)
    made.add_span_processor(_Discreet(OTLPSpanExporter()))
    return made
