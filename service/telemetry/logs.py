"""The log, on standard error: a line for people, or for programs a JSON object.

A record says in plain words what happened, and the rest as fields. What is known of the request that is answered
(`request`, which is its id, `player`, `session`, `code`) comes with every record that is made meanwhile.
"""

import logging
import logging.config
from collections.abc import Callable
from contextvars import ContextVar
from datetime import UTC, datetime
from typing import Any, Final

from pythonjsonlogger.core import RESERVED_ATTRS
from pythonjsonlogger.json import JsonFormatter

_OURS: Final = "service"
_LEAST_OF_OTHERS: Final = logging.WARNING
"""Below it uvicorn and websockets tell of queries, headers and frames, and so of tokens and tickets."""
_OWN_FIELDS: Final = frozenset({*RESERVED_ATTRS, "taskName", "color_message"})
"""What a record has beside the fields that somebody gave it."""

_facts: ContextVar[dict[str, Any] | None] = ContextVar("facts", default=None)
_configured: list[str] = []


def configure(level: str, form: str, trace: Callable[[], str | None] = lambda: None) -> None:
    """Has this process log from a level on, in a form; `trace` tells the id of the trace that a record belongs to."""
    _configured[:] = level, form
    of_others = max(_LEAST_OF_OTHERS, logging.getLevelNamesMapping()[level.upper()])
    logging.config.dictConfig(
        {
            "version": 1,
            "disable_existing_loggers": False,
            "formatters": {"text": {"()": _Text}, "json": {"()": _json}},
            "filters": {"facts": {"()": _Facts, "trace": trace}},
            "handlers": {"stderr": {"class": "logging.StreamHandler", "formatter": form, "filters": ["facts"]}},
            "root": {"level": of_others, "handlers": ["stderr"]},
            "loggers": {_OURS: {"level": level.upper()}, "uvicorn.error": {"level": of_others}},  # it asks for its own
        }
    )


def configured() -> list[str]:
    """What this process was configured with, so that others which it starts log like it; empty where it was not."""
    return _configured.copy()


def begin(request: str) -> None:
    """Has the records of this task name a request from now on."""
    _facts.set({"request": request})


def note(**facts: Any) -> None:
    """Adds to what is known of the request that is answered here, if one is."""
    if (known := _facts.get()) is not None:
        known.update(facts)


def request() -> str | None:
    """The id of the request that is answered here."""
    return (_facts.get() or {}).get("request")


class _Facts(logging.Filter):
    """Lets every record pass, with what is known where it is made."""

    def __init__(self, trace: Callable[[], str | None]) -> None:
        super().__init__()
        self._trace = trace

    def filter(self, record: logging.LogRecord) -> bool:
        for name, value in (_facts.get() or {}).items():
            record.__dict__.setdefault(name, value)
        if trace := self._trace():
            record.trace_id = trace
        return True


def _time(record: logging.LogRecord) -> str:
    """By RFC 3339, in UTC, to the millisecond."""
    return datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")


class _Text(logging.Formatter):
    """Time, level, logger and message, then the fields; a traceback has lines of its own."""

    def formatMessage(self, record: logging.LogRecord) -> str:  # noqa: N802 - the library's name
        fields = {name: value for name, value in record.__dict__.items() if name not in _OWN_FIELDS}
        told = "".join(f" {name}={value}" for name, value in fields.items() if value is not None)
        return _printable(f"{_time(record)} {record.levelname.lower()} {record.name}: {record.message}{told}")


def _printable(text: str) -> str:
    """On one line, so that nobody adds a line to the log by what they ask for."""
    return text if text.isprintable() else "".join(one if one.isprintable() else repr(one)[1:-1] for one in text)


class _Json(JsonFormatter):
    def formatTime(self, record: logging.LogRecord, datefmt: str | None = None) -> str:  # noqa: ARG002, N802
        return _time(record)

    def process_log_record(self, log_data: dict[str, Any]) -> dict[str, Any]:
        log_data["level"] = log_data["level"].lower()
        return {name: value for name, value in log_data.items() if value is not None}


def _json() -> logging.Formatter:
    names = {"asctime": "time", "levelname": "level", "name": "logger", "exc_info": "error", "stack_info": "stack"}
    form = "%(asctime)s %(levelname)s %(name)s %(message)s"
    return _Json(form, rename_fields=names, reserved_attrs=_OWN_FIELDS)
