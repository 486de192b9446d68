"""Sessions: create, read, list, and who has a seat."""

from dataclasses import dataclass, replace
from hashlib import sha256
from typing import Final

from service.engine.deal import SEED_BYTES, Deal, Numbered, Seeded
from service.engine.errors import EngineError, NotationError
from service.engine.game import ENGINE_VERSION, Game
from service.engine.log import unpack
from service.engine.notation import format_deal, parse_deal, parse_rules
from service.engine.record import format_record
from service.engine.sharing import Mode
from service.ports import Chance, Claim, Clock, SeatHolder, Seating, SessionMeta, SessionStore, StoredPlayer
from service.protocol import shapes
from service.usecases.codes import code_of, read_code
from service.usecases.errors import (
    BadCursor,
    BadRequest,
    IdempotencyKeyReused,
    NoFreeSeat,
    NoSuchSession,
    SessionOver,
    SoloSession,
    StillSecret,
    WrongInvite,
)
from service.usecases.history import Histories, History
from service.usecases.live import Live
from service.usecases.views import is_secret, session_view, summary_view, viewing_seat

RANDOM: Final = "random"
SEALED: Final = "secret"
ALONE: Final = range(1, 2)
SHARED: Final = range(2, 5)
"""How many seats a session may have, of which it has the fewest where nobody says."""
INVITE_CHARACTERS: Final = 8
"""Forty bits: whoever knows a session's id and tries a code a millisecond needs seventeen years for an even chance."""
INVITE_GROUP: Final = 4
_ID_BYTES: Final = 16


@dataclass(frozen=True, slots=True, kw_only=True)
class Wish:
    """What a new session should be.

    deal:   a deal's text, or `random` for a number, or `secret` for one that is told when the game is over
    seats:  how many there are, or None for as few as the mode takes
    """

    rules: str = "modern"
    deal: str = RANDOM
    spectators: bool = True
    mode: Mode = Mode.SOLO
    seats: int | None = None


class Sessions:
    """What players do with sessions. Every method may raise StoreUnavailable, and CorruptSession for a bad log."""

    def __init__(self, store: SessionStore, histories: Histories, live: Live, clock: Clock, chance: Chance) -> None:
        self._store, self._histories, self._live = store, histories, live
        self._clock, self._chance = clock, chance

    async def create(self, player: StoredPlayer, wish: Wish, key: str | None) -> shapes.Session:
        """A new session of the player's; the same idempotency key again answers with the session it made first.

        Raises BadRequest or IdempotencyKeyReused.
        """
        meta, game = self._prepared(player, wish)
        asked_for = (wish.rules, wish.deal, wish.spectators, meta.mode, meta.capacity)
        fingerprint = sha256("\n".join(map(str, asked_for)).encode()).hexdigest()
        claim = await self._store.claim(
            Claim(player=player.id, session=meta.id, created=meta.created, key=key, fingerprint=fingerprint)
        )
        if claim.fingerprint != fingerprint:
            raise IdempotencyKeyReused
        meta = replace(meta, id=claim.session, created=claim.created)
        if not await self._store.create(meta):
            return await self.view(claim.session, player.id)
        return session_view(meta, game, 0)

    async def view(self, session: str, player: str | None) -> shapes.Session:
        """The session as the player, or a spectator, may see it now; raises NoSuchSession or NotForSpectators."""
        history = await self._histories.fresh(session)
        return session_view(history.meta, history.game, viewing_seat(history.meta, player))

    async def page(self, player: StoredPlayer, cursor: str | None, limit: int) -> shapes.Page:
        """The player's sessions, newest first, but those it has left; raises BadCursor for one that no page gave."""
        try:
            stored, following = await self._store.sessions_of(player.id, cursor, limit)
        except ValueError as error:
            raise BadCursor("cursor", str(error)) from None
        held = [summary_view(one) for one in stored if one.meta.seat_of(player.id) is not None]
        return shapes.Page(held, following)

    async def record(self, session: str, player: str | None) -> str:
        """The session's record; raises NoSuchSession, NotForSpectators or StillSecret."""
        history = await self._histories.fresh(session)
        viewing_seat(history.meta, player)
        if is_secret(history.meta, history.game):
            raise StillSecret
        return record_of(history)

    async def join(self, session: str, player: StoredPlayer, invite: str) -> shapes.Session:
        """Gives the player the first free seat, and answers as its holder sees the session; again, where it has one.

        Raises NoSuchSession, WrongInvite, SessionOver or NoFreeSeat.
        """
        code = read_code(invite, INVITE_GROUP)
        seating = await self._store.join(session, SeatHolder(player.id, player.name), code)
        match seating:
            case Seating.GONE:
                raise NoSuchSession(session)
            case Seating.WRONG_INVITE:
                raise WrongInvite
            case Seating.FULL:
                raise NoFreeSeat
        history = await self._live.read(session)
        if seating is Seating.CLOSED:
            raise SessionOver(history.meta.status)
        note = Claim(player=player.id, session=session, created=history.meta.created, key=None, fingerprint="")
        await self._store.claim(note)  # after the seat: whoever joins again has it noted where a crash came between
        return session_view(history.meta, history.game, viewing_seat(history.meta, player.id))

    async def leave(self, session: str, player: StoredPlayer) -> None:
        """Frees the player's seat, if there is one; raises NoSuchSession, or SoloSession."""
        history = await self._histories.fresh(session)
        if history.meta.mode == Mode.SOLO:
            raise SoloSession
        await self._store.leave(session, player.id)

    def _prepared(self, player: StoredPlayer, wish: Wish) -> tuple[SessionMeta, Game]:
        """The session that is wished for, under an id that nobody has claimed yet; raises BadRequest."""
        capacity = _capacity(wish)
        try:
            parsed_rules = parse_rules(wish.rules)
        except NotationError as error:
            raise BadRequest("rules", str(error)) from None
        try:
            parsed_deal = self._deal(wish.deal)
            game = Game.begin(parsed_deal, parsed_rules)
        except NotationError as error:
            words = "" if error.at else f"; or {RANDOM}, or {SEALED}"
            raise BadRequest("deal", f"{error}{words}") from None
        except EngineError as error:
            raise BadRequest("deal", str(error)) from None
        now = self._clock.now()
        meta = SessionMeta(
            id=self._chance.bytes(_ID_BYTES).hex(),
            rules=wish.rules,
            deal=format_deal(parsed_deal),
            secret=wish.deal == SEALED,
            spectators=wish.spectators,
            engine=ENGINE_VERSION,
            created=now,
            updated=now,
            status=game.status,
            is_open=not game.is_over,
            mode=wish.mode.value,
            capacity=capacity,
            invite="" if capacity == 1 else code_of(self._chance.bytes(INVITE_CHARACTERS), INVITE_GROUP),
            seats=(SeatHolder(player.id, player.name),),
        )
        return meta, game

    def _deal(self, text: str) -> Deal:
        if text == RANDOM:
            return Numbered(int.from_bytes(self._chance.bytes(8), "big"))
        return Seeded(self._chance.bytes(SEED_BYTES)) if text == SEALED else parse_deal(text)


def _capacity(wish: Wish) -> int:
    """How many seats the wished session has; raises BadRequest."""
    fitting = ALONE if wish.mode is Mode.SOLO else SHARED
    seats = fitting.start if wish.seats is None else wish.seats
    if seats not in fitting:
        how_many = "1" if fitting is ALONE else f"{SHARED.start} to {SHARED.stop - 1}"
        raise BadRequest("seats", f"there should be {how_many} of them in the mode {wish.mode}")
    return seats


def record_of(history: History) -> str:
    """The record of all that a history holds, whoever may see it."""
    entries = [entry for entry, _ in unpack(history.log)]
    return format_record(parse_deal(history.meta.deal), parse_rules(history.meta.rules), entries)
