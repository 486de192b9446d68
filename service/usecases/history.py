"""A session's log, read: the game at its end, and at any place of it."""

from collections import OrderedDict
from collections.abc import Iterator, Sequence
from typing import Final

from msgspec import Struct
from msgspec.structs import replace

from service.engine.errors import CorruptLog, EngineError
from service.engine.game import ENGINE_VERSION, Game, replay
from service.engine.log import ENTRY_BYTES, Entry, crc_of, unpack
from service.engine.notation import parse_deal, parse_rules
from service.ports import End, SessionMeta, SessionStore, StoredSession, UnreadableSession
from service.usecases.errors import CorruptSession, NoSuchSession


class Place(Struct, frozen=True):
    """A place in a session's history: after `seq` entries, the last with checksum `crc`, None where it is left out."""

    seq: int
    crc: int | None = None


class Turn(Struct, frozen=True):
    """One entry, with the game before and after it."""

    before: Game
    entry: Entry
    after: Game


class History(Struct, frozen=True):
    """A session up to the end of its log as it was read; `game` is what it amounts to there."""

    meta: SessionMeta
    log: bytes
    game: Game

    def knows(self, place: Place) -> bool:
        """Whether the place is in this history; without a crc, whether the history is so long."""
        if place.seq > self.game.seq:
            return False
        return place.crc is None or place.crc == crc_of(self.log[: place.seq * ENTRY_BYTES])

    def ends_at(self, place: Place) -> bool:
        """Whether the log ends at the place, as far as the place says."""
        return place.seq == self.game.seq and (place.crc is None or place.crc == self.game.crc)

    def at(self, seq: int) -> Game:
        """The game after `seq` entries."""
        if seq == self.game.seq:
            return self.game
        return _replayed(self.meta, _beginning(self.meta), self.log[: seq * ENTRY_BYTES])

    def turns_from(self, game: Game) -> Iterator[Turn]:
        """The entries behind a game of this history, in order."""
        for entry, crc in unpack(self.log[game.seq * ENTRY_BYTES :], game.seq, game.crc):
            after = game.after(entry, crc)
            yield Turn(game, entry, after)
            game = after


class Histories:
    """The histories of a store, of which the last `limit` used are kept: a cache that is never trusted for writing."""

    def __init__(self, store: SessionStore, limit: int) -> None:
        self._store, self._limit = store, limit
        self._kept: OrderedDict[str, History] = OrderedDict()
        self.kept: Final = self._kept.get
        """What was read last of a session, which the store may have gone beyond; None where nothing is kept."""

    async def fresh(self, session: str) -> History:
        """What the store holds now; raises NoSuchSession or CorruptSession."""
        try:
            stored = await self._store.load(session)
        except UnreadableSession as error:
            raise CorruptSession(session, 0, str(error)) from error
        if stored is None:
            self._kept.pop(session, None)
            raise NoSuchSession(session)
        history = read(stored, self._kept.get(session))
        self.keep(history)
        return history

    async def ends(self, sessions: Sequence[str]) -> list[End | None]:
        """Where the sessions stand in the store now, None of one that is gone; raises StoreUnavailable."""
        return await self._store.ends(sessions)

    def keep_longer(self, history: History) -> History:
        """Keeps a history that this process has made longer by an entry; who holds its seats may be known better."""
        meta = history.meta
        kept = self._kept.get(meta.id)
        if kept is not None and kept.meta.seats is not meta.seats:
            history = replace(history, meta=kept.meta)
        self.keep(history)
        return history

    def __len__(self) -> int:
        """How many are kept."""
        return len(self._kept)

    def keep(self, history: History) -> None:
        kept, session = self._kept, history.meta.id
        kept[session] = history
        kept.move_to_end(session)
        if len(kept) > self._limit:
            kept.popitem(last=False)


def read(stored: StoredSession, known: History | None = None) -> History:
    """The history that the store holds; what is `known` of it already is not replayed. Raises CorruptSession."""
    meta, log = stored.meta, stored.log
    if known is not None and _same_beginning(known.meta, meta) and log.startswith(known.log):
        return History(meta, log, _replayed(meta, known.game, log[len(known.log) :]))
    return History(meta, log, _replayed(meta, _beginning(meta), log))


def _same_beginning(known: SessionMeta, meta: SessionMeta) -> bool:
    """Whether both begin alike: an id can come back with another deal, under its idempotency key."""
    return (known.deal, known.rules, known.engine) == (meta.deal, meta.rules, meta.engine)


def _beginning(meta: SessionMeta) -> Game:
    if meta.engine != ENGINE_VERSION:
        raise CorruptSession(meta.id, 0, f"engine {meta.engine} wrote it, and this is engine {ENGINE_VERSION}")
    try:
        return Game.begin(parse_deal(meta.deal), parse_rules(meta.rules))
    except EngineError as error:
        raise CorruptSession(meta.id, 0, str(error)) from error


def _replayed(meta: SessionMeta, game: Game, log: bytes) -> Game:
    try:
        return replay(game, unpack(log, game.seq, game.crc))
    except CorruptLog as error:
        raise CorruptSession(meta.id, error.seq, error.why) from error
