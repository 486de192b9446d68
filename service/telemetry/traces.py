"""Spans of what the service does; where they are not sent to a collector they cost no more than a call."""

from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext
from threading import Thread
from typing import TYPE_CHECKING, Any, Final, TypeAlias

from opentelemetry.trace import Span, StatusCode, Tracer, format_trace_id, get_current_span

if TYPE_CHECKING:
    from opentelemetry.sdk.trace import TracerProvider

NAME: Final = "british-constitution"
STOP_SECONDS: Final = 3.0
"""How long it may take to send the last spans."""

Fact: TypeAlias = str | int

_tracers: list[Tracer] = []
"""The one that makes this process's spans, while they are sent."""


@contextmanager
def sending(version: str) -> "Iterator[TracerProvider]":
    """Has spans made and sent until the end; raises ValueError where what that needs is not installed."""
    try:
        from service.telemetry import collector  # noqa: PLC0415 - it is not needed, and may not be there, else
    except ImportError as error:
        raise ValueError(f"for traces install british-constitution[telemetry]: {error}") from error
    provider = collector.provider(NAME, version)
    _tracers.append(provider.get_tracer(NAME, version))
    try:
        yield provider
    finally:
        _tracers.clear()
        last = Thread(target=provider.shutdown, daemon=True)  # it would wait half a minute for a collector that is down
        last.start()
        last.join(STOP_SECONDS)


def span(name: str, **facts: Fact) -> AbstractContextManager[Any]:
    """A span of what is done in the context, within the one around it."""
    return _tracers[0].start_as_current_span(name, attributes=facts) if _tracers else nullcontext()


def begin(name: str, **facts: Fact) -> Span | None:
    """A span of something that ends elsewhere, by `end`; None where nothing is traced."""
    return _tracers[0].start_span(name, attributes=facts) if _tracers else None


def end(begun: Span, outcome: object) -> None:
    """Ends a span; that of something that failed, where its outcome is an error."""
    if isinstance(outcome, Exception):
        begun.set_status(StatusCode.ERROR, f"{type(outcome).__name__}: {outcome}")
    begun.end()


def current() -> str | None:
    """The id of the trace that is made here, in hexadecimal."""
    context = get_current_span().get_span_context()
    return format_trace_id(context.trace_id) if context.is_valid else None
