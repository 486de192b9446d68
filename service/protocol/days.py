"""What is told of the daily challenge: a day, and a player's days: the calendar of a month, and the rows they make."""

from typing import Annotated, Literal, TypeAlias

from msgspec import Meta, Struct

from service.protocol.shapes import DifficultyName, StatusName

DateText: TypeAlias = Annotated[str, Meta(description="A date in UTC.", examples=["2026-11-30"])]
Time: TypeAlias = Annotated[str, Meta(description="UTC, ISO 8601.", examples=["2026-11-30T00:00:00.000Z"])]
DayState: TypeAlias = Annotated[
    Literal["won", "played", "missed", "frozen", "void", "open", "before", "future"],
    Meta(
        description="won; played, but not won; missed; missed, but a freeze was used on it; void, so that it counts for"
        " nothing; open, which is today, and the day before as a late run; before the first day that was played; or in"
        " the future."
    ),
]


class CalendarDay(Struct, frozen=True):
    """A date of the calendar, and what it was for the player."""

    date: DateText
    number: Annotated[int, Meta(ge=1, description="The number of the day's challenge.", examples=[334])]
    state: DayState


class Row(Struct, frozen=True):
    """How many days in a row."""

    current: Annotated[int, Meta(ge=0, description="The row that ends now.")]
    longest: Annotated[int, Meta(ge=0, description="The longest there was.")]


class StreakCounts(Struct, frozen=True):
    """A player's days under a preset, counted. A void day counts for nothing here."""

    played: Annotated[int, Meta(ge=0, description="Days on which anything was moved.")]
    days: Annotated[Row, Meta(description="Days played in a row.")]
    wins: Annotated[Row, Meta(description="Days won in a row.")]
    freezes: Annotated[
        int, Meta(ge=0, le=2, description="How many of the next missed days break no row; each 7 days played earn one.")
    ]


class Calendar(Struct, frozen=True, kw_only=True):
    """A month of a player's days under a preset, and the rows of all of them."""

    rules: Annotated[str, Meta(description="The preset.", examples=["modern"])]
    month: Annotated[str, Meta(description="A month.", examples=["2026-11"])]
    today: Annotated[DateText, Meta(description="The date that it is now, by the server's clock.")]
    days: Annotated[list[CalendarDay], Meta(description="Every date of the month, in order.")]
    streaks: StreakCounts


class DailyStatistics(Struct, frozen=True):
    """What a player's days came to under a preset, void ones too."""

    played: Annotated[int, Meta(ge=0)]
    won: Annotated[int, Meta(ge=0)]
    best: Annotated[int | None, Meta(description="The most points of a day that has ended.")]
    average: Annotated[int | None, Meta(description="The mean of their points.")]
    streaks: StreakCounts


class OwnRun(Struct, frozen=True):
    """Your run that counts for a day."""

    session: Annotated[str, Meta(description="The id of its session.")]
    kind: Annotated[str, Meta(description="first, which ranks, or late, which counts for streaks alone.")]
    status: StatusName
    points: Annotated[int, Meta(ge=0)]


class DaySummary(Struct, frozen=True):
    """What the first runs of a day came to."""

    players: int
    wins: int
    distribution: Annotated[
        list[int], Meta(description="How many had less than 1,000 points, 1,000 to 1,999, and so on; the last, more.")
    ]


class Daily(Struct, frozen=True, kw_only=True):
    """A day's challenge. What is null is a secret until the day is final."""

    date: DateText
    rules: Annotated[str, Meta(examples=["modern"])]
    number: Annotated[int, Meta(ge=1, description="The day's number, 1 on 2026-01-01.")]
    difficulty: DifficultyName
    opens_at: Time
    closes_at: Annotated[str, Meta(description="From then on nobody begins a run that ranks.")]
    ends_at: Annotated[str, Meta(description="From then on no run that ranks takes a move, two hours later.")]
    late_until: Annotated[str, Meta(description="Until then a late run can be begun and played.")]
    commitment: Annotated[str, Meta(description="SHA-256 that binds the day to its seed.", pattern="^[0-9a-f]{64}$")]
    committed_at: Time
    void: Annotated[bool, Meta(description="Whether an operator has taken the day out of all rankings.")]
    final_at: Time | None
    deal: Annotated[str | None, Meta(description="The deal's text, `seed:` and the seed in hexadecimal.")]
    par: Annotated[int | None, Meta(description="The most tempo of a win that the solver found.")]
    record: Annotated[str | None, Meta(description="That win, as a record that anybody can replay.")]
    summary: DaySummary | None
    you: Annotated[OwnRun | None, Meta(description="Your run; null where you have none, or did not say who you are.")]
