"""Players: guests in one call, and what proves who somebody is."""

from hashlib import sha256
from typing import Final

from service.ports import Chance, Clock, PlayerStore, StoredPlayer
from service.protocol import shapes
from service.usecases.codes import code_of
from service.usecases.errors import Unauthorised

TICKET_SECONDS: Final = 30
_ID_BYTES: Final = 8
_SECRET_BYTES: Final = 32
_RECOVERY_CHARACTERS: Final = 20
_RECOVERY_GROUP: Final = 5

_MANNERS: Final = (
    "Brisk", "Calm", "Canny", "Civil", "Cordial", "Dapper", "Deft", "Eager", "Fair", "Gallant", "Gentle", "Hale",
    "Jolly", "Keen", "Kindly", "Lively", "Loyal", "Merry", "Modest", "Nimble", "Noble", "Patient", "Placid", "Plucky",
    "Quiet", "Sage", "Serene", "Spry", "Steady", "Sunny", "Tidy", "Witty",
)  # fmt: skip
_BIRDS: Final = (
    "Avocet", "Bittern", "Bunting", "Chough", "Crake", "Curlew", "Dipper", "Dunlin", "Egret", "Finch", "Gannet",
    "Grebe", "Heron", "Hobby", "Jackdaw", "Kestrel", "Kite", "Lapwing", "Linnet", "Martin", "Merlin", "Osprey",
    "Petrel", "Pipit", "Plover", "Puffin", "Redstart", "Robin", "Siskin", "Swift", "Tern", "Wagtail",
)  # fmt: skip


class Players:
    """Makes players and recognises them."""

    def __init__(self, store: PlayerStore, clock: Clock, chance: Chance) -> None:
        self._store, self._clock, self._chance = store, clock, chance

    async def create_guest(self) -> shapes.Player:
        """A new player with a name, a token and a recovery code, which are told this once."""
        token = self._chance.bytes(_SECRET_BYTES).hex()
        recovery = code_of(self._chance.bytes(_RECOVERY_CHARACTERS), _RECOVERY_GROUP)
        manner, bird = self._chance.bytes(2)
        player = StoredPlayer(
            id=self._chance.bytes(_ID_BYTES).hex(),
            name=f"{_MANNERS[manner % len(_MANNERS)]} {_BIRDS[bird % len(_BIRDS)]}",
            created=self._clock.now(),
            token_digest=_digest(token),
            recovery_digest=_digest(recovery),
        )
        await self._store.add(player)
        return shapes.Player(player.id, player.name, token, recovery)

    async def by_token(self, token: str) -> StoredPlayer:
        """The player whose token this is; raises Unauthorised."""
        return _known(await self._store.by_token(_digest(token)), "token")

    async def issue_ticket(self, player: StoredPlayer) -> shapes.Ticket:
        """A ticket for one socket."""
        ticket = self._chance.bytes(_SECRET_BYTES).hex()
        await self._store.issue_ticket(_digest(ticket), player.id, TICKET_SECONDS)
        return shapes.Ticket(ticket, TICKET_SECONDS)

    async def by_ticket(self, ticket: str) -> StoredPlayer:
        """The player whose ticket this is, which it then no longer is; raises Unauthorised."""
        return _known(await self._store.redeem_ticket(_digest(ticket)), "ticket")


def _known(player: StoredPlayer | None, credential: str) -> StoredPlayer:
    if player is None:
        raise Unauthorised(f"The {credential} is not known, or no longer.")
    return player


def _digest(secret: str) -> str:
    return sha256(secret.encode("utf-8", "surrogatepass")).hexdigest()
