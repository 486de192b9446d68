"""The daily challenge as its players meet it: a day, and their runs of it.

A run that counts is begun in four steps, in as many slots: the player's record names its session, the day notes it, the
player's list does, and last the session is there to be seen. Whoever begins again, or on another device at once, takes
the steps that are missing and is given the same run.
"""

from dataclasses import dataclass
from typing import Final

import msgspec

from service.engine.game import ENGINE_VERSION, Game
from service.engine.notation import parse_deal, parse_move
from service.engine.rules import PRESETS
from service.engine.sharing import Mode
from service.ports import Chance, Claim, Clock, SeatHolder, SessionMeta, SessionStore, StoredPlayer
from service.ports.daily import Day, DayStore, Entrant, Field, PlayedDay, RecordStore, Run, RunKind, StoredDay
from service.protocol import shapes
from service.protocol.days import Daily, DaySummary, OwnRun
from service.usecases.closing import run_ends
from service.usecases.days import closes, ends, late_until, number_of, opens, today
from service.usecases.deals import record_of_line
from service.usecases.errors import DayNotReady, NoSuchDay, NoSuchSession, NotYetOpen, RunFirst, RunOver, TooLate
from service.usecases.history import Histories, History
from service.usecases.views import iso, session_view, status_of

NEWCOMER_DAYS: Final = 3
"""Who has played on fewer days is a newcomer."""
OVER: Final = frozenset({"won", "resigned", "expired"})
"""The statuses of a run that can be played no more."""
_ID_BYTES: Final = 16


@dataclass(frozen=True, slots=True)
class Dailies:
    """Days and runs. Every method may raise StoreUnavailable, and CorruptSession for a bad log."""

    sessions: SessionStore
    days: DayStore
    records: RecordStore
    histories: Histories
    clock: Clock
    chance: Chance

    async def view(self, day: Day, player: str | None) -> Daily:
        """A day from the one after today on back, with the player's run; raises NoSuchDay or DayNotReady."""
        stored = await self._stored(day)
        return _view(stored, None if player is None else await self._own(stored.day, player))

    async def begin(self, day: Day, player: StoredPlayer, is_timed: bool = False) -> tuple[shapes.Session, bool]:
        """The player's run that counts for a day, and whether it is new.

        The first one ranks; on the day after a missed one it is a late run. Raises NoSuchDay, DayNotReady, NotYetOpen,
        RunOver, or TooLate.
        """
        stored = await self._open(day)
        now = self.clock.now()
        kind = RunKind.FIRST if now < closes(day.date) else RunKind.LATE
        session = self.chance.bytes(_ID_BYTES).hex()
        if now < run_ends(day, kind):
            begun = await self.records.begin(player.id, day, PlayedDay(session, kind, now))
        elif (found := (await self.records.days(player.id, day.rules)).get(day.date)) is None:
            raise TooLate(day)
        else:
            begun = found
        try:
            history = await self.histories.fresh(begun.session)
        except NoSuchSession:
            history = await self._deal(stored, player, begun, is_timed)
        if history.game.is_over or now >= run_ends(day, begun.kind):
            raise RunOver(begun.session)
        return session_view(history.meta, history.game, 0), begun.session == session

    async def practise(self, day: Day, player: StoredPlayer) -> shapes.Session:
        """A further run of a day: of one that is not final for the open board, else for nothing.

        Raises NoSuchDay, DayNotReady or NotYetOpen, and RunFirst while the run that counts could be played.
        """
        stored = await self._open(day)
        now = self.clock.now()
        if now < ends(day.date):
            own = await self._own(day, player.id)
            if own is None or own.status not in OVER:
                raise RunFirst
        run = PlayedDay(self.chance.bytes(_ID_BYTES).hex(), RunKind.OPEN, now)
        history = await self._deal(stored, player, run, is_timed=False)
        return session_view(history.meta, history.game, 0)

    async def _stored(self, day: Day) -> StoredDay:
        date = today(self.clock.now())
        if number_of(day.date) > number_of(date) + 1:
            raise NoSuchDay(day)
        [stored] = await self.days.find([day])
        if stored is None:
            raise DayNotReady(day) if day.date >= date else NoSuchDay(day)
        return stored

    async def _open(self, day: Day) -> StoredDay:
        if self.clock.now() < opens(day.date):
            raise NotYetOpen(day)
        return await self._stored(day)

    async def _deal(self, stored: StoredDay, player: StoredPlayer, begun: PlayedDay, is_timed: bool) -> History:
        """The run's session, once the day knows of it."""
        day, kind = stored.day, begun.kind
        if stored.final is None or kind is RunKind.LATE:
            field = await self._field(day, player)
            await self.days.enter(day, Entrant(begun.session, player.id, kind, field, is_timed))
        claim = Claim(player=player.id, session=begun.session, created=begun.begun, key=None, fingerprint="")
        await self.sessions.claim(claim)
        await self.sessions.keep_plan(begun.session, stored.plan)  # first, since whoever finds a session begins no more
        await self.sessions.create(_meta(stored, player, begun))
        return await self.histories.fresh(begun.session)

    async def _field(self, day: Day, player: StoredPlayer) -> Field:
        if player.bot:
            return Field.BOTS
        before = await self.records.dates(player.id) - {day.date}
        return Field.NEWCOMERS if len(before) < NEWCOMER_DAYS else Field.PEOPLE

    async def _own(self, day: Day, player: str) -> OwnRun | None:
        begun = (await self.records.days(player, day.rules)).get(day.date)
        if begun is None:
            return None
        try:
            history = await self.histories.fresh(begun.session)
        except NoSuchSession:  # nobody was ever shown it
            return None
        status = status_of(history.meta, history.game)
        return OwnRun(begun.session, begun.kind.value, status, history.game.points.total)


def _meta(stored: StoredDay, player: StoredPlayer, begun: PlayedDay) -> SessionMeta:
    """The session that a run is; of a day that is final everybody may see it."""
    day, is_sealed = stored.day, stored.final is None
    return SessionMeta(
        id=begun.session,
        rules=day.rules,
        deal=stored.deal,
        secret=is_sealed,
        spectators=not is_sealed,
        engine=ENGINE_VERSION,
        created=begun.begun,
        updated=begun.begun,
        status=Game.begin(parse_deal(stored.deal), PRESETS[day.rules]).status,
        is_open=True,
        mode=Mode.SOLO.value,
        capacity=1,
        invite="",
        seats=(SeatHolder(player.id, player.name),),
        run=Run(day, begun.kind, run_ends(day, begun.kind)) if is_sealed or begun.kind is RunKind.LATE else None,
    )


def _view(stored: StoredDay, own: OwnRun | None) -> Daily:
    day, is_final = stored.day, stored.final is not None
    return Daily(
        date=day.date,
        rules=day.rules,
        number=number_of(day.date),
        difficulty=stored.difficulty,  # type: ignore[arg-type]  # the store gives back a grade that was given to it
        opens_at=iso(opens(day.date)),
        closes_at=iso(closes(day.date)),
        ends_at=iso(ends(day.date)),
        late_until=iso(late_until(day.date)),
        commitment=stored.commitment,
        committed_at=iso(stored.committed),
        void=stored.is_void,
        final_at=None if stored.final is None else iso(stored.final),
        deal=stored.deal if is_final else None,
        par=stored.par if is_final else None,
        record=_record(stored) if is_final else None,
        summary=msgspec.json.decode(stored.summary, type=DaySummary) if is_final else None,
        you=own,
    )


def _record(stored: StoredDay) -> str:
    """The win that makes par, as a record."""
    line = tuple(map(parse_move, stored.plan.split()))
    return record_of_line(parse_deal(stored.deal), stored.day.rules, line)
