"""Commands for all that is neither a commit nor a doorbell: each goes to the node that holds its key.

No command is sent a second time unless its node refused to run it: whether a write whose answer was lost should be
repeated is for the caller to say, who knows how to recognise it. This is also why the library's own clients of
clusters and sentinels are not used: they repeat, and one lost link costs them all others.
"""

import asyncio
import logging
import random
from collections.abc import Sequence
from typing import Any, Final, TypeAlias

from redis.asyncio import BlockingConnectionPool, Redis
from redis.asyncio.retry import Retry
from redis.backoff import NoBackoff
from redis.exceptions import (
    AskError,
    BusyLoadingError,
    ClusterDownError,
    MasterDownError,
    MovedError,
    NoScriptError,
    ReadOnlyError,
    RedisError,
    TryAgainError,
)

from service.ports import NodeMemory, StoreUnavailable
from service.store.redis import link
from service.store.redis.link import Address, Part
from service.store.redis.topology import PAUSE_SECONDS, TRIES, Topology

MAX_CONNECTIONS: Final = 64
MEMORY_SECONDS: Final = 1.0
"""How long a node may take to tell how much it holds."""

Command: TypeAlias = tuple[Part, ...]

_NOT_NOW: Final = (BusyLoadingError, ClusterDownError, MasterDownError, ReadOnlyError, TryAgainError)
_TOO_FEW_REPLICAS: Final = "NOREPLICAS"
"""What the library has no error for."""

_log = logging.getLogger(__name__)


class Client:
    """Connections to the nodes, made when they are first used."""

    def __init__(self, topology: Topology) -> None:
        self._topology = topology
        self._nodes: dict[Address, Redis] = {}

    async def ask(self, key: str, *commands: Command) -> list[Any]:
        """The answers to commands whose keys share a slot with this; several only read, or may be repeated.

        Raises StoreUnavailable, and NoScriptError for a script that the node does not know.
        """
        [answers] = await self.ask_each([(key, commands)])
        return answers

    async def ask_each(self, asked: Sequence[tuple[str, tuple[Command, ...]]]) -> list[list[Any]]:
        """The answers to the commands of each key, in one round trip to each node; raises as `ask`."""
        commands = [(key, command) for key, several in asked for command in several]
        answers: list[Any] = [None] * len(commands)
        left = dict.fromkeys(range(len(commands)))  # and where the node of an ASK is to be asked
        for _ in range(TRIES):
            homes: dict[tuple[Address, bool], list[int]] = {}
            for number, elsewhere in left.items():
                home = (elsewhere, True) if elsewhere else (await self._home(commands[number][0]), False)
                homes.setdefault(home, []).append(number)
            runs = [self._run(node, [commands[n][1] for n in them], asking) for (node, asking), them in homes.items()]
            for ((node, _), them), said in zip(homes.items(), await asyncio.gather(*runs), strict=True):
                for number, answer in zip(them, said, strict=True):
                    answers[number] = answer
                    left.pop(number)
                    if isinstance(answer, RedisError):
                        left[number] = await self._learn(node, answer)
            if not left:
                rest = iter(answers)
                return [[next(rest) for _ in several] for _, several in asked]
        raise StoreUnavailable("the nodes refused it too often")

    async def check(self) -> None:
        """Returns when a node answers; raises StoreUnavailable."""
        await self._run(random.choice(await self._known()), [("PING",)], asking=False)  # noqa: S311 - no secret

    async def memory(self) -> list[NodeMemory]:
        """What each node that answers in time holds and may hold; raises StoreUnavailable where none is known."""
        told = await asyncio.gather(*map(self._memory, await self._known()))
        return [memory for memory in told if memory]

    async def close(self) -> None:
        for node in self._nodes.values():
            await node.aclose()

    async def _known(self) -> list[Address]:
        """The nodes; raises StoreUnavailable where there is none."""
        if not self._topology.nodes():
            await self._topology.refresh()
        if not (nodes := list(self._topology.nodes())):
            raise StoreUnavailable("no node is known")
        return nodes

    async def _memory(self, node: Address) -> NodeMemory | None:
        try:
            async with asyncio.timeout(MEMORY_SECONDS):
                [said] = await self._run(node, [("INFO", "memory")], asking=False)
        except (StoreUnavailable, TimeoutError):
            return None
        if isinstance(said, RedisError):  # to a user who may not ask
            _log.warning("redis: %s: %s", node, said)
            return None
        return NodeMemory(str(node), said["used_memory"], said["maxmemory"])

    async def _home(self, key: str) -> Address:
        if not (node := self._topology.node(key)):
            await self._topology.refresh()
            if not (node := self._topology.node(key)):
                raise StoreUnavailable("no node is known to hold the key")
        return node

    async def _run(self, node: Address, commands: Sequence[Command], asking: bool) -> list[Any]:
        # No transaction, which a full server refuses.
        pipe = self._node(node).pipeline(transaction=False)
        for command in commands:
            if asking:
                pipe.execute_command("ASKING")
            pipe.execute_command(*command)
        try:
            said: list[Any] = await pipe.execute(raise_on_error=False)
        except (RedisError, OSError) as error:
            await self._node(node).connection_pool.disconnect(inuse_connections=False)  # they are as old
            self._topology.doubt(node)
            raise _named(node, error) from error
        return said[int(asking) :: 1 + int(asking)]

    async def _learn(self, node: Address, refusal: RedisError) -> Address | None:
        """Learns from what a node did not run, and tells who is to be asked instead, for once; or raises."""
        match refusal:
            case MovedError():  # which is an AskError too
                self._topology.correct(f"MOVED {refusal}", node)
            case AskError():
                return self._topology.correct(f"ASK {refusal}", node)
            case NoScriptError():
                raise refusal
            case _ if isinstance(refusal, _NOT_NOW) or str(refusal).startswith(_TOO_FEW_REPLICAS):
                if not isinstance(refusal, TryAgainError):
                    self._topology.doubt(node)
                await asyncio.sleep(PAUSE_SECONDS)
            case _:
                raise _named(node, refusal) from refusal
        return None

    def _node(self, address: Address) -> Redis:
        if (node := self._nodes.get(address)) is None:
            place = {"path": address.path} if address.path else {"host": address.host, "port": address.port}
            pool = BlockingConnectionPool(
                **place,
                **self._topology.options,
                socket_timeout=link.TIMEOUT_SECONDS,
                socket_connect_timeout=link.TIMEOUT_SECONDS,
                max_connections=MAX_CONNECTIONS,
                timeout=link.TIMEOUT_SECONDS,  # how long a call may wait until one of them is free
                retry=Retry(NoBackoff(), 0),
                retry_on_error=[],
            )
            node = self._nodes[address] = Redis.from_pool(pool)
        return node


def _named(node: Address, error: Exception) -> StoreUnavailable:
    _log.warning("a node does not answer: %s: %s", type(error).__name__, error, extra={"node": str(node)})
    return StoreUnavailable(str(error))


def text(answer: Any) -> str:
    """The text in an answer; the library's own types leave open whether answers are decoded, and ours are not."""
    decoded: str = answer.decode()
    return decoded


def texts(answer: Any) -> dict[str, str]:
    """The fields and values of a hash."""
    return {text(field): text(value) for field, value in answer.items()}
