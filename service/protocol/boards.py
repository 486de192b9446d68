"""What is told of boards: who stands where."""

from typing import Annotated, Literal, TypeAlias

from msgspec import UNSET, Meta, Struct, UnsetType

ScopeName: TypeAlias = Annotated[
    Literal["first", "open", "speed"],
    Meta(
        description="first: the first runs, which rank. open: the best of all later ones. speed: the fastest wins "
        "without assists, of first runs whose players want to be timed."
    ),
]
FieldName: TypeAlias = Annotated[
    Literal["people", "newcomers", "bots"],
    Meta(description="Whom players are ranked among; newcomers had played fewer than three days before."),
]
ViewName: TypeAlias = Annotated[
    Literal["top", "me", "following"],
    Meta(description="top: from the best down. me: around your row. following: you and whom you follow."),
]


class BoardPlayer(Struct, frozen=True):
    """Whose row it is."""

    id: str
    name: Annotated[str | None, Meta(description="null for a player who is gone.", examples=["Quiet Heron"])]


class BoardRow(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """Where a player stands. Equals share a rank: 1, 2, 2, 4."""

    rank: Annotated[int, Meta(ge=1)]
    player: BoardPlayer
    points: Annotated[int, Meta(ge=0, description="Of a day's run.")] | UnsetType = UNSET
    won: bool | UnsetType = UNSET
    assists: Annotated[int, Meta(ge=0)] | UnsetType = UNSET
    promoted: Annotated[int, Meta(ge=0, le=80, description="Cards promoted beyond the aces.")] | UnsetType = UNSET
    tempo: Annotated[int, Meta(ge=0)] | UnsetType = UNSET
    seconds: (
        Annotated[float, Meta(ge=0, description="On the speed board: from the layout to the last move.")] | UnsetType
    ) = UNSET
    session: (
        Annotated[
            str, Meta(description="The run's session, with its replay: of your own run, or once the day is final.")
        ]
        | UnsetType
    ) = UNSET
    total: (
        Annotated[
            int,
            Meta(
                description="Of a week the points of the best five days, of a month those of all; of all time the mean "
                "share of others that one was ahead of, in millionths, from seven days on."
            ),
        ]
        | UnsetType
    ) = UNSET
    you: (
        Annotated[bool, Meta(description="Whether it is yours; not told where everybody is answered alike.")]
        | UnsetType
    ) = UNSET


class BoardPage(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """Some rows of a board. Whoever comes or goes above a page moves nobody across its end."""

    rules: Annotated[str, Meta(examples=["modern"])]
    date: Annotated[str, Meta(description="Of a day's board.", examples=["2026-11-30"])] | UnsetType = UNSET
    final: Annotated[bool, Meta(description="Of a day's board: whether it changes no more.")] | UnsetType = UNSET
    period: (
        Annotated[str, Meta(description="Of a period's board: a week, a month, or all.", examples=["2026-W48"])]
        | UnsetType
    ) = UNSET
    scope: ScopeName
    field: FieldName
    view: ViewName
    size: Annotated[int, Meta(ge=0, description="Rows of the whole board.")]
    rows: list[BoardRow]
    next: Annotated[str | None, Meta(description="The cursor of the rows below; null where there are none.")]


class BoardTop(Struct, frozen=True, tag="board", tag_field="type"):
    """The top of a day's board as it is now: forget what you had of it."""

    topic: str
    board: BoardPage
