"""A client that says what no library would: frames byte by byte, good and bad."""

import asyncio
import base64
import contextlib
import os
import struct
from collections.abc import AsyncIterator, Mapping
from enum import IntEnum
from typing import NamedTuple

from tests.live.client import PATIENCE

SMALL, MEDIUM = 126, 2**16  # bytes from which on a payload's length takes two bytes, and eight


class Op(IntEnum):
    """What a frame is."""

    MORE, TEXT, BINARY, CLOSE, PING, PONG = 0, 1, 2, 8, 9, 10


class Frame(NamedTuple):
    """What came in a frame."""

    op: Op
    payload: bytes

    @property
    def code(self) -> int | None:
        """The code of a close, where it has one."""
        return int.from_bytes(self.payload[:2]) if self.payload else None


def frame(op: int, payload: bytes = b"", *, fin: bool = True, reserved: int = 0, mask: bytes | None = None) -> bytes:
    """A frame of a client's; without a mask where that is empty, with the mask of zeros where there is none."""
    mask = bytes(4) if mask is None else mask
    masked = 0x80 if mask else 0
    first, length = fin << 7 | reserved << 4 | op, len(payload)
    if length < SMALL:
        head = struct.pack(">BB", first, masked | length)
    elif length < MEDIUM:
        head = struct.pack(">BBH", first, masked | SMALL, length)
    else:
        head = struct.pack(">BBQ", first, masked | SMALL + 1, length)
    return head + mask + (xor(payload, mask) if any(mask) else payload)


def xor(payload: bytes, mask: bytes) -> bytes:
    """The payload under a mask, or from under it."""
    length = len(payload)
    repeated = (mask * (length // 4 + 1))[:length]
    return (int.from_bytes(payload) ^ int.from_bytes(repeated)).to_bytes(length)


class Raw:
    """A link on which bytes are sent, and frames come back; `status` is what the handshake was answered with."""

    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self._reader, self._writer = reader, writer
        self._came = bytearray()
        self.status = 0

    async def shake_hands(self, path: str, headers: Mapping[str, str]) -> None:
        key = base64.b64encode(os.urandom(16)).decode()
        asked = {"Host": "localhost", "Upgrade": "websocket", "Connection": "Upgrade", "Sec-WebSocket-Key": key}
        lines = [f"{name}: {value}" for name, value in {**asked, "Sec-WebSocket-Version": "13", **headers}.items()]
        await self.send("\r\n".join([f"GET {path} HTTP/1.1", *lines, "", ""]).encode())
        async with asyncio.timeout(PATIENCE):
            answer = await self._reader.readuntil(b"\r\n\r\n")
        self.status = int(answer.split()[1])

    async def send(self, data: bytes) -> None:
        """Sends; whoever has gone meanwhile says why in what it sent before."""
        with contextlib.suppress(ConnectionError):
            self._writer.write(data)
            async with asyncio.timeout(PATIENCE):
                await self._writer.drain()

    async def frames(self) -> list[Frame]:
        """The next frames, as many as came together; none when the server has hung up."""
        while not (frames := self._whole_frames()):
            async with asyncio.timeout(PATIENCE):
                try:
                    data = await self._reader.read(MEDIUM)
                except ConnectionError:
                    data = b""
            if not data:
                return []
            self._came += data
        return frames

    def _whole_frames(self) -> list[Frame]:
        frames, at, came = list[Frame](), 0, self._came
        while len(came) >= at + 2:
            assert came[at] & 0xF0 == 0x80, "the server sends whole messages, and no reserved bits"
            length, begin = came[at + 1], at + 2
            assert length <= SMALL + 1, "the server masks nothing"
            if length >= SMALL:
                width = 2 if length == SMALL else 8
                begin += width
                length = int.from_bytes(came[begin - width : begin])
            if len(came) < begin + length:
                break
            frames.append(Frame(Op(came[at] & 0x0F), bytes(came[begin : begin + length])))
            at = begin + length
        del came[:at]
        return frames


@contextlib.asynccontextmanager
async def raw(url: str, path: str, headers: Mapping[str, str] | None = None) -> AsyncIterator[Raw]:
    """A link whose handshake is done, which is cut off at the end of the context."""
    host, _, port = url.removeprefix("http://").partition(":")
    reader, writer = await asyncio.open_connection(host, int(port))
    link = Raw(reader, writer)
    try:
        await link.shake_hands(path, headers or {})
        yield link
    finally:
        writer.transport.abort()
