"""Players: guests in one call, what proves who somebody is, what they are called, and whom they follow."""

from hashlib import sha256
from typing import Final

from service.ports import Chance, Clock, Following, PlayerStore, SessionStore, StoredPlayer
from service.protocol import people
from service.usecases.codes import code_of, read_code
from service.usecases.errors import BadRequest, FollowingFull, NoSuchPlayer, Unauthorised
from service.usecases.names import given_name, refusal_of, tidied, why_not
from service.usecases.views import iso

TICKET_SECONDS: Final = 30
_ID_BYTES: Final = 8
_SECRET_BYTES: Final = 32
_RECOVERY_CHARACTERS: Final = 20
_RECOVERY_GROUP: Final = 5


class Players:
    """Makes players, recognises them and forgets them. Every method may raise StoreUnavailable."""

    def __init__(self, store: PlayerStore, sessions: SessionStore, clock: Clock, chance: Chance) -> None:
        self._store, self._sessions, self._clock, self._chance = store, sessions, clock, chance

    async def create_guest(self, language: people.LanguageName = "en", bot: bool = False) -> people.Player:
        """A new player with a name, a token and a recovery code, which are told this once."""
        token, recovery = self._secret(), self._recovery_code()
        name = given_name(language, self._chance.bytes(2))
        player = StoredPlayer(
            id=self._chance.bytes(_ID_BYTES).hex(),
            name=name,
            created=self._clock.now(),
            recovery_digest=_digest(recovery),
            bot=bot,
        )
        await self._store.add(player, _digest(token))
        return people.Player(player.id, name, token, recovery, bot)

    async def recover(self, code: str) -> people.Recovered:
        """Whom a recovery code names, with one more token; raises Unauthorised."""
        digest = _digest(read_code(code, _RECOVERY_GROUP))
        player, token = await self._store.by_recovery(digest), self._secret()
        if player is None or not await self._store.give_token(player.id, _digest(token), self._clock.now()):
            raise _unknown("recovery code")
        return people.Recovered(player.id, player.name, player.bot, token)

    async def renew_recovery(self, player: StoredPlayer) -> people.RecoveryCode:
        """A new recovery code, in the place of the old one; raises Unauthorised."""
        code = self._recovery_code()
        if not await self._store.give_recovery(player.id, _digest(code)):
            raise _unknown("token")
        return people.RecoveryCode(code)

    async def by_token(self, token: str) -> StoredPlayer:
        """The player whose token this is; raises Unauthorised."""
        return _known(await self._store.by_token(_digest(token)), "token")

    async def issue_ticket(self, player: StoredPlayer) -> people.Ticket:
        """A ticket for one socket."""
        ticket = self._secret()
        await self._store.issue_ticket(_digest(ticket), player.id, TICKET_SECONDS)
        return people.Ticket(ticket, TICKET_SECONDS)

    async def by_ticket(self, ticket: str) -> StoredPlayer:
        """The player whose ticket this is, which it then no longer is; raises Unauthorised."""
        return _known(await self._store.redeem_ticket(_digest(ticket)), "ticket")

    async def person(self, player: str) -> people.Person:
        """A player as everybody sees them; raises NoSuchPlayer."""
        found = await self._found(player)
        return people.Person(found.id, found.name, found.bot)

    def profile(self, player: StoredPlayer) -> people.Profile:
        """A player as they see themselves."""
        return people.Profile(id=player.id, name=player.name, bot=player.bot, created_at=iso(player.created))

    async def rename(self, player: StoredPlayer, typed: str) -> people.Profile:
        """The player under the name that somebody typed; raises NameRefused, or Unauthorised."""
        name = tidied(typed)
        if fault := why_not(name):
            raise refusal_of(fault)
        if not await self._store.rename(player.id, name):
            raise _unknown("token")
        return people.Profile(id=player.id, name=name, bot=player.bot, created_at=iso(player.created))

    async def delete(self, player: StoredPlayer) -> None:
        """Takes the player's name out of everything, and then all that proves who they are; again, for what is left."""
        await self._sessions.forget(player.id)
        await self._store.remove(player.id)

    async def follow(self, player: StoredPlayer, other: str) -> None:
        """Has the player follow another; raises BadRequest for oneself, NoSuchPlayer, FollowingFull or Unauthorised."""
        if other == player.id:
            raise BadRequest("player", "there should be another player than yourself")
        await self._found(other)
        match await self._store.follow(player.id, other, self._clock.now()):
            case Following.FULL:
                raise FollowingFull
            case Following.GONE:
                raise _unknown("token")

    async def unfollow(self, player: StoredPlayer, other: str) -> None:
        """Has the player follow the other no more."""
        await self._store.unfollow(player.id, other)

    async def following(self, player: StoredPlayer) -> people.Following:
        """Whom the player follows and who is still there, the newest first."""
        others = await self._store.following(player.id)
        names = await self._store.names(others)
        return people.Following([people.Followed(other, names[other]) for other in others if other in names])

    async def _found(self, player: str) -> StoredPlayer:
        if (found := await self._store.find(player)) is None:
            raise NoSuchPlayer(player)
        return found

    def _secret(self) -> str:
        return self._chance.bytes(_SECRET_BYTES).hex()

    def _recovery_code(self) -> str:
        return code_of(self._chance.bytes(_RECOVERY_CHARACTERS), _RECOVERY_GROUP)


def _known(player: StoredPlayer | None, credential: str) -> StoredPlayer:
    if player is None:
        raise _unknown(credential)
    return player


def _unknown(credential: str) -> Unauthorised:
    return Unauthorised(f"The {credential} is not known, or no longer.")


def _digest(secret: str) -> str:
    return sha256(secret.encode("utf-8", "surrogatepass")).hexdigest()
