"""Every shape that goes over a socket or comes back over HTTP, and the one codec of both.

Texts are as in NOTATION.md. A place in a session's history is `seq`, the number of its last entry, with `crc`, that
entry's checksum as eight hexadecimal digits.
"""

from typing import Annotated, Final, Literal, TypeAlias

import msgspec
from msgspec import UNSET, Meta, Struct, UnsetType

VERSION: Final = 1
SUBPROTOCOL: Final = "constitution.v1"
TOPIC_PREFIX: Final = "session:"
DETAIL_LIMIT: Final = 200
"""Characters that are said of a frame that is no message, since the codec repeats what it could not use."""

Seq: TypeAlias = Annotated[int, Meta(ge=0, lt=2**31, description="The number of entries in the log.", examples=[17])]
Crc: TypeAlias = Annotated[
    str, Meta(pattern="^[0-9a-f]{8}$", description="The checksum of the log at that seq.", examples=["9a0b12ff"])
]
Pile: TypeAlias = Annotated[str, Meta(description="Cards joined, bottom to top.", examples=["9S8D"])]
PlaceName: TypeAlias = Annotated[
    str, Meta(description="a1 to h4, or W, S, G.", pattern="^([a-h][1-4]|[WSG])$", examples=["c2"])
]
MoveText: TypeAlias = Annotated[
    str,
    Meta(
        description="As in the notation: c2f1, d1G, Wb4 or S.",
        pattern="^(S|([a-h][1-4]|W)([a-h][1-4]|G))$",
        examples=["c2f1"],
    ),
]
Topic: TypeAlias = Annotated[str, Meta(pattern="^session:.", max_length=72)]
MoveKind: TypeAlias = Literal["promote", "build", "lateral", "fill", "turn", "people"]
EntryKind: TypeAlias = Literal[
    "promote", "build", "lateral", "fill", "turn", "people",
    "undo", "redo", "restart", "resign", "hint", "ask", "consent",
]  # fmt: skip
StatusName: TypeAlias = Literal["playing", "won", "stuck", "resigned", "expired"]
By: TypeAlias = Literal["group", "step"]


class LegalMove(Struct, frozen=True):
    """A move that you may play now."""

    move: MoveText
    kind: MoveKind
    reveals: Annotated[bool, Meta(description="Whether it turns up a card that nobody has seen.")]


class Points(Struct, frozen=True):
    """The score and its parts: max(0, 100 promoted + tempo + 1000 if won - 50 assists)."""

    total: Annotated[int, Meta(ge=0)]
    promoted: Annotated[int, Meta(ge=0, le=80, description="Cards promoted beyond the aces.")]
    tempo: Annotated[int, Meta(ge=0, description="Cards in the stock before each promotion, summed.")]
    assists: Annotated[int, Meta(ge=0, description="Hints, questions, and revealed cards taken back.")]
    won: bool


class Seat(Struct, frozen=True):
    """Who plays."""

    seat: Annotated[int, Meta(ge=0, le=15)]
    player: str
    name: str


class Session(Struct, frozen=True, kw_only=True):
    """A session as you may see it. The stock is a count; its order is nobody's to see."""

    id: str
    rules: Annotated[str, Meta(description="The preset.", examples=["modern"])]
    deal: Annotated[str | None, Meta(description="The deal's text; null while it is secret.", examples=["pysol:1"])]
    mode: Literal["solo"]
    secret: Annotated[bool, Meta(description="Whether the deal is still secret.")]
    spectators: Annotated[bool, Meta(description="Whether whoever has the id may watch.")]
    created_at: Annotated[str, Meta(description="UTC, ISO 8601.", examples=["2026-11-01T09:30:00.000Z"])]
    seq: Seq
    crc: Crc
    status: StatusName
    rows: Annotated[list[list[Pile]], Meta(description="rows[0] is the Privy Council; columns a to h.")]
    foundations: Annotated[list[int], Meta(description="Top ranks of C C S S H H D D, the higher of a pair first.")]
    stock: Annotated[int, Meta(ge=0, le=80)]
    waste: Annotated[Pile, Meta(description="All its cards, top last.")]
    must_fill: PlaceName | None
    legal: Annotated[list[LegalMove], Meta(description="What you may play now; empty for a spectator.")]
    points: Points
    can_undo: bool
    can_redo: bool
    seats: list[Seat]
    you: Annotated[int | None, Meta(description="Your seat; null for a spectator.")]


class Summary(Struct, frozen=True, kw_only=True):
    """A session in a list of one's own."""

    id: str
    rules: str
    deal: str | None
    mode: Literal["solo"]
    secret: bool
    status: StatusName
    seq: Seq
    created_at: str
    updated_at: str


class Event(Struct, frozen=True, kw_only=True, tag="event", tag_field="type"):
    """One entry of the log, and all that a client without rules needs to draw it."""

    session: str
    seq: Seq
    crc: Crc
    seat: int
    kind: EntryKind
    time: Annotated[int, Meta(ge=0, description="Tenths of a second since the session began.")]
    move: MoveText | None = None
    count: Annotated[int, Meta(description="Steps of an undo or redo, level of a hint; else 0.")] = 0
    piles: Annotated[dict[PlaceName, Pile], Meta(description="Every tableau pile that changed, as it is now.")]
    revealed: Annotated[
        list[tuple[PlaceName, str]], Meta(description="Stock cards that came up, with the place each went to.")
    ]
    foundations: list[int]
    stock: int
    waste: Pile
    must_fill: PlaceName | None
    status: StatusName
    points: Points
    legal: list[LegalMove]
    can_undo: bool
    can_redo: bool


class Player(Struct, frozen=True):
    """A new guest. The token and the recovery code are told once, and stored only hashed."""

    id: str
    name: Annotated[str, Meta(examples=["Quiet Heron"])]
    token: Annotated[str, Meta(description="For `Authorization: Bearer`.")]
    recovery_code: Annotated[str, Meta(examples=["7KQ2M-9XVTA-C4H8R-ZW5EP"])]


class Ticket(Struct, frozen=True):
    """A credential for one socket's hello, good once and for a few seconds."""

    ticket: str
    expires_in: Annotated[int, Meta(description="Seconds.")]


class Events(Struct, frozen=True, omit_defaults=True):
    """What a poll brings: the entries after your place, or the session anew where your history is not the log's."""

    events: list[Event] | UnsetType = UNSET
    reset: Session | UnsetType = UNSET


class Page(Struct, frozen=True):
    """Some of one's own sessions, newest first; `next` is the cursor of the page after it."""

    sessions: list[Summary]
    next: str | None


# What a client says.


class Hello(Struct, frozen=True, tag="hello", tag_field="type"):
    """First of all. On a session's own path `seq` and `crc` say where to resume; elsewhere each `sub` does."""

    v: int
    ticket: str | None = None
    seq: Seq | None = None
    crc: Crc | None = None


class Sub(Struct, frozen=True, tag="sub", tag_field="type"):
    """Be brought up to date with a session from a place in its history, or from nothing."""

    topic: Topic
    seq: Seq | None = None
    crc: Crc | None = None


class Unsub(Struct, frozen=True, tag="unsub", tag_field="type"):
    """Be told of a session no more."""

    topic: Topic


class Play(Struct, frozen=True, tag="play", tag_field="type"):
    """Play a move on the place `(at, crc)`."""

    session: str
    move: str
    at: Seq
    crc: Crc | None = None


class Undo(Struct, frozen=True, tag="undo", tag_field="type"):
    """Take back the last group of moves, or one step of it."""

    session: str
    at: Seq
    crc: Crc | None = None
    by: By = "group"


class Redo(Struct, frozen=True, tag="redo", tag_field="type"):
    """Repeat the next group of moves, or one step of it."""

    session: str
    at: Seq
    crc: Crc | None = None
    by: By = "group"


class Ping(Struct, frozen=True, tag="ping", tag_field="type"):
    """Are you there?"""


ClientMessage: TypeAlias = Hello | Sub | Unsub | Play | Undo | Redo | Ping


# What the server says, beside Event.


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
    """You are told of the session no more."""

    topic: str


class Ack(Struct, frozen=True, tag="ack", tag_field="type"):
    """Your command on `at` is committed as entry `seq`."""

    session: str
    at: Seq
    seq: Seq
    crc: Crc


class Refused(Struct, frozen=True, tag="refused", tag_field="type", omit_defaults=True):
    """Your message was not carried out, and nothing has changed; of `unavailable` that is not sure: send it again.

    With `session` and without `at`, a subscription: it cannot be had, or has ended.
    """

    code: str
    detail: str
    session: str | UnsetType = UNSET
    at: Seq | UnsetType = UNSET
    reason: str | UnsetType = UNSET
    legal: list[LegalMove] | UnsetType = UNSET


class Stale(Struct, frozen=True, tag="stale", tag_field="type"):
    """Your command came after other entries: here they are. Nothing has changed.

    There are none where your place is not in the log, or too far back: a reset or a snapshot follows then.
    """

    session: str
    at: Seq
    missed: list[Event]


class Pong(Struct, frozen=True, tag="pong", tag_field="type"):
    """Yes."""


class Bye(Struct, frozen=True, tag="bye", tag_field="type"):
    """The socket closes next; come back after `retry_ms`, or not at all when it is null."""

    code: str
    retry_ms: int | None


ServerMessage: TypeAlias = Welcome | Snapshot | Reset | Subbed | Unsubbed | Event | Ack | Refused | Stale | Pong | Bye

encode: Final = msgspec.json.Encoder().encode
_decoder: Final = msgspec.json.Decoder(ClientMessage)


class BadMessage(ValueError):
    """A frame that is no client message; the text says what is wrong with it."""


def decode(frame: str | bytes) -> ClientMessage:
    """The client message in a text frame; raises BadMessage, also for a binary one."""
    if isinstance(frame, bytes):
        raise BadMessage("the protocol has text frames only")
    try:
        return _decoder.decode(frame)
    except (msgspec.DecodeError, UnicodeError, RecursionError) as error:
        raise BadMessage(str(error)[:DETAIL_LIMIT]) from None


def format_crc(crc: int) -> str:
    """Eight hexadecimal digits."""
    return f"{crc:08x}"


def parse_crc(text: str) -> int:
    """The checksum in a text that fits `Crc`."""
    return int(text, 16)


def topic_of(session: str) -> str:
    return TOPIC_PREFIX + session


def session_of(topic: str) -> str:
    """The session's id in a text that fits the topic of `Sub`."""
    return topic.removeprefix(TOPIC_PREFIX)
