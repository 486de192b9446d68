"""How a request is taken in: uvicorn's own way, but not for ever, and not with a head of any length.

A proxy sees to that too; this is for a service that is reached without one. On Windows, where there is no httptools,
uvicorn takes h11, which bounds the head alone.
"""

import asyncio
from typing import ClassVar, Final

from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol

MAX_HEAD: Final = 64 * 1024
"""The largest head of a request, in bytes; what comes at once with its end may be more."""


class Intake(HttpToolsProtocol):
    """A connection that ends when a request is not there whole in time, or its head is too large."""

    seconds: ClassVar = 20.0
    """How long a request may take to come, from when the connection is there or the request has begun."""

    _deadline: asyncio.TimerHandle | None = None
    _head: int | None = None
    """The bytes that have come of a head that is not whole; None where there is none."""

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override] # as uvicorn's does
        super().connection_made(transport)
        self._wait()

    def data_received(self, data: bytes) -> None:
        super().data_received(data)
        if self._head is not None:
            self._head += len(data)
            if self._head > MAX_HEAD and not self.transport.is_closing():
                self.send_400_response("The head of this request is too large.")

    def on_message_begin(self) -> None:
        super().on_message_begin()
        self._head = 0
        self._wait()

    def on_headers_complete(self) -> None:
        self._head = None
        super().on_headers_complete()

    def on_message_complete(self) -> None:
        super().on_message_complete()
        self._wait_no_more()

    def handle_websocket_upgrade(self) -> None:
        self._wait_no_more()
        super().handle_websocket_upgrade()

    def connection_lost(self, exc: Exception | None) -> None:
        self._wait_no_more()
        super().connection_lost(exc)

    def _wait(self) -> None:
        self._wait_no_more()
        self._deadline = self.loop.call_later(self.seconds, self._give_up)

    def _wait_no_more(self) -> None:
        if self._deadline:
            self._deadline.cancel()
            self._deadline = None

    def _give_up(self) -> None:
        if self.flow.read_paused:  # what there is was not read, for another request comes first
            self._wait()
        else:
            self.transport.close()
