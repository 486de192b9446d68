"""Frames that a broken or hostile client might send: messages gone wrong, and frames that are none."""

import json
from collections.abc import Callable
from dataclasses import dataclass
from random import Random
from typing import Final, NamedTuple

from service.serving import MAX_FRAME
from tests.live.client import Message
from tests.live.raw import SMALL, Op, frame

JUNK: Final = [
    *("null", "true", "-1", "0", "1", "1.5", "1e308", "1e999", "-0.0", "NaN", "2147483648", "18446744073709551616"),
    *('""', '"x"', '"' + "y" * 300 + '"', '"\\u0000"', '"\\ud800"', '"\\udc00\\ud800"', '"\U0001f0a1"', '"session:"'),
    *("[]", "{}", '{"type":"ping"}', "[" * 500 + "]" * 500, '{"a":' * 200 + "1" + "}" * 200, "", "'x'", "/**/1", "00"),
    "9" * 400,
]  # fmt: skip
"""Texts in the place of a member's value, not all of them JSON."""
TEXTS: Final = [
    *(b"", b" ", b"\x00", b"\xef\xbb\xbf{}", b"null", b"{}", b"[]", b'"ping"', b"7", b'{"type":"ping"}{}'),
    *(b"[" * 8000, b'{"type":' * 1500, b'{"type":"ping","x":' + b"[" * 7000 + b"]" * 7000 + b"}", b"9" * 9000),
    *(b'{"type":"' + b"z" * 12000 + b'"}', b'{"type":"pi\\u006eg"}', b'{"type":"Ping"}'),
    b'{"type":"ping"}'.ljust(MAX_FRAME),
]  # fmt: skip
"""Whole texts."""
NO_UTF8: Final = [b"\xff", b"\xc3", b"\xc0\x80", b"\xed\xa0\x80", b"\xf4\x90\x80\x80", b"\x80", b"\xe2\x82"]
MOVES: Final = ["S", "b1G", "a2b1", "Wb4", "b9G", "GG", "a1a1", "", "b1g", "S ", "\U0001f0a1", "a1" * 40]
GOOD_CODES: Final = [1000, 1001, 1002, 1003, *range(1007, 1015), 3000, 3999, 4000, 4011, 4504, 4999]
BAD_CODES: Final = [0, 999, 1004, 1005, 1006, 1015, 1016, 2999, 5000, 65535]


class Said(NamedTuple):
    """A message, in as many frames as it takes; `pings` are the payloads of those between them."""

    op: Op
    payload: bytes
    frames: list[bytes]
    pings: list[bytes]


class Ending(NamedTuple):
    """What ends a socket, and the code that it is closed with."""

    frames: list[bytes]
    code: int | None


@dataclass
class Board:
    """What a fuzzer knows of its session."""

    id: str
    seq: int = 0
    crc: str = "00000000"
    move: str = "S"


class Fuzz:
    """Everything follows from `chance`, and from what is known of the session."""

    def __init__(self, chance: Random, board: Board) -> None:
        self._chance, self._board = chance, board

    def said(self) -> Said:
        """A message, or what might be taken for one, in UTF-8."""
        chance, payload = self._chance, self._payload()
        op = Op.BINARY if chance.random() < 0.05 else Op.TEXT
        if chance.random() < 0.9:
            return Said(op, payload, [self._frame(op, payload)], [])
        return Said(op, payload, *self._in_fragments(op, payload))

    def ping(self) -> bytes:
        """The payload of a ping."""
        return self._chance.randbytes(self._chance.choice([0, 1, 4, SMALL - 1]))

    def pong(self) -> bytes:
        """A pong that nobody asked for."""
        return self._frame(Op.PONG, self.ping())

    def framed_ping(self, payload: bytes) -> bytes:
        return self._frame(Op.PING, payload)

    def ending(self) -> Ending:
        """Frames of which the last is against the protocol, or a close."""
        ending: Ending = self._chance.choice(ENDINGS)(self)
        return ending

    def cut_off(self) -> bytes:
        """Part of a frame."""
        whole = self._frame(Op.TEXT, self._payload() or b"{}")
        return whole[: self._chance.randrange(1, len(whole))]

    def _frame(self, op: int, payload: bytes, *, fin: bool = True, reserved: int = 0) -> bytes:
        return frame(op, payload, fin=fin, reserved=reserved, mask=self._mask())

    def _mask(self) -> bytes:
        return self._chance.randbytes(4) if self._chance.random() < 0.9 else bytes(4)

    def _in_fragments(self, op: Op, payload: bytes) -> tuple[list[bytes], list[bytes]]:
        chance = self._chance
        cuts = sorted(chance.randrange(len(payload) + 1) for _ in range(chance.randrange(1, 4)))
        parts = [payload[begin:end] for begin, end in zip([0, *cuts], [*cuts, len(payload)], strict=True)]
        frames, pings = list[bytes](), list[bytes]()
        for number, part in enumerate(parts):
            frames.append(self._frame(Op.MORE if number else op, part, fin=number == len(parts) - 1))
            if number < len(parts) - 1 and chance.random() < 0.5:
                pings.append(self.ping())
                frames.append(self.framed_ping(pings[-1]))
        return frames, pings

    def _payload(self) -> bytes:
        chance = self._chance
        kind = chance.random()
        if kind < 0.3:
            return written(self._members())
        if kind < 0.6:
            return written(self._broken(self._members()))
        if kind < 0.75:
            text = written(self._members())
            return text[: chance.randrange(len(text))]
        if kind < 0.9:
            garbled = bytearray(written(self._members()))
            for _ in range(chance.randrange(1, 4)):
                garbled[chance.randrange(len(garbled))] = chance.randrange(128)
            return bytes(garbled)
        if kind < 0.99:
            return bytes(chance.randrange(128) for _ in range(chance.randrange(40)))
        return chance.choice(TEXTS)

    def _members(self) -> list[tuple[str, str]]:
        """A message that is good as far as its shape goes, as names and texts of values."""
        chance, board = self._chance, self._board
        session = board.id if chance.random() < 0.7 else chance.choice(["", "none", "0" * 32, "a" * 64, "a" * 65])
        at = chance.choice([board.seq, board.seq, board.seq - 1, board.seq + 1, 0])
        place = {"seq": board.seq, "crc": board.crc} if chance.random() < 0.5 else {}
        command = {"session": session, "at": at, "crc": chance.choice([board.crc, "00000bad"])}
        by = chance.choice(["group", "step"])
        message: Message = chance.choice(
            [
                {"type": "hello", "v": 1, **place},
                {"type": "sub", "topic": f"session:{session}", **place},
                {"type": "unsub", "topic": f"session:{session}"},
                {"type": "play", "move": chance.choice([board.move, chance.choice(MOVES)]), **command},
                {"type": "undo", "by": by, **command},
                {"type": "redo", "by": by, **command},
                {"type": "consent", "count": chance.choice([1, 2, 5000]), **command},
                {"type": "react", "session": session, "phrase": chance.choice(["thanks", "no phrase"])},
                {"type": "ping"},
            ]
        )
        return [(name, json.dumps(value)) for name, value in message.items()]

    def _broken(self, members: list[tuple[str, str]]) -> list[tuple[str, str]]:
        chance = self._chance
        spot = chance.randrange(len(members))
        name, _ = members[spot]
        junk = (name, chance.choice(JUNK))
        match chance.randrange(5):
            case 0:
                return [*members[:spot], *members[spot + 1 :]]
            case 1:
                return [*members, junk]
            case 2:
                return [*members, (chance.choice(["x", "", "\U0001f0a1", "k" * 200]), chance.choice(JUNK))]
            case 3:
                return members[::-1]
            case _:
                return [*members[:spot], junk, *members[spot + 1 :]]

    # What ends a socket.

    def _reserved_bits(self) -> Ending:
        return Ending([self._frame(Op.TEXT, b"{}", reserved=self._chance.randrange(1, 8))], 1002)

    def _reserved_opcode(self) -> Ending:
        return Ending([self._frame(self._chance.choice([*range(3, 8), *range(11, 16)]), b"{}")], 1002)

    def _no_mask(self) -> Ending:
        return Ending([frame(Op.TEXT, b'{"type":"ping"}', mask=b"")], 1002)

    def _control_in_parts(self) -> Ending:
        return Ending([self._frame(self._chance.choice([Op.CLOSE, Op.PING, Op.PONG]), b"", fin=False)], 1002)

    def _large_control(self) -> Ending:
        return Ending([self._frame(self._chance.choice([Op.CLOSE, Op.PING, Op.PONG]), bytes(SMALL))], 1002)

    def _more_of_nothing(self) -> Ending:
        return Ending([self._frame(Op.MORE, b"{}", fin=self._chance.random() < 0.5)], 1002)

    def _message_in_a_message(self) -> Ending:
        return Ending([self._frame(Op.TEXT, b"{", fin=False), self._frame(Op.TEXT, b'{"type":"ping"}')], 1002)

    def _too_large(self) -> Ending:
        return Ending([self._frame(Op.TEXT, bytes(MAX_FRAME + 1))], 1009)

    def _too_large_to_come(self) -> Ending:
        return Ending([self._frame(Op.TEXT, bytes(2**17))[:14]], 1009)

    def _too_large_in_parts(self) -> Ending:
        part = bytes(MAX_FRAME // 2 + 1)
        return Ending([self._frame(Op.TEXT, part, fin=False), self._frame(Op.MORE, part)], 1009)

    def _no_utf8(self) -> Ending:
        text = written(self._members())
        cut, wrong = self._chance.randrange(len(text) + 1), self._chance.choice(NO_UTF8)
        return Ending([self._frame(Op.TEXT, text[:cut] + wrong + text[cut:])], 1007)

    def _no_utf8_in_parts(self) -> Ending:
        return Ending([self._frame(Op.TEXT, b'{"\xe2', fin=False), self._frame(Op.MORE, b'\x82":1}')], 1007)

    def _close(self) -> Ending:
        code = self._chance.choice(GOOD_CODES)
        return Ending([self._frame(Op.CLOSE, code.to_bytes(2) + b"why" * self._chance.randrange(42))], code)

    def _close_without_code(self) -> Ending:
        return Ending([self._frame(Op.CLOSE, b"")], None)

    def _half_a_code(self) -> Ending:
        return Ending([self._frame(Op.CLOSE, b"\x03")], 1002)

    def _bad_code(self) -> Ending:
        return Ending([self._frame(Op.CLOSE, self._chance.choice(BAD_CODES).to_bytes(2))], 1002)

    def _bad_reason(self) -> Ending:
        return Ending([self._frame(Op.CLOSE, (1000).to_bytes(2) + self._chance.choice(NO_UTF8))], 1007)


ENDINGS: Final[list[Callable[[Fuzz], Ending]]] = [
    *(Fuzz._reserved_bits, Fuzz._reserved_opcode, Fuzz._no_mask, Fuzz._control_in_parts, Fuzz._large_control),
    *(Fuzz._more_of_nothing, Fuzz._message_in_a_message, Fuzz._too_large, Fuzz._too_large_to_come),
    *(Fuzz._too_large_in_parts, Fuzz._no_utf8, Fuzz._no_utf8_in_parts, Fuzz._close, Fuzz._close_without_code),
    *(Fuzz._half_a_code, Fuzz._bad_code, Fuzz._bad_reason),
]


def written(members: list[tuple[str, str]]) -> bytes:
    """An object of names and texts of values, of which neither has to be once, or JSON."""
    return ("{" + ",".join(f"{json.dumps(name)}:{value}" for name, value in members) + "}").encode()
