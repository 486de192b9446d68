"""The contract: FastAPI's OpenAPI, with the shapes of answers from the protocol's messages."""

from typing import Any, Final

import msgspec
from fastapi import FastAPI
from fastapi.openapi.utils import get_openapi

from service.protocol import people, shapes
from service.protocol.boards import BoardPage
from service.protocol.days import Calendar, Daily
from service.web.answers import COMPONENTS, problems
from service.web.examples import add_examples
from service.web.health import Health
from service.web.problems import Problem
from service.web.rates import HEADERS, LIMITED

DESCRIPTION: Final = """
A service for the two-pack patience *British Constitution*. It keeps games, judges every move, and tells everybody who
watches. Become a guest, deal a game, and play one of its `legal` moves on the `seq` that you saw:

    POST /v1/players   {}                              -> token
    POST /v1/sessions  {"deal": "pysol:1"}             -> session, with Authorization: Bearer <token>
    POST /v1/sessions/{id}/moves  {"move": "b1G", "at": 0}

A command that is sent again on the same place is answered as the first time, so it is always safe to repeat one.
For play without polling, open a WebSocket on `/v1/sessions/{id}/live`, or read the server-sent events of
`/v1/sessions/{id}/stream`. To play one board together, deal it in another `mode` than solo, and have the others join
with its `invite`.
"""
TAGS: Final = [
    {"name": "players", "description": "Who plays."},
    {"name": "sessions", "description": "One board, and what is done on it."},
    {"name": "daily", "description": "One deal a day, the same for everybody, of which the first run ranks."},
    {"name": "leaderboards", "description": "Who stands where, on a day, in a period, and live."},
    {"name": "deals", "description": "What is known of them."},
    {"name": "health", "description": "For operators."},
]
_CHALLENGE: Final = (Daily, BoardPage, Calendar)
_FOUND: Final = (shapes.Outlook, shapes.Analysis, shapes.DealReport)
_PLAYERS: Final = (people.Player, people.Recovered, people.RecoveryCode, people.Profile, people.Person, people.Ticket)
_SESSIONS: Final = (shapes.Session, shapes.Page, shapes.Events, shapes.HistoryPage)
_ANSWERS: Final = (*_PLAYERS, people.Following, *_SESSIONS, *_CHALLENGE, *_FOUND, Health, Problem)


def describe(app: FastAPI) -> None:
    """Has the application serve the whole contract."""

    def contract() -> dict[str, Any]:
        if app.openapi_schema is None:
            app.openapi_schema = _contract(app)
        return app.openapi_schema

    app.openapi = contract  # type: ignore[method-assign]  # this is FastAPI's own way to extend it


def _contract(app: FastAPI) -> dict[str, Any]:
    document = get_openapi(title=app.title, version=app.version, description=DESCRIPTION, routes=app.routes, tags=TAGS)
    _, shapes = msgspec.json.schema_components(_ANSWERS, ref_template=COMPONENTS)
    document["components"]["schemas"].update(shapes)
    _drop_fastapis_errors(document)
    _drop_nulls_of_parameters(document)
    _add_limits(document)
    add_examples(document)
    return document


def _add_limits(document: dict[str, Any]) -> None:
    """Says where an answer may be that this is too often, and that others tell what is left."""
    headers = {
        name: {"description": described, "schema": {"type": "integer"}}
        for name, described in (HEADERS | {"Retry-After": "Seconds to wait."}).items()
    }
    document["components"]["headers"] = headers
    for path, operations in document["paths"].items():
        if not path.startswith(LIMITED):
            continue
        for operation in operations.values():
            answers = operation["responses"]
            answers["429"] = problems(429)[429] | {"headers": {name: _header(name) for name in headers}}
            for status, answer in answers.items():
                if status.startswith("2"):
                    answer.setdefault("headers", {}).update({name: _header(name) for name in HEADERS})


def _header(name: str) -> dict[str, str]:
    return {"$ref": f"#/components/headers/{name}"}


def _drop_nulls_of_parameters(document: dict[str, Any]) -> None:
    """Says of an optional parameter only what it is where it is given: left out it may be, null it cannot be."""
    for path in document["paths"].values():
        for operation in path.values():
            for parameter in operation.get("parameters", []):
                if choices := parameter["schema"].pop("anyOf", None):
                    parameter["schema"] |= choices[0]


def _drop_fastapis_errors(document: dict[str, Any]) -> None:
    """Takes out the 422 that FastAPI adds where we document none: what it speaks of is answered with 400 there."""
    for path in document["paths"].values():
        for operation in path.values():
            if "application/json" in operation["responses"].get("422", {}).get("content", {}):
                del operation["responses"]["422"]
    for name in ("HTTPValidationError", "ValidationError"):
        del document["components"]["schemas"][name]
