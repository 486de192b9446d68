"""The routes of what happens in a session: its history, a long poll, and a stream of server-sent events."""

import asyncio
from collections.abc import AsyncGenerator
from contextlib import suppress
from typing import Annotated, Final

from fastapi import APIRouter, Header, Query
from fastapi.responses import Response
from starlette.types import Receive, Scope, Send

from service.ports import StoreUnavailable
from service.protocol import shapes
from service.protocol.connection import RETRY_MS
from service.usecases.errors import UseCaseError
from service.usecases.feed import Told, events, follow
from service.usecases.tasks import until_one_ends
from service.web.answers import VARY, answer, describes, problems
from service.web.dependencies import ALSO_WITHOUT_TOKEN, Cases, SessionId, Viewer, noted, place_at
from service.web.rates import address_of
from service.web.sockets import Sockets
from service.web.waiting import until_gone

router = APIRouter()

EVENT_STREAM: Final = "text/event-stream"
_HEADERS: Final = {"Cache-Control": "no-store", "X-Accel-Buffering": "no", **VARY}
"""A stream is for whoever asked, and a proxy should pass each event on at once."""
_NO_NEWS: Final = b":\n\n"

Crc = Annotated[str | None, Query(pattern=shapes.CRC_PATTERN, description="The `crc` that came with it.")]


@router.get(
    "/{session}/history",
    operation_id="readHistory",
    openapi_extra=ALSO_WITHOUT_TOKEN,
    summary="See what happened",
    responses={
        200: describes(shapes.HistoryPage, "How it stood at a place, and the entries after it."),
        **problems(400, 401, 403, 404, 409),
    },
)
async def read_history(
    cases: Cases,
    viewer: Viewer,
    session: SessionId,
    after: Annotated[int, Query(ge=0, lt=2**31, description="The `seq` of the place to begin at.")] = 0,
    limit: Annotated[int, Query(ge=1, le=500, description="How many entries at most.")] = 500,
) -> Response:
    """Every position that a session has had, to be drawn without knowing the rules: from the deal on, or from later."""
    found = await cases.sessions.history(session, viewer, after, limit)
    return answer(found, headers={"Cache-Control": "no-store", **VARY})


@router.get(
    "/{session}/events",
    operation_id="readEvents",
    openapi_extra=ALSO_WITHOUT_TOKEN,
    summary="Wait for what happens",
    responses={
        200: describes(shapes.Events, "The entries after your place, or the session anew."),
        **problems(400, 401, 403, 404, 409),
    },
)
async def read_events(
    cases: Cases,
    viewer: Viewer,
    session: SessionId,
    after: Annotated[int, Query(ge=0, lt=2**31, description="The `seq` that you have.")],
    crc: Crc = None,
    wait: Annotated[float, Query(ge=0, le=30, description="Seconds to wait for the first.")] = 0,
) -> Response:
    """A long poll: answers at once where there is something, else when there is, or empty after `wait`."""
    found = await events(cases.live, session, viewer, place_at(after, crc), wait)
    return answer(found, headers={"Cache-Control": "no-store", **VARY})


@router.get(
    "/{session}/stream",
    operation_id="streamEvents",
    response_class=Response,
    openapi_extra=ALSO_WITHOUT_TOKEN,
    summary="Be told what happens",
    responses={
        200: {
            "description": "Server-sent events, each with a message of the socket's.",
            "content": {EVENT_STREAM: {"schema": {"type": "string"}}},
        },
        **problems(400, 401, 403, 404, 409),
    },
)
async def stream_events(
    cases: Cases,
    viewer: Viewer,
    session: SessionId,
    after: Annotated[int | None, Query(ge=0, lt=2**31, description="The `seq` that you have.")] = None,
    crc: Crc = None,
    ticket: Annotated[
        str | None, Query(max_length=100, description="Says who you are where headers cannot be set; good once.")
    ] = None,
    last_event_id: Annotated[
        str | None,
        Header(pattern="^[0-9]{1,10}-[0-9a-f]{8}$", description="The id of the last event that you had."),
    ] = None,
) -> Response:
    """The session, then every event; from your place on, only the events. An `id` names the place it brings you to.

    `Last-Event-ID` goes before `after` and `crc`. A ticket is used up by its first stream: to come back, get another.
    """
    if ticket is not None:
        viewer = noted(await cases.players.by_ticket(ticket)).id
    place = None if after is None else place_at(after, crc)
    if last_event_id is not None:
        seq, _, crc = last_event_id.partition("-")
        place = place_at(int(seq), crc)
    told = follow(cases.live, session, viewer, place)
    await anext(told)  # raises what is to be answered with a problem
    return EventStream(told, cases.sockets)


class EventStream(Response):
    """What a follower is told, until its client goes, the session cannot be read, or the service stops.

    It counts as a socket. FastAPI's own would begin before it is known whether the session may be followed, and could
    not say at the end when to come back.
    """

    def __init__(self, told: AsyncGenerator[Told | None], sockets: Sockets) -> None:
        super().__init__(headers=_HEADERS, media_type=EVENT_STREAM)
        del self.headers["Content-Length"]
        self._told, self._sockets = told, sockets
        self._retry_ms = RETRY_MS
        self._is_leaving = asyncio.Event()

    def leave(self, retry_ms: int) -> None:
        """Ends it, and has the client come back after so many milliseconds."""
        self._retry_ms = retry_ms
        self._is_leaving.set()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        self._sockets.enter(self.leave, address_of(scope), is_stream=True)
        try:
            await send({"type": "http.response.start", "status": self.status_code, "headers": self.raw_headers})
            await until_one_ends(self._tell(send), self._leave(), until_gone(receive))
            await send({"type": "http.response.body", "body": self._retry, "more_body": False})
        finally:
            self._sockets.exit(self.leave)
            await self._told.aclose()

    @property
    def _retry(self) -> bytes:
        return b"retry: %d\n\n" % self._retry_ms

    async def _tell(self, send: Send) -> None:
        await send({"type": "http.response.body", "body": self._retry, "more_body": True})
        with suppress(UseCaseError, StoreUnavailable):  # whoever comes back is answered with it
            async for told in self._told:
                await send({"type": "http.response.body", "body": encoded(told), "more_body": True})

    async def _leave(self) -> None:
        await self._is_leaving.wait()


def encoded(told: Told | None) -> bytes:
    """A server-sent event, or a comment where there is none."""
    if told is None:
        return _NO_NEWS
    name = b"id: %d-%08x\n" % told.place if told.place else b""
    return b"event: %b\n%bdata: %b\n\n" % (told.kind.encode(), name, told.frame)
