"""What happens to the nodes of a store: with a promotion, or with none."""

import asyncio
from collections.abc import Awaitable, Callable
from contextlib import suppress
from functools import partial
from random import Random
from typing import TypeAlias

from redis.exceptions import RedisError

from tests.chaos.nodes import Node
from tests.chaos.stores import ClusterStore, SentinelStore, Store
from tests.servers import SERVICE

Fault: TypeAlias = Callable[[], Awaitable[None]]
Harm: TypeAlias = Callable[[Node], Awaitable[None]]
REPLACED = 8.0  # seconds in which a master that is away should be replaced


class NodeFaults:
    """Faults of the nodes that hold some sessions."""

    def __init__(self, store: Store, sessions: list[str], chance: Random) -> None:
        self._store, self._sessions, self._chance = store, sessions, chance

    def plain(self) -> list[tuple[str, Fault]]:
        """Those after which every node is what it was."""
        harms: dict[str, Harm] = {"killed": self._kill, "stopped": self._stop}
        if len(self._store.nodes) > 1:
            harms["parted"] = self._part
        faults: list[tuple[str, Fault]] = [("all away", self._leave)]
        for name, harm in harms.items():
            faults.append((f"master {name}", partial(self._with, self._store.master, harm)))
            if len(self._store.nodes) > 1:
                faults.append((f"replica {name}", partial(self._with, self._store.replica, harm)))
        if self._store.sentinels:
            faults.append(("sentinel killed", lambda: self._kill(self._chance.choice(self._store.sentinels))))
        if isinstance(self._store, ClusterStore):
            faults += 3 * [("slot moved", partial(self._move, self._store))]
        return faults

    def promoting(self) -> list[tuple[str, Fault]]:
        """Those after which another node is master, each begun only where there is a replica in step."""
        ways: dict[str, Harm] = {
            "killed": Node.kill,
            "stopped": self._freeze,
            "parted": self._isolate,
            "killed ahead": self._kill_ahead,
            "handed over": self._hand_over,
        }
        return [(f"master {name}, and replaced", partial(self._replace, way)) for name, way in ways.items()]

    async def _with(self, find: Callable[[str], Awaitable[Node | None]], harm: Harm) -> None:
        if node := await find(self._chance.choice(self._sessions)):
            await harm(node)

    async def _kill(self, node: Node) -> None:
        await node.kill()
        await asyncio.sleep(self._chance.uniform(0, 0.8))
        await node.start()
        if isinstance(self._store, SentinelStore):
            await self._store.tell_its_master(node)

    async def _stop(self, node: Node) -> None:
        await _away([node], self._chance.uniform(0.1, 1))

    async def _leave(self) -> None:
        await _away(self._store.nodes, self._chance.uniform(1, 3))

    async def _part(self, node: Node) -> None:
        self._store.isolate(node)
        await asyncio.sleep(self._chance.uniform(0.2, 1.5))
        self._store.reunite()

    async def _move(self, store: ClusterStore) -> None:
        await store.move(self._chance.choice(self._sessions), self._chance)

    async def _replace(self, way: Harm) -> None:
        """Harms a master until it is replaced, and then lets it come back as the master that it was."""
        store, session = self._store, self._chance.choice(self._sessions)
        master, before = await store.master(session), store.promotions
        if not master or not await store.replica(session):
            return
        await way(master)
        with suppress(TimeoutError):
            async with asyncio.timeout(REPLACED):
                while store.promotions == before:  # noqa: ASYNC110 - other processes do it
                    await asyncio.sleep(0.05)
        await asyncio.sleep(self._chance.uniform(0, 0.5))
        store.reunite()
        await master.start()

    async def _freeze(self, master: Node) -> None:
        master.server.freeze()

    async def _isolate(self, master: Node) -> None:
        self._store.isolate(master)

    async def _kill_ahead(self, master: Node) -> None:
        """When no replica has heard of the last entries."""
        master.shun([node.address for node in self._store.nodes])
        await asyncio.sleep(self._chance.uniform(0.1, 0.5))
        await master.kill()

    async def _hand_over(self, master: Node) -> None:
        """As operators do, by whom a cluster loses nothing if they do not force it."""
        with suppress(RedisError):
            if isinstance(self._store, SentinelStore):
                await self._store.sentinels[0].ask("SENTINEL", "FAILOVER", SERVICE)
            elif replica := await self._store.replica_of(master):
                await replica.ask("CLUSTER", "FAILOVER", *self._chance.choice([[], ["FORCE"]]))


async def cut_doorbells(store: Store) -> None:
    """Breaks the links on which services hear of each other's commits."""
    for node in store.nodes:
        with suppress(RedisError):  # it is away, and they are cut anyway
            await node.ask("CLIENT", "KILL", "TYPE", "pubsub")


async def _away(nodes: list[Node], seconds: float) -> None:
    """Takes the processor from nodes for a while."""
    for node in nodes:
        node.server.freeze()
    await asyncio.sleep(seconds)
    for node in nodes:
        node.server.thaw()
