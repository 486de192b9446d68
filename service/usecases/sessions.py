"""Sessions: read, list, and who has a seat."""

from service.engine.log import unpack
from service.engine.notation import parse_deal, parse_rules
from service.engine.record import format_record
from service.engine.sharing import Mode
from service.ports import Claim, SeatHolder, Seating, SessionStore, StoredPlayer
from service.protocol import shapes
from service.usecases.codes import read_code
from service.usecases.dealing import INVITE_GROUP
from service.usecases.errors import (
    BadAddress,
    BadCursor,
    NoFreeSeat,
    NoSuchSession,
    SessionOver,
    SoloSession,
    StillSecret,
    WrongInvite,
)
from service.usecases.history import Histories, History
from service.usecases.live import Live
from service.usecases.views import history_page, is_secret, session_view, summary_view, viewing_seat


class Sessions:
    """What players do with sessions. Every method may raise StoreUnavailable, and CorruptSession for a bad log."""

    def __init__(self, store: SessionStore, histories: Histories, live: Live) -> None:
        self._store, self._histories, self._live = store, histories, live

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

    async def history(self, session: str, player: str | None, after: int, limit: int) -> shapes.HistoryPage:
        """A part of the session's history; raises NoSuchSession, NotForSpectators or BadAddress."""
        history = await self._histories.fresh(session)
        seat = viewing_seat(history.meta, player)
        if after > history.game.seq:
            raise BadAddress("after", f"there should be a place in its history, up to {history.game.seq}")
        return history_page(history, after, limit, seat)

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


def record_of(history: History) -> str:
    """The record of all that a history holds, whoever may see it."""
    entries = [entry for entry, _ in unpack(history.log)]
    return format_record(parse_deal(history.meta.deal), parse_rules(history.meta.rules), entries)
