"""A span for each request, within the trace that its `traceparent` names."""

from fastapi.telemetry import TelemetryConfig
from opentelemetry.trace import TracerProvider
from starlette.types import Scope

from service.web.health import PROBES


def telemetry(provider: TracerProvider | None) -> TelemetryConfig:
    """Has FastAPI make the spans, where something sends them, and nothing else of its own."""
    return {
        "tracing": provider is not None,
        "tracer_provider": provider,
        "operation_spans": False,
        "metrics": False,
        "logs": False,
        "auto_configure": False,
        "exclude": _is_probe,
    }


def _is_probe(scope: Scope) -> bool:
    return scope["path"] in PROBES
