"""Which node holds a key: by the URL alone, one server, the master that sentinels name, or a cluster's by slot.

    redis://host:port/db   rediss://…   unix:///path
    redis+sentinel://host:port,host:port/service_name/db
    redis+cluster://host:port,host:port

Each may carry `user:password@`, and `rediss+…` speaks TLS with the nodes too. What is known of nodes is a guess that
the nodes themselves correct, so that it is asked for again whenever one is lost, or says that another holds a key.
"""

import asyncio
import random
import re
import ssl
from abc import ABC, abstractmethod
from collections.abc import Callable, Collection
from typing import Any, Final
from urllib.parse import unquote

from hiredis import HiredisError
from redis.asyncio import Redis
from redis.asyncio.connection import SSLConnection, parse_url
from redis.asyncio.retry import Retry
from redis.backoff import NoBackoff
from redis.crc import REDIS_CLUSTER_HASH_SLOTS as SLOTS
from redis.crc import key_slot

from service.ports import StoreUnavailable
from service.store.redis.link import Access, Address, Link

TRIES: Final = 8
"""How often at most something is sent that nodes refuse to run."""
PAUSE_SECONDS: Final = 0.1
"""The least time between two questions for who holds what, and before another try where a node could not run it."""
PATIENCE_SECONDS: Final = 1.0
"""How long a node or sentinel may take to say who holds what before the next one is asked."""
BATCH: Final = 32
"""The most sessions of one call, so that none keeps a server from others for long, and it works at one call while the
commits of the next are judged."""
_LISTED: Final = re.compile(r"(rediss?)\+(sentinel|cluster)://(?:([^/?@]*)@)?([^/?@]+)(?:/([^/?]*))?(?:/(\d*))?(\?.*)?")


class Topology(ABC):
    """The nodes; `options` are those of redis-py for a connection to any of them."""

    batch: int = BATCH
    """How many sessions one call may carry."""
    round_seconds = 5.0
    """How often it is asked who holds what, since a node that was replaced may say nothing of it."""

    def __init__(self, options: dict[str, Any]) -> None:
        self.access = _access(options)
        self.options = {key: value for key, value in options.items() if key not in {"host", "port", "path"}}
        self.changes = 0
        """How often another node was found to hold something."""
        self._heard: list[Callable[[], None]] = []
        self._asking: asyncio.Task[None] | None = None
        self._asked = -PAUSE_SECONDS

    @abstractmethod
    def node(self, key: str, /) -> Address | None:
        """The node that holds the key, as far as is known; None where that has to be asked for."""

    @abstractmethod
    def nodes(self) -> Collection[Address]:
        """All nodes that hold keys, as far as is known."""

    @abstractmethod
    def doubt(self, node: Address) -> None:
        """The node was lost, or does not write: who holds its keys has to be asked for."""

    def correct(self, _: str, __: Address, /) -> Address | None:
        """Learns from the MOVED or ASK of a node, and tells the node that it names; None for any other error."""
        return None

    def when_changed(self, heard: Callable[[], None]) -> None:
        """Has somebody told at once when a question brings out that other nodes hold something."""
        self._heard.append(heard)

    async def refresh(self) -> None:
        """Asks who holds what, soon and once for all who want to know; raises StoreUnavailable."""
        if self._asking is None or self._asking.done():
            self._asking = asyncio.create_task(self._refresh())
        await asyncio.shield(self._asking)

    async def close(self) -> None:
        if self._asking:
            self._asking.cancel()
            await asyncio.gather(self._asking, return_exceptions=True)

    async def _refresh(self) -> None:
        time = asyncio.get_running_loop().time
        await asyncio.sleep(self._asked + PAUSE_SECONDS - time())
        self._asked = time()
        before = self.changes
        await self._ask()
        if self.changes != before:
            for heard in self._heard:
                heard()

    @abstractmethod
    async def _ask(self) -> None: ...


class Standalone(Topology):
    """One server."""

    def __init__(self, options: dict[str, Any]) -> None:
        super().__init__(options)
        self._node = Address(options.get("host", "localhost"), options.get("port", 6379), options.get("path", ""))

    def node(self, _: str, /) -> Address | None:
        return self._node

    def nodes(self) -> Collection[Address]:
        return [self._node]

    def doubt(self, node: Address) -> None:
        """There is no other."""

    async def refresh(self) -> None:
        """There is nothing to ask."""

    async def _ask(self) -> None:
        """There is nobody to ask."""


class Sentinels(Topology):
    """The master of a service that sentinels watch, asked for again whenever a link to it is made."""

    round_seconds = 1.0  # one that was away while it was replaced goes on as a master, for ten seconds and more

    def __init__(self, options: dict[str, Any], sentinels: list[tuple[str, int]], service: str) -> None:
        super().__init__(options)
        self._service = service
        self._master: Address | None = None
        self._found: Address | None = None
        self._sentinels = [_sentinel(host, port) for host, port in sentinels]

    def node(self, _: str, /) -> Address | None:
        return self._master

    def nodes(self) -> Collection[Address]:
        return [self._master] if self._master else []

    def doubt(self, node: Address) -> None:
        if node == self._master:
            self._master = None

    async def close(self) -> None:
        await super().close()
        await asyncio.gather(*(sentinel.aclose() for sentinel in self._sentinels))

    async def _ask(self) -> None:
        """Asks all sentinels, and believes the one that knows of the latest promotion: others hear of it later."""
        answers = await asyncio.gather(*map(self._named, self._sentinels), return_exceptions=True)
        told = [answer for answer in answers if not isinstance(answer, BaseException)]
        if not told:
            raise StoreUnavailable(f"no sentinel answers: {answers}")
        latest, _ = max(told, key=lambda answer: answer[0])
        if not (masters := [master for epoch, master in told if epoch == latest and master]):
            raise StoreUnavailable("the master is down")
        if (master := masters[0]) != self._found:
            self._found = master
            self.changes += 1
        self._master = master

    async def _named(self, sentinel: Redis) -> tuple[int, Address | None]:
        """How late the promotion is that a sentinel knows of, and the master then, None if it is down."""
        asked = sentinel.pipeline(transaction=False)
        asked.sentinel_get_master_addr_by_name(self._service)
        asked.sentinel_master(self._service)
        (host, port), state = await asked.execute()
        master = Address(host.decode(), port)
        is_down = state["is_sdown"] and Address(state["ip"], state["port"]) == master  # no flag of who is replaced
        return state["config-epoch"], None if is_down else master


class Cluster(Topology):
    """The masters of a cluster, each with its slots."""

    batch = 1  # the keys of one call share a slot

    def __init__(self, options: dict[str, Any], known: list[tuple[str, int]]) -> None:
        super().__init__(options)
        self._known = {Address(host, port) for host, port in known}
        self._places = self._known
        self._holders: list[Address | None] = [None] * SLOTS
        self._doubted: set[Address] = set()

    def node(self, key: str, /) -> Address | None:
        holder = self._holders[key_slot(key.encode())]
        return None if holder in self._doubted else holder

    def nodes(self) -> Collection[Address]:
        return {holder for holder in self._holders if holder} - self._doubted

    def doubt(self, node: Address) -> None:
        self._doubted.add(node)

    def correct(self, said: str, asked: Address, /) -> Address | None:
        match said.split(" "):
            case ["MOVED" | "ASK" as word, slot, place, *_]:
                host, _, port = place.rpartition(":")
                node = Address(host or asked.host, int(port))
                if word == "MOVED":
                    self._holders[int(slot)] = node
                    self._doubted.discard(node)
                    self.changes += 1
                return node
        return None

    async def _ask(self) -> None:
        """Asks the nodes in any order, so that one that is wrong, or stopped, is not the first every time."""
        why = StoreUnavailable("the URL names no node")
        for place in random.sample(sorted(self._places), len(self._places)):
            try:
                async with asyncio.timeout(PATIENCE_SECONDS):
                    link = await Link.open(place, self.access, told=_ignore, ended=_ignore)
                    try:
                        return self._take(place, await link.ask("CLUSTER", "SLOTS"))
                    finally:
                        link.end("it has answered")
            except (StoreUnavailable, HiredisError, TimeoutError) as error:
                why = StoreUnavailable(f"{place}: {str(error) or type(error).__name__}")
        raise why

    def _take(self, asked: Address, ranges: list[Any]) -> None:
        """Takes a map of slots; where a node does not know its own name, it is the one that was asked."""
        holders: list[Address | None] = [None] * SLOTS
        self._places = self._known.copy()
        for first, last, *nodes in ranges:
            places = [Address((host or b"").decode() or asked.host, port) for host, port, *_ in nodes]
            holders[first : last + 1] = places[:1] * (last + 1 - first)
            self._places.update(places)
        self._doubted.clear()
        if holders != self._holders:
            self._holders = holders
            self.changes += 1


def topology(url: str) -> Topology:
    """What a URL names; connects to nothing yet. Raises ValueError for a URL that is none."""
    if not (listed := _LISTED.fullmatch(url)):
        return Standalone(dict(parse_url(url)))
    scheme, kind, credentials, places, path, database, query = listed.groups("")
    known = [_place(place, 26379 if kind == "sentinel" else 6379) for place in places.split(",")]
    at = f"{credentials}@" if credentials else ""
    if kind == "sentinel":
        if not path:
            raise ValueError(
                "the URL should name the service that the sentinels watch, as in redis+sentinel://host:26379/service"
            )
        return Sentinels(dict(parse_url(f"{scheme}://{at}host/{database}{query}")), known, unquote(path))
    if path or database:
        raise ValueError("the URL should name no database, since a cluster has only one")
    return Cluster(dict(parse_url(f"{scheme}://{at}host{query}")), known)


def _sentinel(host: str, port: int) -> Redis:
    return Redis(
        host=host,
        port=port,
        socket_timeout=PATIENCE_SECONDS,
        socket_connect_timeout=PATIENCE_SECONDS,
        retry=Retry(NoBackoff(), 0),
    )


def _place(text: str, port: int) -> tuple[str, int]:
    """A host and port, the host of IPv6 in brackets."""
    if not (found := re.fullmatch(r"(?:\[([^\]]+)\]|([^:\[\]]+))(?::(\d+))?", text)):
        raise ValueError(f"{text!r} should be host:port")
    return found[1] or found[2], int(found[3] or port)


def _access(options: dict[str, Any]) -> Access:
    tls: ssl.SSLContext | None = None
    if options.get("connection_class") is SSLConnection:
        tls = SSLConnection(
            **{key: value for key, value in options.items() if key != "connection_class"}
        ).ssl_context.get()
    return Access(options.get("username", ""), options.get("password", ""), options.get("db", 0), tls)


def _ignore(_: object) -> None:
    """What nobody waits for."""
