"""What happens to a world, at random: several faults at once, but one at a time to each part of it."""

import asyncio
from collections.abc import Sequence
from random import Random
from typing import TypeAlias

from tests.chaos.node_faults import Fault, NodeFaults, cut_doorbells
from tests.chaos.proxy import Proxy, Way
from tests.chaos.world import Service, World

Parts: TypeAlias = dict[str, Sequence[tuple[str, Fault]]]
PAUSE = 0.25  # seconds between two faults, on average
NODES_MORE_OFTEN = 4


async def harm(world: World, sessions: list[str], seconds: float, chance: Random, promotes: bool) -> list[str]:
    """Lets faults happen for a while, returns when all of them are mended, and says when each was and which.

    Nodes are replaced by promotion only where that is asked for, and then the first fault of all is one of that kind.
    """
    store = world.store
    nodes = NodeFaults(store, sessions, chance)
    parts: Parts = {"nodes": nodes.promoting() if promotes else nodes.plain()}
    parts["doorbells"] = [("cut", lambda: cut_doorbells(store))]
    parts |= {name: _of_links(proxy, chance) for name, proxy in store.links.items()}
    for number, service in enumerate(world.services):
        parts[f"service {number}"] = _of_service(service, chance)
        parts[f"clients' links {number}"] = _of_links(service.proxy, chance)
    busy: dict[str, asyncio.Future[None]] = {}
    happened: list[str] = []
    loop = asyncio.get_running_loop()
    begun = loop.time()
    try:
        while loop.time() < begun + seconds:
            await asyncio.sleep(chance.expovariate(1 / PAUSE))
            part = "nodes" if promotes and not happened else _part(parts, chance)
            name, fault = chance.choice(parts[part])
            if part not in busy or busy[part].done():
                happened.append(f"{loop.time() - begun:.2f} {part} {name}")
                busy[part] = asyncio.ensure_future(fault())
    finally:
        await asyncio.gather(*busy.values())
    return happened


def _part(parts: Parts, chance: Random) -> str:
    """A part of the world: the nodes more often, which would else be one part of many."""
    return chance.choice([*parts, *NODES_MORE_OFTEN * ["nodes"]])


def _of_links(proxy: Proxy, chance: Random) -> list[tuple[str, Fault]]:
    async def cut() -> None:
        proxy.cut(chance.uniform(0.2, 1), chance)

    return [
        ("cut", cut),
        ("delayed", lambda: proxy.delay(chance.uniform(0.01, 0.2), chance.uniform(0.2, 0.8))),
        ("stalled", lambda: proxy.stall(chance.uniform(0.1, 1.2))),
        ("deaf", lambda: proxy.mute(Way.UP, chance.uniform(0.1, 0.8))),
        ("mute", lambda: proxy.mute(Way.DOWN, chance.uniform(0.1, 0.8))),
    ]


def _of_service(service: Service, chance: Random) -> list[tuple[str, Fault]]:
    async def kill() -> None:
        service.kill()
        await asyncio.sleep(chance.uniform(0, 0.5))
        await service.start()

    async def drain() -> None:
        await service.drain()
        await service.start()

    return [("killed", kill), ("drained", drain), ("stopped", lambda: service.freeze(chance.uniform(0.1, 1.5)))]
