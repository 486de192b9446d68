"""What is told of players, and what proves to the service who somebody is."""

from typing import Annotated, Literal, TypeAlias

from msgspec import UNSET, Meta, Struct, UnsetType

from service.protocol.days import DailyStatistics

LanguageName: TypeAlias = Literal["en", "es", "ru"]
Name: TypeAlias = Annotated[str, Meta(examples=["Quiet Heron"])]
Token: TypeAlias = Annotated[str, Meta(description="For `Authorization: Bearer`.")]
Bot: TypeAlias = Annotated[bool, Meta(description="Whether it says of itself that it is a program.")]
Code: TypeAlias = Annotated[str, Meta(examples=["7KQ2M-9XVTA-C4H8R-ZW5EP"])]


class Player(Struct, frozen=True):
    """A new guest. The token and the recovery code are told once, and stored only hashed."""

    id: str
    name: Name
    token: Token
    recovery_code: Code
    bot: Bot


class Recovered(Struct, frozen=True):
    """A player on one more device. The token is told once, and stored only hashed."""

    id: str
    name: Name
    bot: Bot
    token: Token


class RecoveryCode(Struct, frozen=True):
    """A new recovery code, which is told once, and stored only hashed."""

    recovery_code: Code


class Profile(Struct, frozen=True, kw_only=True):
    """Oneself."""

    id: str
    name: Name
    bot: Bot
    created_at: Annotated[str, Meta(description="UTC, ISO 8601.", examples=["2026-11-01T09:30:00.000Z"])]
    daily: (
        Annotated[dict[str, DailyStatistics], Meta(description="Your days of the challenge, under each of its rules.")]
        | UnsetType
    ) = UNSET


class Person(Struct, frozen=True):
    """A player as everybody sees them."""

    id: str
    name: Name
    bot: Bot


class Followed(Struct, frozen=True):
    """A player whom you follow."""

    id: str
    name: Name


class Following(Struct, frozen=True):
    """Whom you follow, the newest first."""

    players: list[Followed]


class Ticket(Struct, frozen=True):
    """A credential for one socket's hello or one stream, good once and for a few seconds."""

    ticket: str
    expires_in: Annotated[int, Meta(description="Seconds.")]
