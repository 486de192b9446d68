"""Lets questions for the solver in one by one, so that moves have the event loop between them.

Such a request is ten times the work of a move, in a dozen steps. When many are begun at once, those that wait for the
same answers of the store go on together, all of them in one turn of the loop, and whoever moves just then waits for
all. Begun one by one they go on one by one.
"""

import asyncio
from typing import Final

from starlette.types import ASGIApp, Receive, Scope, Send

from service.telemetry.meters import Meters
from service.web.problems import busy, respond
from service.web.rates import is_for_solver

PAUSE_SECONDS: Final = 0.005
"""From one to the next: about as long as one takes, but for its search."""
WAITING: Final = 200
"""How many may wait, for a second at most; no more are taken."""


class Door:
    """Those who come wait in a line."""

    def __init__(self, app: ASGIApp, meters: Meters) -> None:
        self._app, self._meters = app, meters
        self._open = asyncio.Lock()
        self._waiting = 0

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "http" and is_for_solver(scope["path"]):
            if self._waiting == WAITING:
                refusal = busy()
                self._meters.refused[refusal.code] += 1
                await respond(refusal)(scope, receive, send)
                return
            await self._pass()
        await self._app(scope, receive, send)

    async def _pass(self) -> None:
        """Waits for those before, and holds up those behind for a while."""
        self._waiting += 1
        try:
            await self._open.acquire()
        finally:
            self._waiting -= 1
        asyncio.get_running_loop().call_later(PAUSE_SECONDS, self._open.release)
