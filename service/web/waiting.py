"""Work that is done while somebody waits for it, and no longer."""

import asyncio
from collections.abc import Coroutine
from typing import Any

from fastapi import Request
from fastapi.responses import Response
from starlette.types import Receive

from service.web.dependencies import use_cases
from service.web.problems import going_away, respond


async def while_waited(request: Request, work: Coroutine[Any, Any, Response]) -> Response:
    """The answer that the work comes to, which is cancelled when the client goes away or the service stops.

    The request's body has been read.
    """
    working, going = asyncio.create_task(work), asyncio.create_task(until_gone(request.receive))
    stopping = asyncio.create_task(use_cases(request).live.stopped.wait())
    try:
        await asyncio.wait([working, going, stopping], return_when=asyncio.FIRST_COMPLETED)
        return working.result() if working.done() else respond(going_away())  # which nobody hears who has gone
    finally:
        for task in (working, going, stopping):
            task.cancel()


async def until_gone(receive: Receive) -> None:
    """Returns when the client has gone."""
    while (await receive())["type"] != "http.disconnect":
        pass
