"""Players, and what proves who somebody is."""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum
from typing import Final, Protocol


@dataclass(frozen=True, slots=True, kw_only=True)
class StoredPlayer:
    """A player. Credentials are stored only as SHA-256 digests, in hexadecimal.

    created: milliseconds since the epoch
    bot:     whether it says of itself that it is a program
    """

    id: str
    name: str
    created: int
    recovery_digest: str
    bot: bool = False


TOKENS_KEPT: Final = 20
"""Tokens that a player has at most; with more the oldest are void."""
FOLLOWED: Final = 500
"""Players whom a player follows at most."""


class Following(Enum):
    """What became of a wish to follow somebody. All but FOLLOWED have changed nothing."""

    FOLLOWED = "followed"
    FULL = "full"
    GONE = "gone"
    """There is no such player as wishes it, or no more."""


class PlayerStore(Protocol):
    """Players, what proves who they are, and whom they follow. Every method may raise StoreUnavailable.

    A player's hash and lists lie in one slot; each credential has a key of its own elsewhere, which only says whose it
    is: what it proves ends with the player's hash.
    """

    async def add(self, player: StoredPlayer, token: str) -> None:
        """Stores a new player, findable by the recovery code and the token of this digest; one round trip a key."""
        ...

    async def find(self, player: str) -> StoredPlayer | None:
        """The player of an id; one round trip, one slot."""
        ...

    async def names(self, players: Sequence[str]) -> dict[str, str]:
        """The players' names, without those who are gone; one round trip to each node."""
        ...

    async def by_token(self, digest: str) -> StoredPlayer | None:
        """Whose token this is the digest of; two round trips."""
        ...

    async def by_recovery(self, digest: str) -> StoredPlayer | None:
        """Whose recovery code this is the digest of; two round trips."""
        ...

    async def rename(self, player: str, name: str) -> bool:
        """Gives the player another name, if there is the player; one round trip, one slot."""
        ...

    async def give_token(self, player: str, digest: str, time: int) -> bool:
        """Stores one more token, if there is the player, and voids the oldest above TOKENS_KEPT; a round trip a key.

        time: milliseconds since the epoch
        """
        ...

    async def give_recovery(self, player: str, digest: str) -> bool:
        """Stores a recovery code in the place of the one before, if there is the player; three round trips."""
        ...

    async def remove(self, player: str) -> None:
        """Removes all that is kept of the player here, what proves who it is last; again, for what is left.

        Three round trips, and one for each token. The record of days goes too; rows of boards stay, without a name.
        """
        ...

    async def follow(self, player: str, other: str, time: int) -> Following:
        """Has the player follow another, FOLLOWED at most; again without effect; one round trip, one slot."""
        ...

    async def unfollow(self, player: str, other: str) -> None:
        """Has the player follow the other no more; one round trip, one slot."""
        ...

    async def following(self, player: str) -> list[str]:
        """Whom the player follows, the newest first, also those who are gone; one round trip, one slot."""
        ...

    async def issue_ticket(self, digest: str, player: str, seconds: int) -> None:
        """Stores a ticket that names the player for a while; one round trip, one slot."""
        ...

    async def redeem_ticket(self, digest: str) -> StoredPlayer | None:
        """Whose ticket this is the digest of, once; two round trips."""
        ...
