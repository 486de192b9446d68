"""What the log tells of requests: an id for each, and from `info` on a line at its end.

No line has a query, since that may carry a ticket, nor a path, since that may be anything; an address only at `debug`.
"""

import logging
import re
import time
from collections.abc import Sequence
from http import HTTPStatus
from itertools import count
from typing import Final

from fastapi.datastructures import Headers
from fastapi.routing import iter_route_contexts
from starlette.routing import BaseRoute
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from service.telemetry import logs
from service.web.health import PROBES
from service.web.problems import REQUEST_ID

_GIVEN: Final = re.compile(r"[A-Za-z0-9-]{8,64}")
_SESSION: Final = re.compile(r"[0-9a-f]{32}")
_STARTS: Final = frozenset({"http.response.start", "websocket.accept", "websocket.http.response.start"})

_log = logging.getLogger(__name__)


class Access:
    """Gives each request the id that a proxy gave it, or one that begins with the process, and answers with it."""

    def __init__(self, app: ASGIApp, process: str, routes: Sequence[BaseRoute]) -> None:
        self._app, self._process, self._numbers = app, process, count(1)
        contexts = iter_route_contexts(routes)
        self._templates = {one.endpoint: str(one.path) for one in contexts if getattr(one, "endpoint", None)}

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "lifespan":
            await self._app(scope, receive, send)
            return
        given = Headers(scope=scope).get(REQUEST_ID, "")
        request = given if _GIVEN.fullmatch(given) else f"{self._process}-{next(self._numbers)}"
        logs.begin(request)
        send = _with((REQUEST_ID.lower().encode(), request.encode()), send)
        if _log.isEnabledFor(logging.INFO):
            scope.setdefault("state", {}).update(request=request, began=time.perf_counter())
            await self._tell_end(scope, receive, send)
        else:
            await self._app(scope, receive, send)

    async def _tell_end(self, scope: Scope, receive: Receive, send: Send) -> None:
        status = HTTPStatus.INTERNAL_SERVER_ERROR.value

        async def seen(message: Message) -> None:
            nonlocal status
            if message["type"] in _STARTS:
                status = message.get("status", 0)
            elif message["type"] == "websocket.close":
                status = HTTPStatus.FORBIDDEN.value
            await send(message)

        try:
            await self._app(scope, receive, seen)
        finally:
            if status:  # else it is a socket that was let in, of whose end its driver tells
                tell(scope, "answered", self._templates.get(scope.get("endpoint")), status)


def tell_socket(scope: Scope, code: int, player: str | None) -> None:
    """Logs the end of a socket, from `info` on."""
    if "began" in scope.get("state", {}):
        request, route = scope["state"]["request"], scope["route"].path
        tell(scope, "a socket has ended", route, code, request=request, player=player)


def tell(scope: Scope, what: str, route: str | None, status: int, **more: object) -> None:
    """Logs the end of a request or of a socket."""
    session = scope.get("path_params", {}).get("session", "")
    fields = {
        "method": scope.get("method", "WEBSOCKET"),
        "route": route,
        "status": status,
        "ms": round(1000 * (time.perf_counter() - scope["state"]["began"]), 1),
        "session": session if _SESSION.fullmatch(session) else None,
        **more,
    }
    if _log.isEnabledFor(logging.DEBUG) and scope.get("client"):
        fields["address"] = scope["client"][0]
    _log.log(logging.DEBUG if route in PROBES else logging.INFO, what, extra=fields)


def _with(header: tuple[bytes, bytes], send: Send) -> Send:
    """Sends an answer with this header too."""

    async def with_header(message: Message) -> None:
        if message["type"] in _STARTS:
            message["headers"] = [*message.get("headers", []), header]
        await send(message)

    return with_header
