"""Group commit: the commits of one turn of the loop travel together, as many to a call and a write as a call may carry.

That is 32 sessions, and once there are so many they are sent; in a cluster it is one, and all of a turn go at its end.
No call waits for the one before it: the order of a session's entries is the log's own compare-and-append. What a
node refused to run is sent again, for a while; what was written and not answered is not, since nobody knows what became
of it.
"""

import asyncio
import logging
from collections.abc import Callable, Sequence
from contextvars import Context
from functools import lru_cache, partial
from time import perf_counter
from typing import Any, Final

import msgspec
from hiredis import ReplyError
from msgspec import Struct
from msgspec.structs import replace
from opentelemetry.trace import Span

from service.engine.log import ENTRY_BYTES, SEATS
from service.ports import Commit, Settle, StoreUnavailable, Verdict
from service.store.redis.keys import seat_field, session_channel, session_log, session_meta
from service.store.redis.link import Address, Link, arguments, command, packed
from service.store.redis.scripts import digest, source
from service.store.redis.topology import PAUSE_SECONDS, TRIES, Topology
from service.telemetry import traces
from service.telemetry.meters import CommitMeter

OUTSTANDING: Final = 20_000
"""The most commits that may wait for their verdict; what comes on top is told that the store is not available."""

CLOSED: Final = "the store is closed"
_SOURCE: Final = source("commit")
_CALL: Final = arguments("EVALSHA", digest(_SOURCE))
_LOAD: Final = packed("SCRIPT", "LOAD", _SOURCE)
_ASKING: Final = packed("ASKING")
_encode: Final = msgspec.msgpack.Encoder().encode  # a tenth of what as many arguments take
_FAILED: Final = 5
"""What the script says of a commit in which it failed, beside the verdicts."""
_VERDICTS: Final = (Verdict.COMMITTED, Verdict.STALE, Verdict.CLOSED, Verdict.NOT_YOUR_SEAT, Verdict.GONE)
_NOT_NOW: Final = frozenset({"CLUSTERDOWN", "LOADING", "MASTERDOWN", "NOREPLICAS", "READONLY", "TRYAGAIN"})
"""What a node says that ran nothing: the script's first write is refused too where the node is a replica, or has too
few of them."""
REPLACED: Final = "another node has taken its place"
_SEAT_FIELDS: Final = tuple(map(seat_field, SEATS))

_log = logging.getLogger(__name__)


class Waiting(Struct, frozen=True):
    """A commit, and who is told its verdict.

    since:    when it was gathered, or the first of those that it travels with
    refusals: how often a node did not run it
    """

    commit: Commit
    settle: Settle
    since: float
    refusals: int = 0


class Commits:
    """The commits of one process; `hears` tells whether a channel rings in it.

    `ttl` is the milliseconds that an idle session is kept, 0 for ever.
    """

    def __init__(self, topology: Topology, hears: Callable[[str], bool], ttl: int) -> None:
        self.topology, self.hears, self.ttl = topology, hears, ttl
        self.meter = CommitMeter()
        self._gathered: list[Waiting] = []
        self._homeless: list[Waiting] = []
        self._finding: asyncio.Task[None] | None = None
        self._nodes: dict[Address, _Node] = {}
        self._outstanding = 0
        self._is_closed = False
        topology.when_changed(self._leave)

    def commit(self, commit: Commit, settle: Settle) -> None:
        """Has the script decide on a commit, and settles it with what that says."""
        self._outstanding += 1
        since = self._gathered[0].since if self._gathered else perf_counter()
        waiting = Waiting(commit, settle, since)
        if self._outstanding <= OUTSTANDING:
            self.gather(waiting)
        else:
            why = StoreUnavailable("too many commits wait already")
            asyncio.get_running_loop().call_soon(self.fail, [waiting], why)

    async def close(self) -> None:
        """Ends the links; what waits is told that the store is not available."""
        self._is_closed = True
        for node in self._nodes.values():
            await node.close()
        if self._finding:
            self._finding.cancel()
            await asyncio.gather(self._finding, return_exceptions=True)
        waiting, self._homeless = self._homeless, []
        self.fail(waiting, StoreUnavailable(CLOSED))

    def _leave(self) -> None:
        """Ends the links to nodes that hold nothing any more: what they still commit, nobody goes on from."""
        holding = self.topology.nodes()
        for address, node in tuple(self._nodes.items()):
            if address not in holding:
                node.leave()

    def settle(self, waiting: Waiting, verdict: Verdict | StoreUnavailable) -> None:
        self._outstanding -= 1
        try:
            waiting.settle(verdict)
        except Exception:  # of one, which the others of its call must not suffer for
            _log.exception("a verdict could not be taken")

    def fail(self, them: Sequence[Waiting], why: StoreUnavailable) -> None:
        self.meter.errors += len(them)
        for waiting in them:
            self.settle(waiting, why)

    def refused(self, them: Sequence[Waiting], node: Address, said: str) -> None:
        """Sends again, after a while or elsewhere, what the node did not run, and fails the rest."""
        refused = _counted(them)
        again = [waiting for waiting in refused if waiting.refusals < TRIES]
        spent = [waiting for waiting in refused if waiting.refusals >= TRIES]
        word = said.partition(" ")[0]
        elsewhere = self.topology.correct(said, node)
        if elsewhere and word == "ASK":
            self._node(elsewhere).send(again, asking=True)
        elif elsewhere:
            for waiting in again:
                self.gather(waiting)
        elif word in _NOT_NOW:
            if word != "TRYAGAIN":
                self.topology.doubt(node)
            for waiting in again:
                asyncio.get_running_loop().call_later(PAUSE_SECONDS, self.gather, waiting)
        else:
            _log.warning("commits are refused: %s", said, extra={"node": str(node)})
            spent = refused
        self.fail(spent, StoreUnavailable(said))

    def gather(self, waiting: Waiting) -> None:
        """Has a commit travel to whichever node holds its session then."""
        if not self._gathered:
            asyncio.get_running_loop().call_soon(self._flush)
        self._gathered.append(waiting)
        if len(self._gathered) == self.topology.batch > 1:
            self._flush()

    def _flush(self) -> None:
        gathered, self._gathered = self._gathered, []
        if self._is_closed:
            self.fail(gathered, StoreUnavailable(CLOSED))
            return
        for home, them in self._homes(gathered).items():
            if home:
                self._node(home).send(them)
            else:
                self._homeless += them
                if self._finding is None or self._finding.done():
                    self._finding = asyncio.create_task(self._find())

    def _homes(self, them: list[Waiting]) -> dict[Address | None, list[Waiting]]:
        """Who is to have which."""
        if self.topology.batch > 1:  # there is one node, which holds all
            return {self._home(them[0]): them} if them else {}
        homes: dict[Address | None, list[Waiting]] = {}
        for waiting in them:
            homes.setdefault(self._home(waiting), []).append(waiting)
        return homes

    def _home(self, waiting: Waiting) -> Address | None:
        return self.topology.node(session_meta(waiting.commit.session))

    async def _find(self) -> None:
        """Asks who holds the keys of what has no home, and sends it there."""
        why = StoreUnavailable("no node is known to hold the session")
        try:
            await self.topology.refresh()
        except StoreUnavailable as error:
            _log.warning("commits have no node: %s", error)
            why = error
        homeless, self._homeless = self._homeless, []
        for waiting in homeless:
            if self._home(waiting):
                self.gather(waiting)
            else:
                self.fail([waiting], why)

    def _node(self, address: Address) -> "_Node":
        if (node := self._nodes.get(address)) is None:
            node = self._nodes[address] = _Node(address, self)
        return node


class _Node:
    """The calls to one node, over a link that is made when it is needed."""

    def __init__(self, address: Address, commits: Commits) -> None:
        self._address, self._commits = address, commits
        self._link: Link | None = None
        self._opening: asyncio.Task[None] | None = None
        self._waiting: list[tuple[list[Waiting], bool]] = []

    def send(self, them: list[Waiting], asking: bool = False) -> None:
        """Has the node run the commits, in its importing slots too if `asking`; one call has no more than it may."""
        if not (link := self._link):
            self._waiting.append((them, asking))
            self._opening = self._opening or asyncio.create_task(self._open(), context=Context())
            return
        batch = self._commits.topology.batch
        self._commits.meter.sizes.add(len(them))
        for start in range(0, len(them), batch):
            call = them[start : start + batch]
            if asking:
                link.send(_ASKING, _ignore)
            link.send(self._packed(call), partial(self._answered, call, traces.begin("commits", commits=len(call))))
        link.flush()

    async def close(self) -> None:
        if self._opening:
            self._opening.cancel()
            await asyncio.gather(self._opening, return_exceptions=True)
        if self._link:
            self._link.end(CLOSED)

    def leave(self) -> None:
        """Ends the link, so that nobody knows what becomes of what it carried; what waits for a link goes elsewhere."""
        waiting, self._waiting = self._waiting, []
        for them, _ in waiting:
            for one in them:
                self._commits.gather(one)
        if self._link:
            self._link.end(REPLACED)

    async def _open(self) -> None:
        why = StoreUnavailable(CLOSED)
        try:
            self._link = await Link.open(self._address, self._commits.topology.access, _ignore, self._ended)
        except StoreUnavailable as error:
            _log.warning("commits have no link: %s", error)
            why = error
            self._commits.topology.doubt(self._address)
        finally:
            self._opening = None
            waiting, self._waiting = self._waiting, []
            for them, asking in waiting:
                if self._link:
                    self.send(them, asking)
                else:
                    self._commits.fail(them, why)

    def _ended(self, why: str) -> None:
        if why != CLOSED:
            _log.warning("the link of commits has ended: %s", why, extra={"node": str(self._address)})
        self._link = None
        self._commits.topology.doubt(self._address)

    def _packed(self, call: list[Waiting]) -> bytes:
        hears, facts = self._commits.hears, []
        keys: list[bytes] = []
        entries: list[bytes] = []
        for waiting in call:
            commit = waiting.commit
            seat, is_open = _SEAT_FIELDS[commit.seat], not commit.closes
            named, channel = _names(commit.session)
            keys.append(named)
            entries += (commit.crc.to_bytes(4, "big"), commit.entry)
            is_silent, length = commit.told and hears(channel), commit.at * ENTRY_BYTES
            facts.append((channel, seat, commit.player, is_silent, length, commit.status, is_open, commit.time))
        count = 2 * len(keys)
        told = arguments(self._commits.ttl, _encode(facts), b"".join(entries))
        return command(count + 6, _CALL, arguments(count), *keys, told)

    def _answered(self, call: list[Waiting], span: Span | None, said: Any) -> None:
        commits = self._commits
        if span:
            traces.end(span, said)
        if _is_answer(said, len(call)):
            took = perf_counter() - call[0].since
            verdicts, *failures = said
            for waiting, verdict in zip(call, verdicts, strict=True):
                if verdict == _FAILED:
                    commits.refused([waiting], self._address, failures.pop(0).decode())
                else:
                    commits.settle(waiting, _VERDICTS[verdict])
            commits.meter.seconds.add(took, len(call) - verdicts.count(_FAILED))
        elif isinstance(said, ReplyError):
            self._refused(call, str(said))
        else:
            commits.fail(call, said if isinstance(said, StoreUnavailable) else StoreUnavailable(repr(said)))

    def _refused(self, call: list[Waiting], said: str) -> None:
        if said.startswith("NOSCRIPT") and self._link and call[0].refusals + 1 < TRIES:
            self._link.send(_LOAD, _ignore)
            self.send(_counted(call))
        else:
            self._commits.refused(call, self._address, said)


@lru_cache(1 << 14)
def _names(session: str) -> tuple[bytes, str]:
    """What a commit names: the session's meta and its log as they are written in a call, and its channel."""
    return arguments(session_meta(session), session_log(session)), session_channel(session)


def _is_answer(said: Any, count: int) -> bool:
    """Whether it is what the script says of so many commits."""
    match said:
        case [bytes(verdicts), *failures]:
            fits = len(verdicts) == count and len(failures) == verdicts.count(_FAILED)
            return fits and max(verdicts) <= _FAILED
        case _:
            return False


def _counted(them: Sequence[Waiting]) -> list[Waiting]:
    """What a node did not run, with that one more refusal."""
    return [replace(waiting, refusals=waiting.refusals + 1) for waiting in them]


def _ignore(_: object) -> None:
    """What answers nothing that anybody waits for."""
