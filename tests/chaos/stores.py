"""The three kinds of store, each of real processes that can be harmed: what the faults and the checker ask of them."""

import asyncio
from abc import ABC, abstractmethod
from collections.abc import AsyncIterator, Sequence
from contextlib import AsyncExitStack, asynccontextmanager, suppress
from enum import Enum
from functools import partial
from pathlib import Path
from random import Random

from redis.crc import key_slot
from redis.exceptions import RedisError

from service.store.redis import keys
from tests.chaos.nodes import Node
from tests.chaos.proxy import Proxy
from tests.servers import ON_DISK, SERVICE, WHEEL, cluster, server, watched

HASTE_MS, PATIENCE_MS = 700, 20_000
"""After which nodes and sentinels take one for dead where promotions are injected, and where there should be none."""
LAG = 2  # seconds after which a replica that says nothing does not count
MENDING = 40.0  # seconds in which a store is whole again when nothing harms it


class Topology(Enum):
    STANDALONE = "standalone"
    CLUSTER = "cluster"
    SENTINELS = "sentinels"


class Store(ABC):
    """Nodes, of which some are masters; `links` are the ways of the services to them, by name."""

    def __init__(self, nodes: list[Node], links: dict[str, Proxy]) -> None:
        self.nodes, self.links = nodes, links
        self.sentinels: list[Node] = []

    @abstractmethod
    def url(self, service: int) -> str:
        """Where a service of this number finds it."""

    @abstractmethod
    async def master(self, session: str) -> Node | None:
        """The node that holds a session, or None where those that answer do not agree on it."""

    async def replica(self, session: str) -> Node | None:
        """The node that follows the session's master and is in step with it."""
        master = await self.master(session)
        return await self.replica_of(master) if master else None

    async def replica_of(self, master: Node) -> Node | None:
        for node in self.nodes:
            match await node.role():
                case ["slave", _, port, "connected", _] if int(port) == master.port:
                    return node
        return None

    @abstractmethod
    async def expect_promotions(self, are_expected: bool) -> None:
        """Has nodes that are away be replaced soon, or not within a run."""

    async def demand_replicas(self, count: int) -> None:
        """Has a master take no write while fewer replicas than that are in step."""
        for node in self.nodes:
            await node.configure("min-replicas-to-write", count)

    @property
    def promotions(self) -> int:
        """How often one of the nodes has said that it became a master."""
        return sum(node.promotions for node in self.nodes)

    async def revive(self) -> None:
        """Ends whatever harms the processes and what is between them."""
        for node in [*self.nodes, *self.sentinels]:
            node.forgive()
            await node.start()

    async def mend(self) -> None:
        """Makes all whole; raises TimeoutError."""
        await self.revive()
        await self.stand()

    async def stand(self) -> None:
        """Returns when all is whole by itself; raises TimeoutError."""
        async with asyncio.timeout(MENDING):
            while True:
                with suppress(RedisError):
                    if await self.is_whole():
                        return
                await asyncio.sleep(0.05)

    @abstractmethod
    async def is_whole(self) -> bool:
        """Whether every node has its part, and all agree on who has which; may raise RedisError."""

    def isolate(self, node: Node) -> None:
        """Parts the node from all others, but from no service."""
        others = [other for other in [*self.nodes, *self.sentinels] if other is not node]
        node.shun([other.address for other in others])
        for other in others:
            other.shun([node.address])

    def reunite(self) -> None:
        for node in self.nodes:
            node.forgive()

    def at(self, port: int) -> Node | None:
        return next((node for node in self.nodes if node.port == port), None)

    async def close(self) -> None:
        for node in [*self.nodes, *self.sentinels]:
            await node.close()


class Standalone(Store):
    """One server that syncs each write to its file, and a way to it for each service."""

    def __init__(self, node: Node, links: dict[str, Proxy], sockets: Sequence[Path]) -> None:
        super().__init__([node], links)
        self._sockets = sockets

    def url(self, service: int) -> str:
        return f"unix://{self._sockets[service]}"

    async def master(self, session: str) -> Node | None:
        return self.nodes[0]

    async def expect_promotions(self, are_expected: bool) -> None:
        """There is nobody else."""

    async def is_whole(self) -> bool:
        return await self.nodes[0].role() != [""]


class ClusterStore(Store):
    """Three masters, and a replica of each."""

    def url(self, service: int) -> str:
        return "redis+cluster://" + ",".join(f"127.0.0.1:{node.port}" for node in self.nodes[:3])

    async def master(self, session: str) -> Node | None:
        slot = slot_of(session)
        views = [view for node in self.nodes if (view := await _view(node))]
        seen = {port for view in views for first, last, port in view if first <= slot <= last}
        return self.at(seen.pop()) if len(seen) == 1 else None

    async def expect_promotions(self, are_expected: bool) -> None:
        for node in self.nodes:
            await node.ask("CONFIG", "SET", "cluster-node-timeout", HASTE_MS if are_expected else PATIENCE_MS)

    async def is_whole(self) -> bool:
        views = [await _view(node) for node in self.nodes]
        if not views[0] or any(view != views[0] for view in views):
            return False
        masters = {port for _, _, port in views[0]}
        for node in self.nodes:
            role, info = await node.role(), await node.ask("CLUSTER INFO")
            is_linked = role[0] == "master" or role[3:4] == ["connected"]
            if (role[0] == "master") != (node.port in masters) or not is_linked or info["cluster_state"] != "ok":
                return False
        flags = await self.nodes[0].ask("CLUSTER", "NODES")
        return "fail" not in str(flags)

    async def move(self, session: str, chance: Random) -> None:
        """Moves the session's slot to another master under play, where all is whole; tries until that is done."""
        slot, origin = slot_of(session), await self.master(session)
        if not origin or not await self.is_whole():
            return
        masters = [node for node in self.nodes if (await node.role())[0] == "master"]
        target = chance.choice([node for node in masters if node is not origin])
        ids = {node: str(await node.ask("CLUSTER", "MYID")) for node in masters}
        await target.insist("CLUSTER", "SETSLOT", slot, "IMPORTING", ids[origin])
        await origin.insist("CLUSTER", "SETSLOT", slot, "MIGRATING", ids[target])
        where = "127.0.0.1", target.server.port, "", 0, 5000, "REPLACE", "KEYS"
        while names := await origin.insist("CLUSTER", "GETKEYSINSLOT", slot, 1):
            await asyncio.sleep(chance.uniform(0, 0.2))
            await origin.insist("MIGRATE", *where, *names)
        await asyncio.sleep(chance.uniform(0, 0.2))
        for node in sorted(masters, key=lambda node: node is not target):
            await node.insist("CLUSTER", "SETSLOT", slot, "NODE", ids[target])


class SentinelStore(Store):
    """A master and two replicas, so that whichever is promoted has one of its own, and three sentinels."""

    def url(self, service: int) -> str:
        return "redis+sentinel://" + ",".join(f"127.0.0.1:{one.port}" for one in self.sentinels) + f"/{SERVICE}"

    async def master(self, session: str) -> Node | None:
        node = self.at(await self._named())
        return node if node and (await node.role())[0] == "master" else None

    async def _named(self) -> int:
        """The port of the master on which all sentinels that answer agree, or 0."""
        named = set()
        for sentinel in self.sentinels:
            with suppress(RedisError):
                named.add(int((await sentinel.ask("SENTINEL", "GET-MASTER-ADDR-BY-NAME", SERVICE))[1]))
        return named.pop() if len(named) == 1 else 0

    async def expect_promotions(self, are_expected: bool) -> None:
        after = HASTE_MS if are_expected else PATIENCE_MS
        for sentinel in self.sentinels:
            await sentinel.ask("SENTINEL", "SET", SERVICE, "down-after-milliseconds", after, "failover-timeout", 3000)

    async def revive(self) -> None:
        await super().revive()
        for node in self.nodes:
            await self.tell_its_master(node)  # sentinels would do so in their time

    async def tell_its_master(self, node: Node) -> None:
        """Has a node that was started as a master follow the one that sentinels name."""
        master = await self.master("")
        if master and node in self.nodes and node is not master and (await node.role())[0] == "master":
            await node.ask("REPLICAOF", "127.0.0.1", master.port)

    async def is_whole(self) -> bool:
        if not (master := await self.master("")):
            return False
        following = ["slave", "127.0.0.1", str(master.port), "connected"]
        for node in self.nodes:
            if node is not master and [str(part) for part in await node.role()][:4] != following:
                return False
        for sentinel in self.sentinels:
            said = await sentinel.ask("SENTINEL", "MASTER", SERVICE)
            if (said["num-slaves"], said["num-other-sentinels"], said["flags"]) != ("2", "2", "master"):
                return False
            for replica in await sentinel.ask("SENTINEL", "REPLICAS", SERVICE):
                if (replica["master-port"], replica["flags"]) != (str(master.port), "slave"):
                    return False
        return True

    async def watch_anew(self, number: int) -> None:
        """Starts a sentinel again that finds nodes at their proxies, and whose links have an address of their own."""
        sentinel = self.sentinels[number]
        await sentinel.kill()
        sentinel.config.write_text(
            f"bind-source-addr {sentinel.address}\n"
            f"sentinel announce-ip 127.0.0.1\n"
            f"sentinel monitor {SERVICE} 127.0.0.1 {self.nodes[0].port} 2\n"
            f"sentinel down-after-milliseconds {SERVICE} {PATIENCE_MS}\n"
        )
        await sentinel.start()


def slot_of(session: str) -> int:
    return key_slot(keys.session_log(session).encode())


async def _view(node: Node) -> list[tuple[int, int, int]]:
    """The slots from, to, and the port of their master, as the node sees it; nothing where it does not answer."""
    with suppress(RedisError):
        return sorted((first, last, port) for first, last, (_, port, *_), *_ in await node.ask("CLUSTER", "SLOTS"))
    return []


@asynccontextmanager
async def standalone(services: int) -> AsyncIterator[Store]:
    async with AsyncExitStack() as stack:
        node = Node(stack.enter_context(server(WHEEL, *ON_DISK)), 0)
        links, sockets = {}, []
        for number in range(services):
            links[f"store's links {number}"] = proxy = Proxy(
                partial(asyncio.open_unix_connection, node.server.socket)  # a closure would bind the loop's last
            )
            sockets.append(node.server.socket.with_name(f"store{number}.sock"))
            listening = await asyncio.start_unix_server(proxy.serve, sockets[-1])
            stack.push_async_callback(proxy.close)
            stack.callback(listening.close)
        store = Standalone(node, links, sockets)
        stack.push_async_callback(store.close)
        yield store


@asynccontextmanager
async def clustered(services: int) -> AsyncIterator[Store]:
    async with AsyncExitStack() as stack:
        started = stack.enter_context(cluster(WHEEL, *ON_DISK))
        nodes = [Node(one, number) for number, one in enumerate(started.nodes)]
        for node in nodes:
            await node.move_behind(stack, has_bus=True)
        store = ClusterStore(nodes, _links(nodes))
        stack.push_async_callback(store.close)
        await store.mend()
        yield store


@asynccontextmanager
async def guarded(services: int) -> AsyncIterator[Store]:
    async with AsyncExitStack() as stack:
        lag = ("--min-replicas-max-lag", str(LAG))
        started = stack.enter_context(watched(WHEEL, *ON_DISK, *lag, replicas=2))
        nodes = [Node(one, number) for number, one in enumerate(started.nodes)]
        for node in nodes:
            await node.move_behind(stack, has_bus=False)
        for replica in nodes[1:]:
            await replica.ask("REPLICAOF", "127.0.0.1", nodes[0].port)
        store = SentinelStore(nodes, _links(nodes))
        store.sentinels = [Node(one, number) for number, one in enumerate(started.sentinels, len(nodes))]
        for number in range(len(store.sentinels)):
            await store.watch_anew(number)
        stack.push_async_callback(store.close)
        await store.mend()
        yield store


def _links(nodes: Sequence[Node]) -> dict[str, Proxy]:
    return {f"links of node {number}": node.doors[0] for number, node in enumerate(nodes)}


STORES = {Topology.STANDALONE: standalone, Topology.CLUSTER: clustered, Topology.SENTINELS: guarded}
