"""What is told of sessions and players: the shapes that sockets and HTTP share.

Texts are as in NOTATION.md. A place in a session's history is `seq`, the number of its last entry, with `crc`, that
entry's checksum as eight hexadecimal digits.
"""

from typing import Annotated, Final, Literal, TypeAlias

from msgspec import UNSET, Meta, Struct, UnsetType

CRC_PATTERN: Final = "^[0-9a-f]{8}$"
MOVE_PATTERN: Final = "^(S|([a-h][1-4]|W)([a-h][1-4]|G))$"

Seq: TypeAlias = Annotated[int, Meta(ge=0, lt=2**31, description="The number of entries in the log.", examples=[17])]
Crc: TypeAlias = Annotated[
    str, Meta(pattern=CRC_PATTERN, description="The checksum of the log at that seq.", examples=["9a0b12ff"])
]
Pile: TypeAlias = Annotated[str, Meta(description="Cards joined, bottom to top.", examples=["9S8D"])]
PlaceName: TypeAlias = Annotated[
    str, Meta(description="a1 to h4, or W, S, G.", pattern="^([a-h][1-4]|[WSG])$", examples=["c2"])
]
MoveText: TypeAlias = Annotated[
    str,
    Meta(
        description="As in the notation: c2f1, d1G, Wb4 or S.",
        pattern=MOVE_PATTERN,
        examples=["c2f1"],
    ),
]
MoveKind: TypeAlias = Literal["promote", "build", "lateral", "fill", "turn", "people"]
EntryKind: TypeAlias = Literal[
    "promote", "build", "lateral", "fill", "turn", "people",
    "undo", "redo", "restart", "resign", "hint", "ask", "consent",
]  # fmt: skip
StatusName: TypeAlias = Literal["playing", "won", "stuck", "resigned", "expired"]
ModeName: TypeAlias = Literal["solo", "free_hands", "turns", "departments"]
Winnable: TypeAlias = Annotated[
    Literal["yes", "no", "unknown"],
    Meta(description="Whether it can be won: a win is known, it is proved that there is none, or neither."),
]
DifficultyName: TypeAlias = Annotated[
    Literal["gentle", "steady", "testing", "fierce"], Meta(description="How hard a deal is, by measured effort.")
]


Method: TypeAlias = Annotated[
    Literal["line", "proof", "none"],
    Meta(description="How that is known: a win was found, or every play was followed to its end; or it is not known."),
]


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


class Hint(Struct, frozen=True, kw_only=True):
    """A step of a hint. Where no win is known it names nothing."""

    level: Annotated[int, Meta(ge=1, le=3, description="1 tells where, 2 which card too, 3 the move.")]
    winnable: Winnable
    place: Annotated[PlaceName | None, Meta(description="Where the card lies; S is to turn one up.")]
    card: Annotated[str, Meta(description="Which card it is, but for a turn's.", examples=["9S"])] | UnsetType = UNSET
    move: MoveText | UnsetType = UNSET


class RunInfo(Struct, frozen=True):
    """Which run of a day's challenge a session is. Its deal is secret until the day's boards are final."""

    date: Annotated[str, Meta(description="The day, in UTC.", examples=["2026-11-30"])]
    kind: Annotated[
        Literal["first", "open", "late"],
        Meta(description="It ranks as your first; or on the open board; or it counts for streaks alone."),
    ]
    ends_at: Annotated[str, Meta(description="When its time is over.", examples=["2026-12-01T02:00:00.000Z"])]


class Session(Struct, frozen=True, kw_only=True):
    """A session as you may see it. The stock is a count; its order is nobody's to see."""

    id: str
    rules: Annotated[str, Meta(description="The preset.", examples=["modern"])]
    deal: Annotated[str | None, Meta(description="The deal's text; null while it is secret.", examples=["pysol:1"])]
    mode: Annotated[ModeName, Meta(description="How the seats share the board.")]
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
    seats: Annotated[list[Seat], Meta(description="The seats that are taken.")]
    capacity: Annotated[int, Meta(ge=1, le=4, description="How many seats there are.")]
    invite: Annotated[
        str | None, Meta(description="The code by which others take a seat; null for a spectator, and in a solo game.")
    ]
    turn: Annotated[int | None, Meta(description="Whose turn it is, in turns; else null.")]
    you: Annotated[int | None, Meta(description="Your seat; null for a spectator.")]
    daily: Annotated[RunInfo, Meta(description="Of a run of the daily challenge.")] | UnsetType = UNSET
    hint: Annotated[Hint, Meta(description="In the answer to a hint alone.")] | UnsetType = UNSET
    winnable: Winnable | UnsetType = UNSET
    difficulty: DifficultyName | UnsetType = UNSET


class Outlook(Struct, frozen=True):
    """Whether a session could still be won at a place of its history."""

    seq: Seq
    crc: Crc
    winnable: Winnable


class AnalysedMove(Struct, frozen=True):
    """A move that stands, and whether the game could still be won after it."""

    move: MoveText
    winnable: Winnable


class Analysis(Struct, frozen=True, kw_only=True):
    """Where a game was lost. Moves are numbered from 1; 0 is the deal."""

    seq: Seq
    crc: Crc
    done: Annotated[bool, Meta(description="Whether all was looked at; if not, ask again, and it goes on.")]
    searches: Annotated[int, Meta(ge=0, description="How many places were looked at; there are about ten to do.")]
    deal: Annotated[Winnable, Meta(description="Whether the game could be won before the first move.")]
    moves: Annotated[list[AnalysedMove], Meta(description="Every move that stands.")]
    winnable_until: Annotated[
        int | None, Meta(description="After how many moves it could still be won, at least; null where none are known.")
    ]
    lost_at: Annotated[int | None, Meta(description="Which move lost it, where that is known and one did.")]
    line_from: Annotated[int | None, Meta(description="After how many of the moves `line` begins.")]
    line: Annotated[list[MoveText] | None, Meta(description="The moves of a win from there, where one is known.")]


class DealReport(Struct, frozen=True, kw_only=True):
    """What is known of a deal."""

    deal: Annotated[str, Meta(description="The deal's text.", examples=["pysol:1"])]
    rules: Annotated[str, Meta(description="The preset.", examples=["modern"])]
    winnable: Winnable
    method: Method
    par: Annotated[int | None, Meta(description="The most tempo of a win that was found.")]
    difficulty: DifficultyName | None
    engine: Annotated[int, Meta(description="The version of the engine under which this is so.")]
    nodes: Annotated[int, Meta(ge=0, description="States that the search looked at.")]
    done: Annotated[bool, Meta(description="Whether the search has ended; if not, ask again.")]
    record: Annotated[str | None, Meta(description="The win that makes par, as a record that anybody can replay.")]


class Summary(Struct, frozen=True, kw_only=True):
    """A session in a list of one's own."""

    id: str
    rules: str
    deal: str | None
    mode: ModeName
    secret: bool
    status: StatusName
    seq: Seq
    created_at: str
    updated_at: str


class Event(Struct, frozen=True, tag="event", tag_field="type"):
    """One entry of the log, and all that a client without rules needs to draw it."""

    session: str
    seq: Seq
    crc: Crc
    seat: int
    kind: EntryKind
    time: Annotated[int, Meta(ge=0, description="Tenths of a second since the session began.")]
    move: MoveText | None
    count: Annotated[int, Meta(description="Steps of an undo or redo, level of a hint; else 0.")]
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
    turn: Annotated[int | None, Meta(description="Whose turn it is, in turns; else null.")]
    can_undo: bool
    can_redo: bool


class Events(Struct, frozen=True, omit_defaults=True):
    """What a poll brings: the entries after your place, or the session anew where your history is not the log's."""

    events: list[Event] | UnsetType = UNSET
    reset: Session | UnsetType = UNSET


class HistoryPage(Struct, frozen=True):
    """A part of a session's history: how it stood, and what came then. Nothing can be played on what is past."""

    session: Annotated[
        Session,
        Meta(description="As it was at the place that was asked for, but for its seats, and whether its deal is told."),
    ]
    events: Annotated[list[Event], Meta(description="The entries after that place, without legal moves.")]
    next: Annotated[int | None, Meta(description="The place to ask for then; null where these are the last.")]


class Page(Struct, frozen=True):
    """Some of one's own sessions, newest first; `next` is the cursor of the page after it."""

    sessions: list[Summary]
    next: str | None
