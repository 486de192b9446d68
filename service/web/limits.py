"""How much is let in, and of a request how much is read."""

from collections.abc import Set
from dataclasses import dataclass, field
from http import HTTPStatus

from fastapi import HTTPException
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from service.telemetry.meters import Meters
from service.web.problems import too_large
from service.web.rates import Rates


@dataclass(frozen=True, slots=True)
class Limits:
    """What an operator sets; as it is, all is let in but sockets of foreign pages. A cap of 0 is none."""

    rates: Rates = field(default_factory=Rates)
    sockets: int = 0
    sockets_per_address: int = 0
    origins: Set[str] = frozenset()
    """Whose pages may open sockets, beside the service's own."""


class BodyLimit:
    """Refuses a body once more than `limit` bytes of it were read, by an exception; FastAPI's own limit sends text."""

    def __init__(self, app: ASGIApp, limit: int, meters: Meters) -> None:
        self._app, self._limit, self._meters = app, limit, meters

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        left = self._limit

        async def counted() -> Message:
            nonlocal left
            message = await receive()
            left -= len(message.get("body", b""))
            if left < 0:
                self._meters.refused[too_large().code] += 1
                raise HTTPException(HTTPStatus.REQUEST_ENTITY_TOO_LARGE)
            return message

        await self._app(scope, counted if scope["type"] == "http" else receive, send)
