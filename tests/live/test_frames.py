"""Frames as they come off the wire: in any packets, of any length, with whatever between."""

import asyncio
import struct
from collections.abc import AsyncIterator
from typing import NamedTuple

import pytest

from service.serving import MAX_FRAME
from tests.live.raw import Frame, Op, Raw, frame, raw

HELLO = frame(Op.TEXT, b'{"type":"hello","v":1}')
PING = frame(Op.TEXT, b'{"type":"ping"}', mask=b"mask")
PONG = Frame(Op.TEXT, b'{"type":"pong"}')
PART, REST = frame(Op.TEXT, b'{"type":', fin=False), frame(Op.MORE, b'"ping"}', mask=b"other"[:4])
LARGEST = frame(Op.TEXT, b'{"type":"ping"}'.ljust(MAX_FRAME), mask=b"mask")
TOO_LARGE = frame(Op.TEXT, b'{"type":"ping"}'.ljust(MAX_FRAME + 1), mask=b"mask")
MASK, BODY = PING[2:6], PING[6:]


class Closed(NamedTuple):
    """A close, whatever its reason."""

    code: int | None


@pytest.fixture
async def link(service: str) -> AsyncIterator[Raw]:
    """A link that has had its welcome."""
    async with raw(service, "/v1/live") as one:
        await one.send(HELLO)
        assert len(await heard(one, 1)) == 1
        yield one


@pytest.mark.parametrize(
    ("sent", "answers"),
    [
        ([PING], [PONG]),
        ([3 * PING], 3 * [PONG]),
        ([PING[:1], PING[1:] + PING[:1], PING[1:]], 2 * [PONG]),
        ([bytes([byte]) for byte in 2 * PING], 2 * [PONG]),
        ([PART + REST], [PONG]),
        ([PART, REST + PING], 2 * [PONG]),
        ([PART + frame(Op.PING, b"!") + frame(Op.PONG, b"?") + REST], [Frame(Op.PONG, b"!"), PONG]),
        ([PING + frame(Op.PING, b"!") + PING], [PONG, Frame(Op.PONG, b"!"), PONG]),
        ([PING[:1] + bytes([0x80 | 126]) + struct.pack(">H", len(BODY)) + MASK + BODY], [PONG]),
        ([PING[:1] + bytes([0x80 | 127]) + struct.pack(">Q", len(BODY)) + MASK + BODY], [PONG]),
        ([LARGEST], [PONG]),
        ([LARGEST[:5], LARGEST[5:9000], LARGEST[9000:]], [PONG]),
        ([TOO_LARGE], [Closed(1009)]),
        ([TOO_LARGE[:8]], [Closed(1009)]),
        ([b"\x81\xff\0\1\0\0", b"\x81\x80\0\0" + bytes(8)], [Closed(1009)]),
        ([PING + TOO_LARGE[:8]], [PONG, Closed(1009)]),
        ([PART + PING + REST], [Closed(1002)]),
        ([PING + REST], [PONG, Closed(1002)]),
        ([PING + frame(Op.TEXT, b"{}", mask=b"")], [PONG, Closed(1002)]),
        ([frame(Op.TEXT, b'{"type":"\xc3"}')], [Closed(1007)]),
        ([frame(Op.TEXT, b'{"\xe2', fin=False) + frame(Op.MORE, b'\x82":1}') + PING], [Closed(1007)]),
        ([frame(Op.CLOSE, struct.pack(">H", 1000)) + PING], [Closed(1000)]),
    ],
)
async def test_what_comes_is_answered_in_its_order(link: Raw, sent: list[bytes], answers: list[Frame | Closed]) -> None:
    for packet in sent:
        await link.send(packet)
        await asyncio.sleep(0.01)

    assert await heard(link, len(answers)) == answers


async def test_a_frame_may_be_cut_anywhere(link: Raw) -> None:
    for cut in range(1, len(PING)):
        await link.send(PING[:cut])
        await asyncio.sleep(0.002)
        await link.send(PING[cut:])
        assert await heard(link, 1) == [PONG]


async def heard(link: Raw, count: int) -> list[Frame | Closed]:
    """As many frames as are awaited, or all up to the end."""
    frames = list[Frame | Closed]()
    while len(frames) < count and (more := await link.frames()):
        frames += [Closed(one.code) if one.op == Op.CLOSE else one for one in more]
    return frames
