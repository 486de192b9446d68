"""The WebSocket of live play: uvicorn's own, with a short way for the frames of play.

uvicorn's class asks the application, as ever. Once a route has given the socket to a talk, no task waits on it: what
comes is told to the talk, which sends when it likes. A whole, short, masked text frame, as every command is, is read
here; all others are left to the `websockets` library, one whole frame at a time, so that a frame begins wherever
either goes on.
"""

from typing import Final, Protocol

from fastapi import WebSocket
from uvicorn.protocols.utils import ClientDisconnected
from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol
from websockets.speedups import apply_mask

_EXTENSION: Final = "constitution.live"
_WHOLE_TEXT: Final = 0x81
"""The first byte of a text frame that is a whole message."""
_MASKED: Final = 0x80
_LENGTH: Final = 0x7F
_IN_TWO_BYTES: Final = 126
"""The length that says that two more bytes tell it; the next one says that eight do."""
_MASK_BYTES: Final = 4
_SHORT_HEAD: Final = 2 + _MASK_BYTES
"""The bytes before a masked text of less than 126."""
_COMMON: Final = 1024
"""The length under which nearly all is that is sent."""
_GONE: Final = 1006
"""The code of a connection that ended without one."""
_FRAMES_A_TURN: Final = 256
"""Frames of one socket that are heard in one turn of the loop, so that others have theirs."""


class Talk(Protocol):
    """What a socket tells to whoever has taken it."""

    def receive(self, message: str | bytes) -> None:
        """A message has come: a text, or the bytes of a binary one."""
        ...

    def stall(self) -> None:
        """The peer does not read, and what is sent only piles up."""
        ...

    def resume(self) -> None:
        """The peer reads again."""
        ...

    def gone(self) -> None:
        """Nothing comes or goes any more."""
        ...


class LiveSocket(WebSocketsSansIOProtocol):
    """A socket that a route may give to a talk."""

    _talk: Talk | None = None
    _rest: bytes = b""
    """What was read and is yet to be heard, or the beginning of a frame."""
    _is_paused = False
    """Whether the transport reads nothing, until what was read is heard."""

    def take(self, talk: Talk) -> None:
        """Gives the accepted socket to a talk, for good."""
        self._talk = talk
        while not self.queue.empty():
            early = self.queue.get_nowait()
            if early["type"] == "websocket.receive":
                talk.receive(early.get("text") or early.get("bytes") or "")
        self.hold_back(is_full=False)

    def send_texts(self, texts: list[bytes]) -> None:
        """Sends each as a text frame."""
        if not (self.close_sent or self.transport.is_closing()):
            frames: list[bytes] = []
            for text in texts:
                length = len(text)
                frames += (_HEADERS[length] if length < _COMMON else _header(length), text)
            self.transport.write(b"".join(frames))

    def hold_back(self, is_full: bool) -> None:
        """Hears no more of a peer that says too much at once, until it is less."""
        if is_full is not self.read_paused:
            self.read_paused = is_full
            self._pause()
            if not is_full:
                self.loop.call_soon(self.data_received, b"")

    def _pause(self) -> None:
        if not (self._is_paused or self.transport.is_closing()):
            self._is_paused = True
            self.transport.pause_reading()

    def end(self, code: int) -> None:
        """Closes the socket behind all that was sent; the peer has some seconds to agree."""
        if not (self.close_sent or self.transport.is_closing()):
            self.conn.send_close(code)
            self.transport.write(b"".join(self.conn.data_to_send()))
            self.close_sent = True
            self.close_timer = self.loop.call_later(self.close_timeout, self.transport.close)

    @property
    def close_code(self) -> int:
        """What the peer closed it with; 1006 where it was just gone."""
        received = self.conn.close_rcvd
        return received.code if received else _GONE

    def abort(self) -> None:
        """Drops the connection with all that was not sent."""
        self.transport.abort()

    def data_received(self, data: bytes) -> None:
        talk = self._talk
        if talk is None:
            super().data_received(data)
            return
        size = len(data) - _SHORT_HEAD
        if (
            0 <= size < _IN_TWO_BYTES
            and data[0] == _WHOLE_TEXT
            and data[1] == _MASKED | size
            and not (self._rest or self.frames or self.read_paused)
            and (text := _text(apply_mask(data[_SHORT_HEAD:], data[2:_SHORT_HEAD]))) is not None
        ):  # one short command and nothing else, as nearly always
            talk.receive(text)
        else:
            self._hear(talk, self._rest + data)

    def _hear(self, talk: Talk, data: bytes) -> None:
        """Tells the talk all messages in what has come, and keeps the beginning of the next."""
        start, size, left = 0, len(data), _FRAMES_A_TURN
        while size - start >= 2 and left and not self.read_paused and not self.transport.is_closing():
            length, body = data[start + 1] & _LENGTH, start + 2
            if length >= _IN_TWO_BYTES:
                body += 2 if length == _IN_TWO_BYTES else 8
                length = int.from_bytes(data[start + 2 : body], "big")
            is_masked = data[start + 1] & _MASKED
            if is_masked:
                body += _MASK_BYTES
            end, is_small = body + length, length <= self.config.ws_max_size
            if body > size or (end > size and is_small):
                break
            text = None
            if data[start] == _WHOLE_TEXT and is_masked and is_small and not self.frames:
                text = _text(apply_mask(data[body:end], data[body - _MASK_BYTES : body]))
            if text is None:
                super().data_received(data[start:end])
            else:
                talk.receive(text)
            start, left = end, left - 1
        self._rest = data[start:]
        if not left:
            self._pause()
            self.loop.call_soon(self.data_received, b"")
        elif self._is_paused and not (self.read_paused or self.transport.is_closing()):
            self._is_paused = False
            self.transport.resume_reading()

    def send_receive_event_to_app(self) -> None:
        if self._talk is None:
            super().send_receive_event_to_app()
            return
        data = b"".join(self.frames)
        self.frames = []
        message = _text(data) if self.curr_msg_data_type == "text" else data
        if message is None:
            self.conn.fail(1007, "a text has to be UTF-8")
            self.handle_parser_exception()
        elif not self.close_sent:
            self._talk.receive(message)

    def pause_writing(self) -> None:
        super().pause_writing()
        if self._talk:
            self._talk.stall()

    def resume_writing(self) -> None:
        super().resume_writing()
        if self._talk:
            self._talk.resume()

    def connection_lost(self, exc: Exception | None) -> None:
        super().connection_lost(exc)
        if self._talk:
            self._talk.gone()

    async def run_asgi(self) -> None:
        """Asks the application, and leaves the socket open only to a talk."""
        self.scope["extensions"][_EXTENSION] = {"socket": self}
        try:
            await self.app(self.scope, self.receive, self.send)
        except ClientDisconnected:
            pass
        except Exception:
            self.logger.exception("a socket's route failed")
        if self._talk is None:
            self.send_500_response()
            if self.close_timer is None:
                self.transport.close()


def live_socket(socket: WebSocket) -> LiveSocket:
    """The socket of uvicorn's that is behind Starlette's."""
    found: LiveSocket = socket.scope["extensions"][_EXTENSION]["socket"]
    return found


def _text(message: bytes) -> str | None:
    """The text in UTF-8, or None where it is none."""
    try:
        return message.decode()
    except UnicodeDecodeError:
        return None


def _header(length: int) -> bytes:
    """The first bytes of an unmasked frame that is a whole text of so many bytes."""
    if length < _IN_TWO_BYTES:
        return bytes((_WHOLE_TEXT, length))
    if length < 1 << 16:
        return b"\x81\x7e" + length.to_bytes(2, "big")
    return b"\x81\x7f" + length.to_bytes(8, "big")


_HEADERS: Final = tuple(map(_header, range(_COMMON)))
