"""Counts what requests are answered, and how long each waited for that, by its route."""

from collections.abc import Sequence
from http import HTTPStatus
from time import perf_counter
from typing import Any, Final

from fastapi.routing import iter_route_contexts
from starlette.routing import BaseRoute
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from service.telemetry.meters import Meters

PAGES: Final = "pages"
"""The route of all that is for people to look at: the web client's files and screens, and the pages of the API."""
OTHER: Final = "other"
"""That of an unknown path, and of whatever was refused before anybody looked for one; and a method that is none."""
METRICS: Final = "/metrics"
_METHODS: Final = frozenset({"DELETE", "GET", "HEAD", "OPTIONS", "PATCH", "POST", "PUT"})


class Counting:
    """Counts requests by the templates of paths, so that nobody can make up more of them.

    An answer counts when it begins: a stream goes on for hours.
    """

    def __init__(self, app: ASGIApp, meters: Meters, routes: Sequence[BaseRoute]) -> None:
        self._app, self._meters = app, meters
        self._templates = {
            one.endpoint: str(one.path)
            for one in iter_route_contexts(routes)
            if getattr(one, "include_in_schema", False) or one.path == METRICS
        }

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        began, is_counted = perf_counter(), False

        async def counted(message: Message) -> None:
            nonlocal is_counted
            if message["type"] == "http.response.start":
                is_counted = True
                self._count(scope, message["status"], perf_counter() - began)
            await send(message)

        try:
            await self._app(scope, receive, counted)
        except Exception:
            if not is_counted:  # the problem is answered further out
                self._count(scope, HTTPStatus.INTERNAL_SERVER_ERROR, perf_counter() - began)
            raise

    def _count(self, scope: Scope, status: int, seconds: float) -> None:
        method = scope["method"] if scope["method"] in _METHODS else OTHER
        route = self._route(scope.get("endpoint"))
        self._meters.requests[method, route, str(int(status))] += 1
        self._meters.request_seconds[method, route].add(seconds)

    def _route(self, endpoint: Any) -> str:
        return OTHER if endpoint is None else self._templates.get(endpoint, PAGES)
