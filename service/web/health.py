"""Whether the process lives, and whether it can serve."""

import asyncio
from typing import Final

import msgspec
from fastapi import APIRouter
from fastapi.responses import Response

from service.ports import StoreUnavailable
from service.web.answers import answer, describes, problems
from service.web.dependencies import Cases
from service.web.problems import going_away, respond

router = APIRouter(tags=["health"])

PROBES: Final = frozenset({"/livez", "/readyz", "/metrics"})
"""What those who watch ask all the time, so that neither the log nor traces are full of it."""
STORE_SECONDS: Final = 1.5
"""How long the store may take to show that it is there."""


class Health(msgspec.Struct, frozen=True):
    """That all is well."""

    status: str


@router.get(
    "/livez",
    operation_id="isLive",
    summary="Is the process alive?",
    responses={200: describes(Health, "It is.")},
)
async def livez() -> Response:
    """Answers while the event loop turns; asks nothing of the store."""
    return answer(Health("live"))


@router.get(
    "/readyz",
    operation_id="isReady",
    summary="Can it serve?",
    responses={200: describes(Health, "It can."), **problems()},
)
async def readyz(cases: Cases) -> Response:
    """Asks the store, and waits for its answer a moment only."""
    if cases.sockets.will_leave:
        return respond(going_away())
    try:
        async with asyncio.timeout(STORE_SECONDS):
            await cases.store.check()
    except TimeoutError as error:
        raise StoreUnavailable("no answer in time") from error
    return answer(Health("ready"))
