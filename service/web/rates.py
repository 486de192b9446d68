"""How often things may be done: by a player, from an address, and counted in this process alone.

The package `limits` was measured at 3 to 5 µs a hit, where a move over a socket has 2 to spare; it forgets by a thread
of its own, and holds as many keys as anybody makes up.
"""

import time
from collections.abc import Callable, Hashable
from dataclasses import dataclass
from functools import lru_cache
from ipaddress import IPv6Address, IPv6Network, ip_address
from math import ceil
from typing import Final

from fastapi.datastructures import Headers
from fastapi.security.utils import get_authorization_scheme_param
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from service.telemetry.meters import Meters
from service.web.problems import rate_limited, respond

MAX_KEYS: Final = 50_000
"""Keys that a rate learns before it forgets those of the turn before: it holds twice as many at most."""
HEADERS: Final = {
    "RateLimit-Limit": "How often this may be done at once.",
    "RateLimit-Remaining": "How often it may be done now.",
    "RateLimit-Reset": "Seconds until it may be done as often as that again.",
}
LIMITED: Final = "/v1/"
"""The paths that are limited: not those that tell an orchestrator how the process is, nor the pages."""
STREAM: Final = "/stream"
"""The end of the path of a stream, which is as good as a socket."""
_HINTS: Final = ("/hint", "/ask", "/winnable")
_ANALYSIS: Final = "/analysis"
_DEALS: Final = "/v1/deals/"
_ROUNDING: Final = 1e-6
"""Seconds by which sums of times may be wrong."""
_READING: Final = {"GET", "HEAD", "OPTIONS"}
_HOME_BITS: Final = 64
"""The bits of an IPv6 address that a home is given; whoever lives there may choose the others."""
_LONGEST_ADDRESS: Final = 64
_KNOWN_ADDRESSES: Final = 4096


class Rate:
    """At most `limit` in `seconds` for each key, at once or spread out, of which what was used comes back evenly.

    A limit of 0 is none. For each key it keeps only when all of it will be back (the generic cell rate algorithm).
    """

    def __init__(self, limit: int, seconds: float, now: Callable[[], float] = time.monotonic) -> None:
        self.limit, self._seconds, self._now = limit, seconds, now
        self._each = seconds / limit if limit else 0.0
        self._back_at: dict[Hashable, float] = {}
        self._older: dict[Hashable, float] = {}
        self._turn_at = now() + seconds

    def take(self, key: Hashable) -> float:
        """Counts one more for the key and answers 0.0, or counts nothing and answers how many seconds to wait."""
        if not self.limit:
            return 0.0
        now = self._now()
        if now >= self._turn_at or len(self._back_at) >= MAX_KEYS:
            self._turn(now)
        back_at = max(now, self._of(key)) + self._each
        wait = back_at - now - self._seconds
        if wait > _ROUNDING:
            return wait
        self._back_at[key] = back_at
        return 0.0

    def headers(self, key: Hashable) -> dict[str, str]:
        """What is left for the key, as headers of an answer; none where there is no limit."""
        if not self.limit:
            return {}
        used = max(0.0, self._of(key) - self._now())
        left = int((self._seconds - used + _ROUNDING) / self._each)
        return dict(zip(HEADERS, map(str, (self.limit, left, ceil(used - _ROUNDING))), strict=True))

    def _of(self, key: Hashable) -> float:
        return self._back_at.get(key) or self._older.get(key, 0.0)

    def _turn(self, now: float) -> None:
        """Forgets what was not counted since the last turn; after `seconds` that has all come back."""
        self._older, self._back_at = self._back_at, {}
        self._turn_at = now + self._seconds


_UNLIMITED: Final = Rate(0, 1.0)


@dataclass(frozen=True, slots=True)
class Rates:
    """How often each kind of thing may be done: by a player, or from an address where nobody is named."""

    players: Rate = _UNLIMITED
    """Becoming one, from an address."""
    recoveries: Rate = _UNLIMITED
    """Being one again by a recovery code, from an address."""
    sessions: Rate = _UNLIMITED
    """Dealing."""
    tickets: Rate = _UNLIMITED
    commands: Rate = _UNLIMITED
    """All else that changes something, also over a socket."""
    hints: Rate = _UNLIMITED
    """Questions about a board: its next move, or whether it can be won."""
    analyses: Rate = _UNLIMITED
    """Questions that take many searches: about a whole game, or a deal, or for one that can be won."""
    reads: Rate = _UNLIMITED
    polls: Rate = _UNLIMITED
    requests: Rate = _UNLIMITED
    """All of these together, and opening sockets, from an address."""

    def of(self, method: str, path: str) -> Rate:
        """The rate of a request."""
        if path.endswith(_HINTS):
            return self.hints
        if is_for_solver(path):
            return self.analyses
        if method in _READING:
            return self.polls if path.endswith(("/events", STREAM)) else self.reads
        made = {
            "/v1/players": self.players,
            "/v1/players/recover": self.recoveries,
            "/v1/sessions": self.sessions,
            "/v1/tickets": self.tickets,
        }
        return made.get(path, self.commands)


def is_for_solver(path: str) -> bool:
    """Whether a path is for questions that may take a search."""
    return path.endswith((*_HINTS, _ANALYSIS)) or path.startswith(_DEALS)


class RateLimit:
    """Refuses what is done too often before anything is read for it, and has other answers tell what is left.

    A player is known by the token here: whoever makes tokens up is held back by the rate of the address.
    """

    def __init__(self, app: ASGIApp, rates: Rates, meters: Meters) -> None:
        self._app, self._rates, self._meters = app, rates, meters

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "lifespan" or not scope["path"].startswith(LIMITED):
            await self._app(scope, receive, send)
            return
        address = address_of(scope)
        rate, key = self._rates.requests, hash(address)
        wait = rate.take(key)
        if not wait and scope["type"] == "http":
            rate, key = self._rate_of(scope, address)
            wait = rate.take(key)
        if wait:
            refusal = rate_limited(wait)
            self._meters.refused[refusal.code] += 1
            headers = {"Retry-After": str(ceil(wait)), **rate.headers(key)}
            await respond(refusal, headers)(scope, receive, send)
        elif scope["type"] == "http":
            await self._app(scope, receive, _telling(rate.headers(key), send))
        else:
            await self._app(scope, receive, send)

    def _rate_of(self, scope: Scope, address: str) -> tuple[Rate, int]:
        """The rate of a request and the key that it counts for: a hash, so that no token is kept."""
        rate = self._rates.of(scope["method"], scope["path"])
        _, token = get_authorization_scheme_param(Headers(scope=scope).get("authorization"))
        return rate, hash(address if not token or rate in {self._rates.players, self._rates.recoveries} else token)


def _telling(left: dict[str, str], send: Send) -> Send:
    """Sends an answer with these headers too."""
    told = [(name.lower().encode(), value.encode()) for name, value in left.items()]

    async def tell(message: Message) -> None:
        if message["type"] == "http.response.start":
            message["headers"] = [*message["headers"], *told]
        await send(message)

    return tell


def address_of(scope: Scope) -> str:
    """Whom a limit counts for: the peer, or who a trusted proxy says it is; of IPv6 the network of a home."""
    client = scope.get("client")
    return _counted(client[0][:_LONGEST_ADDRESS]) if client else ""


@lru_cache(_KNOWN_ADDRESSES)
def _counted(host: str) -> str:
    try:
        address = ip_address(host)
    except ValueError:  # what a proxy calls somebody
        return host
    if isinstance(address, IPv6Address):
        return str(address.ipv4_mapped or IPv6Network((address, _HOME_BITS), strict=False))
    return host
