"""The bodies of requests. The shapes of answers are the protocol's messages."""

from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field

from service.protocol.people import LanguageName
from service.protocol.shapes import CRC_PATTERN, MOVE_PATTERN, DifficultyName, ModeName

Seq = Annotated[
    int | None,
    Field(ge=0, lt=2**31, description="The `seq` that you saw last; may come as `If-Match` instead.", examples=[17]),
]
Crc = Annotated[
    str | None,
    Field(pattern=CRC_PATTERN, description="The `crc` that came with it; may be left out.", examples=["9a0b12ff"]),
]


class Body(BaseModel):
    """A request's body: its fields, of their types, and no others."""

    model_config = ConfigDict(extra="forbid", strict=True, frozen=True)


class Nothing(Body):
    """An empty object; the body may be left out too."""


class NewPlayer(Body):
    """Who comes to play."""

    language: LanguageName | None = Field(
        None, description="Of the name that is given; left out, it is what Accept-Language prefers."
    )
    bot: bool = Field(False, description="Whether it is a program; those have boards of their own.")


class Rename(Body):
    """A name of one's own."""

    name: str = Field(
        max_length=100,
        description="2 to 24 letters, digits, spaces and - ' . _ in one script. It is tidied: NFKC, single spaces.",
        examples=["Ada L."],
    )


class Recovery(Body):
    """What makes a player somebody again."""

    recovery_code: str = Field(
        max_length=100,
        description="Hyphens, spaces and upper or lower case do not matter.",
        examples=["7KQ2M-9XVTA-C4H8R-ZW5EP"],
    )


class NewSession(Body):
    """What to play."""

    rules: str = Field("modern", description="A preset: modern, cadogan, cadogan-1914 or pysol.", examples=["modern"])
    deal: str = Field(
        "random",
        max_length=1000,
        description="`random`; `secret`, which is told when the game is over; or a deal's text: `42`, `pysol:42`, "
        "`pysol:ms42`, `seed:…`, `position:…`.",
        examples=["pysol:1"],
    )
    spectators: bool = Field(True, description="Whether whoever has the session's id may watch.")
    mode: ModeName = Field("solo", description="How its seats share the board.")
    seats: int | None = Field(
        None, ge=1, le=4, description="How many there are: 1 in solo, else 2 to 4; as few as that where it is left out."
    )
    winnable: bool = Field(False, description="Whether the deal has to be one of which a win is known.")
    difficulty: DifficultyName | None = Field(
        None, description="How hard one that is `winnable` should be, by measured effort."
    )


class Invitation(Body):
    """What lets a player in."""

    invite: str = Field(
        max_length=100,
        description="The session's code. Hyphens, spaces and upper or lower case do not matter.",
        examples=["7KQ2-M9XV"],
    )


class PlaceBody(Body):
    """The place in the session's history that the command was made on."""

    at: Seq = None
    crc: Crc = None


class MoveBody(PlaceBody):
    """A move, and the place it was made on."""

    move: str = Field(
        max_length=100,
        description="As in the notation: `c2f1`, `d1G`, `Wb4` or `S`.",
        examples=["b1G"],
        json_schema_extra={"pattern": MOVE_PATTERN},
    )


class StepsBody(PlaceBody):
    """How far to go, and from where."""

    by: Literal["group", "step"] = Field("group", description="A move with the fills it caused, or one step of it.")


class ConsentBody(PlaceBody):
    """How many steps may be taken back, and from where."""

    count: int = Field(ge=1, le=4095, description="Steps; a restart takes back all that were played.", examples=[1])


class NewRun(Body):
    """Which run of a day's challenge."""

    kind: Literal["first", "open"] = Field("first", description="The run that counts, or a further one.")
    timed: bool = Field(False, description="Whether a first run, if it is won without assists, is on the speed board.")
