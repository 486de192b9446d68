"""Dealing: a new session, as it is wished."""

from dataclasses import dataclass, replace
from hashlib import sha256
from typing import Final

import msgspec

from service.engine.deal import Deal
from service.engine.errors import EngineError, NotationError
from service.engine.game import ENGINE_VERSION, Game
from service.engine.notation import format_deal, parse_deal, parse_rules
from service.engine.sharing import Mode
from service.ports import Chance, Claim, Clock, SeatHolder, SessionMeta, SessionStore, StoredPlayer
from service.protocol import shapes
from service.usecases.codes import code_of
from service.usecases.deals import Certificate, Deals
from service.usecases.errors import BadRequest, IdempotencyKeyReused
from service.usecases.history import Histories
from service.usecases.solutions import plan_of
from service.usecases.views import session_view, viewing_seat

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

    deal:       a deal's text, or `random` for a number, or `secret` for one that is told when the game is over
    seats:      how many there are, or None for as few as the mode takes
    winnable:   whether the deal has to be one of which a win is known
    difficulty: how hard that one should be, or None where any will do
    """

    rules: str = "modern"
    deal: str = RANDOM
    spectators: bool = True
    mode: Mode = Mode.SOLO
    seats: int | None = None
    winnable: bool = False
    difficulty: shapes.DifficultyName | None = None


class Dealing:
    """Makes sessions. Every method may raise StoreUnavailable, and CorruptSession for a bad log."""

    def __init__(self, store: SessionStore, histories: Histories, deals: Deals, clock: Clock, chance: Chance) -> None:
        self._store, self._histories, self._deals = store, histories, deals
        self._clock, self._chance = clock, chance

    async def create(self, player: StoredPlayer, wish: Wish, key: str | None) -> shapes.Session:
        """A new session of the player's; the same idempotency key again answers with the session it made first.

        Raises BadRequest or IdempotencyKeyReused, and for one that is to be winnable NoSuchDeal or SolverBusy.
        """
        meta, game = self._prepared(player, wish)
        asked_for = [wish.rules, wish.deal, wish.spectators, meta.mode, meta.capacity]
        if wish.winnable:
            asked_for += ["winnable", wish.difficulty]
        fingerprint = sha256("\n".join(map(str, asked_for)).encode()).hexdigest()
        claim = await self._store.claim(
            Claim(player=player.id, session=meta.id, created=meta.created, key=key, fingerprint=fingerprint)
        )
        if claim.fingerprint != fingerprint:
            raise IdempotencyKeyReused
        is_new = claim.session == meta.id
        meta = replace(meta, id=claim.session, created=claim.created)
        if wish.winnable:
            return await self._create_winnable(player, wish, meta, is_new=is_new)
        if await self._store.create(meta):
            return session_view(meta, game, 0)
        history = await self._histories.fresh(meta.id)
        return session_view(history.meta, history.game, viewing_seat(history.meta, player.id))

    async def _create_winnable(
        self, player: StoredPlayer, wish: Wish, meta: SessionMeta, *, is_new: bool
    ) -> shapes.Session:
        """The session, on a deal that was certified and whose winning line is its first plan."""
        if is_new or await self._store.load(meta.id) is None:
            certificate = await self._certified(meta, wish)
            meta = replace(meta, deal=format_deal(certificate.deal))
            if await self._store.create(meta):
                await self._store.keep_plan(meta.id, plan_of(certificate.line))
        history = await self._histories.fresh(meta.id)
        meta = history.meta
        certificate = await self._deals.certified(parse_deal(meta.deal), meta.rules, is_secret=meta.secret)
        view = session_view(meta, history.game, viewing_seat(meta, player.id))
        return msgspec.structs.replace(view, winnable="yes", difficulty=certificate.difficulty or msgspec.UNSET)

    async def _certified(self, meta: SessionMeta, wish: Wish) -> Certificate:
        """A deal that can be won and is as is wished; raises BadRequest where one was named that is not, or cannot."""
        if wish.deal in {RANDOM, SEALED}:
            return await self._deals.draw(meta.rules, wish.difficulty, is_secret=meta.secret)
        certificate = await self._deals.certified(parse_deal(meta.deal), meta.rules)
        if not certificate.is_won:
            raise BadRequest("deal", "no win of this one is known: leave it to chance, or leave out winnable")
        if wish.difficulty not in {None, certificate.difficulty}:
            raise BadRequest("difficulty", f"this deal is {certificate.difficulty}")
        return certificate

    def _prepared(self, player: StoredPlayer, wish: Wish) -> tuple[SessionMeta, Game]:
        """The session that is wished for, under an id that nobody has claimed yet; raises BadRequest."""
        capacity = _capacity(wish)
        if wish.difficulty and not wish.winnable:
            raise BadRequest("difficulty", "there should be winnable with it, true")
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
        return self._deals.drawn(is_secret=text == SEALED) if text in {RANDOM, SEALED} else parse_deal(text)


def _capacity(wish: Wish) -> int:
    """How many seats the wished session has; raises BadRequest."""
    fitting = ALONE if wish.mode is Mode.SOLO else SHARED
    seats = fitting.start if wish.seats is None else wish.seats
    if seats not in fitting:
        how_many = "1" if fitting is ALONE else f"{SHARED.start} to {SHARED.stop - 1}"
        raise BadRequest("seats", f"there should be {how_many} of them in the mode {wish.mode}")
    return seats
