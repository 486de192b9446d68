"""Sessions and their logs, and the doorbells that tell of them."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from enum import Enum
from typing import Final, NamedTuple, Protocol, TypeAlias

from msgspec import Struct

from service.ports.daily import Run
from service.ports.errors import StoreUnavailable


class UnreadableSession(Exception):
    """What is stored under a session's id is nothing that a store writes."""


@dataclass(frozen=True, slots=True)
class SeatHolder:
    """The player on a seat, with the name the player had then."""

    player: str
    name: str


@dataclass(frozen=True, slots=True, kw_only=True)
class SessionMeta:
    """All of a session but its log.

    rules:      the preset's name
    deal:       the deal's text, also while it is secret
    created:    milliseconds since the epoch, and the zero of the log's times
    updated:    milliseconds since the epoch of the last entry
    status:     as it was after the last entry, a convenience for lists; or `expired`, of a run that was cut off
    is_open:    whether the log takes another entry
    mode:       how its seats share the board: solo, free_hands, turns or departments
    capacity:   how many seats it has, 1..4
    invite:     the code that lets a player take a free seat, empty where there are none to take
    seats:      who holds each seat that was ever taken, None where its holder has left
    run:        which run of which day's challenge it is, None of any other session
    """

    id: str
    rules: str
    deal: str
    secret: bool
    spectators: bool
    engine: int
    created: int
    updated: int
    status: str
    is_open: bool
    mode: str
    capacity: int
    invite: str
    seats: tuple[SeatHolder | None, ...]
    run: Run | None = None

    def seat_of(self, player: str | None) -> int | None:
        """The player's seat, or None for a spectator."""
        for seat, holder in enumerate(self.seats):
            if holder is not None and holder.player == player:
                return seat
        return None

    @property
    def unlogged(self) -> tuple[tuple[SeatHolder | None, ...], bool]:
        """What can change without an entry: who has a seat, and whether it is a secret."""
        return self.seats, self.secret

    @property
    def changes_unlogged(self) -> bool:
        """Whether it is a session of which that does change."""
        return self.capacity > 1 or self.run is not None


@dataclass(frozen=True, slots=True)
class StoredSession:
    """A session as the store holds it: what it is, and the bytes of its log."""

    meta: SessionMeta
    log: bytes


@dataclass(frozen=True, slots=True)
class StoredSummary:
    """A session for a list: what it is, and how many entries its log has."""

    meta: SessionMeta
    seq: int


class End(NamedTuple):
    """Where a session stands, at a glance: its last entry, empty before the first, and whether it is a secret."""

    entry: bytes
    secret: bool


class Commit(Struct, frozen=True):
    """One entry to append where the log ends at `(at, crc)`.

    entry:  its bytes, checksum included
    status: the session's status after it
    closes: whether the log takes no entry after it
    time:   milliseconds since the epoch
    told:   whether whoever listens in this process is told by the verdict, so that its own doorbell can be silent
    """

    session: str
    player: str
    seat: int
    at: int
    crc: int
    entry: bytes
    status: str
    closes: bool
    time: int
    told: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Claim:
    """A session that a player is about to create.

    created:     milliseconds since the epoch
    key:         the idempotency key, or None
    fingerprint: what was asked for, so that the key cannot come back with another request
    """

    player: str
    session: str
    created: int
    key: str | None
    fingerprint: str


class Verdict(Enum):
    """What became of a commit. All but COMMITTED have changed nothing."""

    COMMITTED = "committed"
    STALE = "stale"
    """The log does not end at the place that the commit named."""
    CLOSED = "closed"
    NOT_YOUR_SEAT = "not_your_seat"
    GONE = "gone"
    """There is no such session, or no more."""


Settle: TypeAlias = Callable[[Verdict | StoreUnavailable], None]
"""Is told once what became of a commit, from the event loop; StoreUnavailable says that nobody knows."""


class Seating(Enum):
    """What became of a wish for a seat. All but SEATED have changed nothing."""

    SEATED = "seated"
    ALREADY = "already"
    """The player has a seat there."""
    FULL = "full"
    WRONG_INVITE = "wrong_invite"
    CLOSED = "closed"
    GONE = "gone"


PLANS_KEPT: Final = 64
"""Winning lines that are kept of a session; with more the oldest are dropped."""


class SessionStore(Protocol):
    """Sessions and their logs. Every method may raise StoreUnavailable, but `commit`, which settles with it."""

    async def claim(self, claim: Claim) -> Claim:
        """Notes a session id as the player's, before it is created; one round trip, one slot.

        With an idempotency key, the first claim under it in a day stands, and is the answer.
        """
        ...

    async def create(self, meta: SessionMeta) -> bool:
        """Stores a session without entries and says True, if its id is free; one round trip, one slot.

        A run of a day is kept for ever.
        """
        ...

    async def load(self, session: str) -> StoredSession | None:
        """The session, or None when there is none; one round trip, one slot. Raises UnreadableSession."""
        ...

    async def ends(self, sessions: Sequence[str]) -> list[End | None]:
        """Where each session stands, None where it is gone; one round trip to each node."""
        ...

    def commit(self, commit: Commit, settle: Settle) -> None:
        """Appends the entry and rings the session's doorbell, or tells why not, at once; one round trip, one slot.

        It is carried out whatever becomes of whoever asked; `settle` is called later, never from within this call.
        """
        ...

    async def join(self, session: str, holder: SeatHolder, invite: str) -> Seating:
        """Gives the player the first free seat and rings the session's doorbell; one round trip, one slot."""
        ...

    async def leave(self, session: str, player: str) -> bool:
        """Frees the player's seat, if there is one, and rings the session's doorbell; one round trip, one slot."""
        ...

    async def unseal(self, session: str) -> None:
        """Has a run take no further entry, tell its deal and let all watch, and rings; one round trip, one slot.

        Its status becomes `expired` if it was open. Again, or where there is no such run, without effect.
        """
        ...

    async def plans(self, session: str) -> list[str]:
        """The winning lines that were kept of a session, oldest first; one round trip, one slot."""
        ...

    async def keep_plan(self, session: str, plan: str) -> None:
        """Keeps a winning line, all its moves from the deal on, while the session is asked about; one round trip."""
        ...

    async def sessions_of(self, player: str, cursor: str | None, limit: int) -> tuple[list[StoredSummary], str | None]:
        """Some of the player's sessions, newest first, and the cursor of the next page; two round trips.

        A page can be short, since sessions that have expired or cannot be read are left out; only a cursor of None
        says that it is the last. Raises ValueError for a cursor that this method never gave.
        """
        ...

    async def forget(self, player: str) -> None:
        """Takes the player's name out of the sessions on their list, ends that list, and rings their doorbells.

        Solo sessions that are no run are deleted, and seats of shared ones that are open are free. Two round trips, and
        one for each session; again, for what is left.
        """
        ...


class Ring(NamedTuple):
    """A session that may have gone on: by this entry, or, where there is none, by any; or to which a note was sent."""

    session: str
    entry: bytes = b""
    note: bytes = b""


class Doorbells(Protocol):
    """Tells that a session may have new entries. A ring can be late, doubled or lost, so read the log unasked too."""

    def subscribe(self, session: str) -> None:
        """Asks for the session's rings; the first comes as soon as the subscription holds."""
        ...

    def unsubscribe(self, session: str) -> None: ...

    def send(self, session: str, note: bytes) -> None:
        """Rings with a note, 11 to 1,000 bytes, for all who are subscribed anywhere, this process too; kept nowhere."""
        ...

    async def run(self, heard: Callable[[Ring], None]) -> None:
        """Tells what rings, also after every renewed subscription, until it is cancelled; once in a process."""
        ...
