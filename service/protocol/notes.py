"""What the processes of the service say to each other on a session's channel, beside entries: kept nowhere.

JSON as on the sockets, so that two versions of the service understand each other: members and types that one does not
know are ignored.
"""

from typing import Final, TypeAlias

import msgspec
from msgspec import Struct

from service.protocol.messages import Phrase


class Here(Struct, frozen=True, tag="here", tag_field="type"):
    """Who watches the session in a process: seats, and how many spectators. `asks` has the others say the same."""

    process: str
    seats: list[int]
    spectators: int
    asks: bool = False


class Said(Struct, frozen=True, tag="said", tag_field="type"):
    """A seat says a phrase."""

    seat: int
    phrase: Phrase


class Searched(Struct, frozen=True, tag="searched", tag_field="type"):
    """An analysis of the session up to entry `seq` has come so many searches far."""

    seq: int
    searches: int


Note: TypeAlias = Here | Said | Searched

encode: Final = msgspec.json.Encoder().encode
_decoder: Final = msgspec.json.Decoder(Note)


def decode(note: bytes) -> Note | None:
    """The note in these bytes, or None for what no process of this version says."""
    try:
        return _decoder.decode(note)
    except (msgspec.DecodeError, UnicodeError):
        return None
