"""What happens to a world, at random: several faults at once, but one at a time to each part of it."""

import asyncio
from collections.abc import Awaitable, Callable
from contextlib import suppress
from random import Random
from typing import TypeAlias

from redis.exceptions import RedisError

from tests.chaos.proxy import Proxy, Way
from tests.chaos.world import Service, World

Fault: TypeAlias = Callable[[], Awaitable[None]]
PAUSE = 0.25  # seconds between two faults, on average
STORE_KILLED = "store killed"


async def harm(world: World, seconds: float, chance: Random) -> list[str]:
    """Lets faults happen for a while, returns when all of them are mended, and says when each was and which."""
    parts = _parts(world, chance)
    busy: dict[str, asyncio.Future[None]] = {}
    happened: list[str] = []
    loop = asyncio.get_running_loop()
    begun = loop.time()
    try:
        while loop.time() < begun + seconds:
            await asyncio.sleep(chance.expovariate(1 / PAUSE))
            part = chance.choice(list(parts))
            name, fault = chance.choice(parts[part])
            if part not in busy or busy[part].done():
                happened.append(f"{loop.time() - begun:.2f} {part} {name}")
                busy[part] = asyncio.ensure_future(fault())
    finally:
        await asyncio.gather(*busy.values())
    return happened


def _parts(world: World, chance: Random) -> dict[str, list[tuple[str, Fault]]]:
    parts = {"store": _of_store(world, chance), "doorbells": _of_doorbells(world)}
    for number, service in enumerate(world.services):
        parts[f"service {number}"] = _of_service(service, chance)
        parts[f"clients' links {number}"] = _of_links(service.proxy, chance)
        parts[f"store's links {number}"] = _of_links(service.store_proxy, chance)
    return parts


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


def _of_store(world: World, chance: Random) -> list[tuple[str, Fault]]:
    async def kill() -> None:
        await asyncio.to_thread(world.store.kill)
        await asyncio.sleep(chance.uniform(0, 0.8))
        await asyncio.to_thread(world.store.start)

    async def freeze() -> None:
        world.store.freeze()
        await asyncio.sleep(chance.uniform(0.1, 1))
        world.store.thaw()

    return [("killed", kill), ("stopped", freeze)]


def _of_doorbells(world: World) -> list[tuple[str, Fault]]:
    return [("cut", lambda: cut_doorbells(world))]


async def cut_doorbells(world: World) -> None:
    """Breaks the links on which services hear of each other's commits."""
    with suppress(RedisError):  # the store is away, and they are cut anyway
        await asyncio.to_thread(world.store.control.execute_command, "CLIENT", "KILL", "TYPE", "pubsub")
