"""What is said on a socket, both ways, and the codec of that and of HTTP's answers."""

from string import digits
from typing import Annotated, Final, Literal, TypeAlias

import msgspec
from msgspec import UNSET, Meta, Struct, UnsetType

from service.protocol.boards import BoardTop
from service.protocol.shapes import CRC_PATTERN, Crc, Event, LegalMove, Seq, Session
from service.protocol.shapes import Winnable as WinnableWord

VERSION: Final = 1
SUBPROTOCOL: Final = "constitution.v1"
TOPIC_PREFIX: Final = "session:"
BOARD_PREFIX: Final = "board:"
DETAIL_LIMIT: Final = 200
"""Characters that are said of a frame that is no message, since the codec repeats what it could not use."""

Topic: TypeAlias = Annotated[
    str,
    Meta(
        pattern="^(session|board):.",
        max_length=72,
        description="A session by its id, `session:ID`, or a day's board, as `board:2026-11-30/modern/first/people`.",
    ),
]
GivenCrc: TypeAlias = Annotated[
    str,
    Meta(
        min_length=8,
        max_length=8,
        extra_json_schema={"pattern": CRC_PATTERN},
        description="The checksum of the log at that seq.",
        examples=["9a0b12ff"],
    ),
]
"""A client's `Crc`, to whose digits `decode` holds it in a fifth of the time that the pattern takes."""
By: TypeAlias = Literal["group", "step"]
Lookout: TypeAlias = Annotated[
    bool, Meta(description="Whether you want to be told after each entry whether the session can still be won.")
]
Phrase: TypeAlias = Literal[
    "hello", "thanks", "well_played", "good_game", "sorry", "oops", "thinking", "your_turn", "take_it_back", "goodbye"
]


# What a client says.


class Hello(Struct, frozen=True, tag="hello", tag_field="type"):
    """First of all. On a session's own path `seq` and `crc` say where to resume; elsewhere each `sub` does.

    A client with rules of its own can decline the legal moves: with `legal` false no session and no event has any.
    """

    v: int
    ticket: str | None = None
    seq: Seq | None = None
    crc: GivenCrc | None = None
    legal: Annotated[bool, Meta(description="Whether you want to be told your legal moves.")] = True
    winnable: Lookout = False


class Sub(Struct, frozen=True, tag="sub", tag_field="type"):
    """Be brought up to date with a session from a place in its history, or from nothing; or be shown a board."""

    topic: Topic
    seq: Seq | None = None
    crc: GivenCrc | None = None
    winnable: Lookout = False


class Unsub(Struct, frozen=True, tag="unsub", tag_field="type"):
    """Be told of a session or a board no more."""

    topic: Topic


class Play(Struct, frozen=True, tag="play", tag_field="type"):
    """Play a move on the place `(at, crc)`."""

    session: str
    move: str
    at: Seq
    crc: GivenCrc | None = None


class Undo(Struct, frozen=True, tag="undo", tag_field="type"):
    """Take back the last group of moves, or one step of it."""

    session: str
    at: Seq
    crc: GivenCrc | None = None
    by: By = "group"


class Redo(Struct, frozen=True, tag="redo", tag_field="type"):
    """Repeat the next group of moves, or one step of it."""

    session: str
    at: Seq
    crc: GivenCrc | None = None
    by: By = "group"


class Consent(Struct, frozen=True, tag="consent", tag_field="type"):
    """Agree that so many steps are taken back, until the board changes."""

    session: str
    count: Annotated[int, Meta(ge=1, le=4095)]
    at: Seq
    crc: GivenCrc | None = None


class React(Struct, frozen=True, tag="react", tag_field="type"):
    """Say a phrase to all who watch."""

    session: str
    phrase: Phrase


class Ping(Struct, frozen=True, tag="ping", tag_field="type"):
    """Are you there?"""


Command: TypeAlias = Play | Undo | Redo | Consent
ClientMessage: TypeAlias = Hello | Sub | Unsub | Command | React | Ping


# What the server says, beside Event and BoardTop.


class Welcome(Struct, frozen=True, tag="welcome", tag_field="type"):
    """The hello was good. `now` is the server's clock in milliseconds; say something every `ping` seconds."""

    v: int
    now: int
    ping: int


class Snapshot(Struct, frozen=True, tag="snapshot", tag_field="type"):
    """The whole session: begin from here."""

    topic: str
    session: Session


class Reset(Struct, frozen=True, tag="reset", tag_field="type"):
    """Your place is not in the log's history: forget it, and begin from here."""

    topic: str
    session: Session


class Subbed(Struct, frozen=True, tag="subbed", tag_field="type"):
    """You have every entry up to `seq`."""

    topic: str
    seq: Seq


class Unsubbed(Struct, frozen=True, tag="unsubbed", tag_field="type"):
    """You are told of the session or the board no more."""

    topic: str


class Ack(Struct, frozen=True, tag="ack", tag_field="type"):
    """Your command on `at` is committed as entry `seq`."""

    session: str
    at: Seq
    seq: Seq
    crc: Crc


class Refused(Struct, frozen=True, tag="refused", tag_field="type", omit_defaults=True):
    """Your message was not carried out, and nothing has changed; of `unavailable` that is not sure: send it again.

    With `topic`, or with `session` and without `at`, a subscription: it cannot be had, or has ended.
    """

    code: str
    detail: str
    session: str | UnsetType = UNSET
    at: Seq | UnsetType = UNSET
    reason: str | UnsetType = UNSET
    legal: list[LegalMove] | UnsetType = UNSET
    topic: Annotated[str, Meta(description="The board that is not shown.")] | UnsetType = UNSET


class Stale(Struct, frozen=True, tag="stale", tag_field="type"):
    """Your command came after other entries: here they are. Nothing has changed.

    There are none where your place is not in the log, or too far back: a reset or a snapshot follows then.
    """

    session: str
    at: Seq
    missed: list[Event]


class Presence(Struct, frozen=True, tag="presence", tag_field="type"):
    """Who is there just now: the seats, and how many spectators."""

    session: str
    seats: list[int]
    spectators: int


class Reaction(Struct, frozen=True, tag="reaction", tag_field="type"):
    """A seat says a phrase."""

    session: str
    seat: int
    phrase: Phrase


class Winnable(Struct, frozen=True, tag="winnable", tag_field="type"):
    """Whether the session can still be won after entry `seq`, for those who wanted to be told."""

    session: str
    seq: Seq
    crc: Crc
    winnable: WinnableWord


class Analysis(Struct, frozen=True, tag="analysis", tag_field="type"):
    """Somebody has the session analysed, up to entry `seq`, and so many searches are done."""

    session: str
    seq: Seq
    searches: int


class Pong(Struct, frozen=True, tag="pong", tag_field="type"):
    """Yes."""


class Bye(Struct, frozen=True, tag="bye", tag_field="type"):
    """The socket closes next; come back after `retry_ms`, or not at all when it is null."""

    code: str
    retry_ms: int | None


ServerMessage: TypeAlias = (
    Welcome
    | Snapshot
    | Reset
    | Subbed
    | Unsubbed
    | Event
    | Ack
    | Refused
    | Stale
    | Presence
    | Reaction
    | Winnable
    | Analysis
    | BoardTop
    | Pong
    | Bye
)

encode: Final = msgspec.json.Encoder().encode
_HEXADECIMAL: Final = digits + "abcdef"
_decoder: Final = msgspec.json.Decoder(ClientMessage)


class BadMessage(ValueError):
    """A frame that is no client message; the text says what is wrong with it."""


def decode(frame: str | bytes) -> ClientMessage:
    """The client message in a text frame; raises BadMessage, also for a binary one."""
    if isinstance(frame, bytes):
        raise BadMessage("the protocol has text frames only")
    try:
        message = _decoder.decode(frame)
    except (msgspec.DecodeError, UnicodeError, RecursionError) as error:
        raise BadMessage(str(error)[:DETAIL_LIMIT]) from None
    if (crc := getattr(message, "crc", None)) and crc.strip(_HEXADECIMAL):
        raise BadMessage("a crc has only the digits 0 to 9 and a to f")
    return message


def format_crc(crc: int) -> str:
    """Eight hexadecimal digits."""
    return "%08x" % crc  # noqa: UP031 - half the time of an f-string


def parse_crc(text: str) -> int:
    """The checksum in a text that fits `Crc`."""
    return int(text, 16)


def topic_of(session: str) -> str:
    return TOPIC_PREFIX + session


def session_of(topic: str) -> str:
    """The session's id in a text that fits the topic of `Sub`."""
    return topic.removeprefix(TOPIC_PREFIX)


def is_board(topic: str) -> bool:
    return topic.startswith(BOARD_PREFIX)


def topic_of_board(board: str) -> str:
    return BOARD_PREFIX + board


def board_of(topic: str) -> str:
    """The board's name in a text that fits the topic of `Sub`."""
    return topic.removeprefix(BOARD_PREFIX)
