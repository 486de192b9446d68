"""Doorbells over sharded pub/sub: a link to each node that holds sessions, read as it speaks."""

import asyncio
import logging
from collections import Counter, deque
from collections.abc import Callable
from contextlib import suppress
from functools import partial
from typing import Any, Final

from hiredis import PushNotification, ReplyError

from service.engine.log import ENTRY_BYTES
from service.ports import Ring, StoreUnavailable
from service.store.redis import keys
from service.store.redis.link import Address, Link, Part, packed
from service.store.redis.topology import Topology

RECONNECT_SECONDS: Final = 0.5
"""How long after an attempt to mend what is amiss the next one is made."""

_log = logging.getLogger(__name__)


class RedisDoorbells:
    """Rings of the sessions that are subscribed to. What is amiss is mended, and every session concerned rings then."""

    def __init__(self, topology: Topology) -> None:
        self._topology = topology
        self._wanted: dict[str, str] = {}
        """The channels of the sessions that are subscribed to, and the sessions."""
        self._ropes: dict[Address, _Rope] = {}
        self._pulled: dict[str, _Rope] = {}
        """On which link each channel was last asked for."""
        self._heard: Callable[[Ring], None] | None = None
        self._amiss = asyncio.Event()
        self._mended = -1
        topology.when_changed(self._leave)

    def subscribe(self, session: str) -> None:
        channel = keys.session_channel(session)
        self._wanted[channel] = session
        self._ask(channel)

    def unsubscribe(self, session: str) -> None:
        channel = keys.session_channel(session)
        if self._wanted.pop(channel, None) is not None and (rope := self._pulled.pop(channel, None)):
            rope.unsubscribe(channel)

    def send(self, session: str, note: bytes) -> None:
        channel = keys.session_channel(session)
        if rope := self._rope(channel):
            rope.publish(channel, note)

    def hears(self, channel: str) -> bool:
        """Whether the node that holds the session has this process on its list for the channel."""
        rope = self._pulled.get(channel)
        return rope is not None and channel in rope.heard

    async def run(self, heard: Callable[[Ring], None]) -> None:
        self._heard = heard
        self._amiss.set()
        try:
            while True:
                with suppress(TimeoutError):
                    async with asyncio.timeout(self._topology.round_seconds):
                        await self._amiss.wait()
                try:
                    await self._mend()
                except StoreUnavailable as error:
                    _log.warning("doorbells are not heard: %s", error)
                    self._amiss.set()
                await asyncio.sleep(RECONNECT_SECONDS)
        finally:
            self._heard = None
            for rope in tuple(self._ropes.values()):
                rope.link.end("nobody listens")

    async def _mend(self) -> None:
        """Links to the nodes that hold sessions, and asks each for what is wanted of it."""
        await self._topology.refresh()
        if not self._amiss.is_set() and self._mended == self._topology.changes:
            return
        self._leave()
        self._amiss.clear()
        self._mended = self._topology.changes
        nodes = set(self._topology.nodes())
        await asyncio.gather(*(self._link(node) for node in nodes - self._ropes.keys()))
        for channel in self._wanted:
            if self._pulled.get(channel) is not self._rope(channel):
                self._ask(channel)

    def _leave(self) -> None:
        """Ends the links to nodes that hold no session any more, and has all be mended that this leaves amiss."""
        self._amiss.set()
        for node in self._ropes.keys() - set(self._topology.nodes()):
            self._ropes[node].link.end("it holds no session any more")

    async def _link(self, node: Address) -> None:
        rope = _Rope(self._rang, partial(self._refused, node))
        try:
            rope.link = await Link.open(node, self._topology.access, rope.told, partial(self._lost, node))
        except StoreUnavailable as error:
            _log.warning("doorbells are not heard: %s", error)
            self._amiss.set()
        else:
            self._ropes[node] = rope

    def _lost(self, node: Address, why: str) -> None:
        if self._heard:
            _log.warning("the doorbells of a node are lost: %s", why, extra={"node": str(node)})
        self._ropes.pop(node).heard.clear()
        self._amiss.set()

    def _rope(self, channel: str) -> "_Rope | None":
        node = self._topology.node(channel)
        return self._ropes.get(node) if node else None

    def _ask(self, channel: str) -> None:
        """Asks the node that holds the session for its rings, once there is a link to it."""
        rope, before = self._rope(channel), self._pulled.pop(channel, None)
        if before and before is not rope:
            before.unsubscribe(channel)
        if rope:
            self._pulled[channel] = rope
            rope.subscribe(channel)
        else:
            self._amiss.set()

    def _rang(self, channel: str, said: bytes) -> None:
        if self._heard and (session := self._wanted.get(channel)) is not None:
            self._heard(Ring(session, said) if len(said) <= ENTRY_BYTES else Ring(session, b"", said))

    def _refused(self, node: Address, channel: str, why: str) -> None:
        """The node has ended the subscription, or will not have it."""
        _log.warning("a doorbell is refused: %s", why, extra={"node": str(node), "channel": channel})
        self._topology.correct(why, node)
        self._pulled.pop(channel, None)
        self._amiss.set()


class _Rope:
    """The subscriptions of one link: `rang` hears each ring, and `refused` what the node does not ring any more."""

    link: Link

    def __init__(self, rang: Callable[[str, bytes], None], refused: Callable[[str, str], None]) -> None:
        self._rang, self._refused = rang, refused
        self.heard: set[str] = set()
        """The channels whose subscription holds."""
        self._asked: deque[str] = deque()
        """The channels whose subscription is not answered yet; an error says of which it speaks by its place only."""
        self._gathers = False
        self._ending: Counter[str] = Counter()
        """How often the end of a channel's subscription was asked for: any other end is the node's own wish."""

    def subscribe(self, channel: str) -> None:
        self._asked.append(channel)
        self._send("SSUBSCRIBE", channel)

    def unsubscribe(self, channel: str) -> None:
        self.heard.discard(channel)
        self._ending[channel] += 1
        self._send("SUNSUBSCRIBE", channel)

    def publish(self, channel: str, note: bytes) -> None:
        self._send("SPUBLISH", channel, note)

    def told(self, said: Any) -> None:
        if type(said) is not PushNotification:
            if isinstance(said, ReplyError) and self._asked:
                self._refused(self._asked.popleft(), str(said))
            return
        kind, channel, more = said[0], said[1].decode(), said[2]
        if kind == b"smessage":
            self._rang(channel, more)
        elif kind == b"ssubscribe":
            while self._asked and self._asked.popleft() != channel:
                pass  # an error that was another command's had taken this one's place
            self.heard.add(channel)
            self._rang(channel, b"")
        elif self._ending[channel] > 1:
            self._ending[channel] -= 1
        elif not self._ending.pop(channel, 0):
            self.heard.discard(channel)
            self._refused(channel, "the node has ended the subscription")

    def _send(self, *parts: Part) -> None:
        """Writes the commands of one turn of the loop at once."""
        if not self._gathers:
            self._gathers = True
            asyncio.get_running_loop().call_soon(self._flush)
        self.link.send(packed(*parts))

    def _flush(self) -> None:
        self._gathers = False
        self.link.flush()
