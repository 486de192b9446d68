"""What the use cases need of the world, in the game's words. The store and the composition root provide it.

Costs are in round trips to the store; "one slot" says that all keys of the call lie together in a cluster.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from enum import Enum
from hashlib import sha256
from typing import Final, NamedTuple, Protocol, TypeAlias

from service.ports.boards import BoardStore
from service.ports.daily import DayStore, RecordStore, Run


class StoreUnavailable(Exception):
    """The store cannot be reached, or cannot write, just now."""


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


class Commit(NamedTuple):
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


class Task(Enum):
    """What a solver is asked to do with a position."""

    SOLVE = "solve"
    """Whether it can be won, and how."""
    CERTIFY = "certify"
    """The same of a deal, and how hard it is, and the best line that is found."""


class Problem(NamedTuple):
    """A position for the solver.

    rules:    the preset's name
    position: its canonical text, so that all who ask the same ask it in the same words
    budget:   nodes that the search may expand
    scope:    what the stock is a secret of, empty where it is none: nobody learns from the time that an answer takes
              what others asked in another scope
    """

    task: Task
    rules: str
    position: str
    budget: int
    scope: str = ""

    @property
    def digest(self) -> str:
        """What is asked, whatever the budget, in hexadecimal; another scope has another."""
        return sha256("\n".join((self.task.value, self.rules, self.position, self.scope)).encode()).hexdigest()

    @property
    def name(self) -> str:
        """What tells it from every other."""
        return f"{self.digest}:{self.budget}"


class Report(NamedTuple):
    """What a solver found.

    result:     won, unwinnable or gave_up
    nodes:      states expanded
    line:       the moves of a win from the canonical position, empty where none was found
    difficulty: of a deal that was certified: gentle, steady, testing or fierce
    best:       of a deal that was certified, the winning line with the most tempo that was found
    par:        the tempo of that line
    """

    result: str
    nodes: int
    line: tuple[str, ...] = ()
    difficulty: str | None = None
    best: tuple[str, ...] = ()
    par: int | None = None


class SolverBusy(Exception):
    """More problems wait for the solver than it takes."""


class Solver(Protocol):
    """Solves problems away from the event loop."""

    async def report(self, problem: Problem) -> Report:
        """What is found, or was found before with as large a budget; one search for all who ask the same.

        A search that nobody waits for any more is given up. Raises SolverBusy and StoreUnavailable.
        """
        ...

    async def close(self) -> None:
        """Gives up all searches."""
        ...


class ReportStore(Protocol):
    """Reports, kept for a while. Every method may raise StoreUnavailable."""

    async def find(self, problem: Problem) -> Report | None:
        """What a search with as large a budget found, or any that came to an end; one round trip, one slot."""
        ...

    async def keep(self, problem: Problem, report: Report) -> None:
        """Stores what was found, a deal's certificate for longer; one round trip, one slot."""
        ...


class Job(NamedTuple):
    """A problem on the list for workers, and its place there."""

    place: str
    problem: Problem


class Jobs(Protocol):
    """The list of problems for workers in other processes. Every method may raise StoreUnavailable; all is in one slot.

    A problem is on the list once, however many ask, and goes to one worker; if that does not hold it any more, to
    another. Whoever waits asks again every few seconds, or it is wanted no more.
    """

    async def ask(self, problem: Problem) -> bool:
        """Puts a problem on the list, if it is not there, and says that it is wanted; whether a worker is at it.

        Raises SolverBusy.
        """
        ...

    async def take(self) -> Job | None:
        """A problem that no worker holds, for which it waits some seconds, or None."""
        ...

    async def hold(self, job: Job) -> bool:
        """Says that a worker is still at it, and tells whether somebody still wants it."""
        ...

    async def finish(self, job: Job) -> None:
        """Takes it off the list, solved or not, and tells those who wait, who look for its report or ask again."""
        ...

    async def finished(self, since: str) -> tuple[str, list[str]]:
        """The names of the problems that were finished since, for which it waits some seconds; "0" is long ago."""
        ...


class Store(Protocol):
    """The whole store."""

    @property
    def sessions(self) -> SessionStore: ...
    @property
    def players(self) -> PlayerStore: ...
    @property
    def doorbells(self) -> Doorbells: ...
    @property
    def reports(self) -> ReportStore: ...
    @property
    def days(self) -> DayStore: ...
    @property
    def records(self) -> RecordStore: ...
    @property
    def boards(self) -> BoardStore: ...

    async def check(self) -> None:
        """Returns when the store answers; raises StoreUnavailable."""
        ...

    async def close(self) -> None: ...


class Clock(Protocol):
    def now(self) -> int:
        """Milliseconds since the epoch, UTC."""
        ...


class Chance(Protocol):
    def bytes(self, count: int) -> bytes:
        """Bytes that nobody can foresee."""
        ...
