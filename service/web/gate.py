"""Who may open a socket. It is asked before one is accepted: HTTP middleware, as that of CORS, never sees sockets."""

from http import HTTPStatus
from typing import Final

from fastapi.datastructures import Headers
from starlette.types import ASGIApp, Receive, Scope, Send

from service.telemetry.meters import Meters
from service.web.limits import Limits
from service.web.problems import Problem, problem, respond
from service.web.rates import STREAM, address_of
from service.web.sockets import Sockets

_SCHEMES: Final = {"ws": ("http", ":80"), "wss": ("https", ":443")}
"""What the page that opens a socket was loaded by, and the port that its origin leaves out."""


class Gate:
    """Turns a socket away with a problem: a page's of an origin that is not listed, and one too many.

    A stream of events is one too many like a socket; its page's origin matters as little as that of any request.
    """

    def __init__(self, app: ASGIApp, limits: Limits, sockets: Sockets, meters: Meters) -> None:
        self._app, self._limits, self._sockets, self._meters = app, limits, sockets, meters

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if refusal := self._why_not(scope):
            self._meters.refused[refusal.code] += 1
            await respond(refusal)(scope, receive, send)
        else:
            await self._app(scope, receive, send)

    def _why_not(self, scope: Scope) -> Problem | None:
        if scope["type"] == "websocket" and not self._lets_in(scope):
            return problem(HTTPStatus.FORBIDDEN, "foreign_origin", "Pages of this origin may not open sockets here.")
        if scope["type"] == "websocket" or (scope["type"] == "http" and scope["path"].endswith(STREAM)):
            return self._no_room(scope)
        return None

    def _no_room(self, scope: Scope) -> Problem | None:
        limits, sockets = self._limits, self._sockets
        if limits.sockets and sockets.total >= limits.sockets:
            detail = "There are as many sockets as this replica takes; try again, another may have room."
            return problem(HTTPStatus.SERVICE_UNAVAILABLE, "too_many_sockets", detail)
        if limits.sockets_per_address and sockets.of(address_of(scope)) >= limits.sockets_per_address:
            detail = "There are as many sockets from your address as this replica takes; close one."
            return problem(HTTPStatus.TOO_MANY_REQUESTS, "too_many_sockets", detail)
        return None

    def _lets_in(self, scope: Scope) -> bool:
        """Whether the origin is this service's own, or listed exactly; a program names none."""
        headers, (scheme, port) = Headers(scope=scope), _SCHEMES[scope["scheme"]]
        origin = headers.get("origin")
        own = f"{scheme}://{headers.get('host', '').lower().removesuffix(port)}"
        return origin is None or origin == own or origin in self._limits.origins
