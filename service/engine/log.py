"""The log of a session: fixed-width entries, each one command, each ending with the checksum of the log so far.

NOTATION.md specifies the bytes. A place in a session's history is `(seq, crc)`: the number of entries, and the
checksum that the last of them ends with.
"""

import struct
from collections.abc import Iterator
from typing import Final, NamedTuple
from zlib import crc32

from service.engine.errors import CorruptLog
from service.engine.moves import ALL_MOVES, Kind, Move

ENTRY_BYTES: Final = 10
TICKS_PER_SECOND: Final = 10
MAX_TIME: Final = 2**28 - 1
MAX_COUNT: Final = 2**12 - 1
SEATS: Final = range(16)
HINT_LEVELS: Final = range(1, 4)
EMPTY_CRC: Final = 0
"""The checksum of a log without entries."""

MOVE_KINDS: Final = frozenset({Kind.PROMOTE, Kind.BUILD, Kind.LATERAL, Kind.FILL, Kind.TURN, Kind.PEOPLE})
COUNTS: Final = {
    Kind.UNDO: range(1, MAX_COUNT + 1),
    Kind.REDO: range(1, MAX_COUNT + 1),
    Kind.HINT: HINT_LEVELS,
    Kind.CONSENT: range(1, MAX_COUNT + 1),
}
"""The kinds whose entries carry a count, and what it may be."""
_NO_COUNT: Final = range(1)

_BODY: Final = struct.Struct(">HI")
_CODES: Final = {kind: code for code, kind in enumerate(Kind, start=1)}
_KINDS: Final = dict(enumerate(Kind, start=1))


def number_of(move: Move) -> int:
    """The twelve bits that stand for a move."""
    return move.source << 6 | move.target


MOVE_OF: Final = {number_of(move): move for move in ALL_MOVES}


class Entry(NamedTuple):
    """One command, as it was accepted.

    seat:  who gave it, 0..15
    time:  tenths of a second since the session began; MAX_TIME says that or later
    move:  the move of the six kinds that are moves
    count: the steps of an undo, a redo or a consent to one; the level of a hint, 1..3
    """

    kind: Kind
    seat: int = 0
    time: int = 0
    move: Move | None = None
    count: int = 0  # type: ignore[assignment]  # hides tuple's own, which nobody asks of an entry


def pack(entry: Entry, crc: int) -> bytes:
    """The ten bytes of an entry that follows a log with checksum `crc`."""
    return packed(entry, crc)[0]


def packed(entry: Entry, crc: int) -> tuple[bytes, int]:
    """The ten bytes of an entry that follows a log with checksum `crc`, and the checksum that they end with."""
    kind, seat, time, move, count = entry
    argument = count if move is None else number_of(move)
    body = _BODY.pack(_CODES[kind] << 12 | argument, seat << 28 | time)
    crc = crc32(body, crc)
    return body + crc.to_bytes(4, "big"), crc


def crc_of(log: bytes) -> int:
    """The checksum that a log ends with."""
    return int.from_bytes(log[-4:], "big") if log else EMPTY_CRC


def seq_of(log: bytes) -> int:
    """The number of entries in a log of sound length."""
    return len(log) // ENTRY_BYTES


def unpack(log: bytes, seq: int = 0, crc: int = EMPTY_CRC) -> Iterator[tuple[Entry, int]]:
    """The entries of a log, each with its checksum, where the log goes on from `(seq, crc)`; raises CorruptLog."""
    for start in range(0, len(log), ENTRY_BYTES):
        seq += 1
        packed = log[start : start + ENTRY_BYTES]
        if len(packed) < ENTRY_BYTES:
            raise CorruptLog(seq, f"the log ends after {len(packed)} of its {ENTRY_BYTES} bytes")
        body = packed[: _BODY.size]
        crc = crc32(body, crc)
        if packed[_BODY.size :] != crc.to_bytes(4, "big"):
            raise CorruptLog(seq, "its checksum does not match")
        yield _entry(body, seq), crc


def _entry(body: bytes, seq: int) -> Entry:
    command, origin = _BODY.unpack(body)
    code, argument = command >> 12, command & MAX_COUNT
    seat, time = origin >> 28, origin & MAX_TIME
    if (kind := _KINDS.get(code)) is None:
        raise CorruptLog(seq, f"there is no kind {code}")
    if kind in MOVE_KINDS:
        if (move := MOVE_OF.get(argument)) is None:
            raise CorruptLog(seq, f"{argument:#05x} is no move")
        return Entry(kind, seat, time, move)
    if argument not in COUNTS.get(kind, _NO_COUNT):
        raise CorruptLog(seq, f"{kind} takes no count of {argument}")
    return Entry(kind, seat, time, count=argument)
