"""Real servers for the tests: the wheel's Valkey, and the oldest Redis that the service runs on, where it is installed.

Each listens on a unix socket in a private folder, so that there is no port to race for; nodes of a cluster, and
those that sentinels watch, on a free port too.
"""

import contextlib
import os
import random
import signal
import socket
import subprocess
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any
from urllib.parse import quote

from redis import Redis
from redis.backoff import NoBackoff
from redis.exceptions import RedisError
from redis.retry import Retry

from service.store import embedded

STARTING = 10.0  # seconds
STOPPING = 10.0

*_, WHEEL = embedded._candidates()  # after those of PATH
PROGRAMS = {"valkey": WHEEL}
if embedded.major_version("redis-server") >= embedded.OLDEST or "CI" in os.environ:  # in CI a missing one has to fail
    PROGRAMS["redis"] = "redis-server"

IN_MEMORY = ("--appendonly", "no")
ON_DISK = ("--appendonly", "yes", "--appendfsync", "always")
NODE_TIMEOUT_MS = 2000
"""After which the nodes of a cluster take one of them for dead."""
DOWN_AFTER_MS = 1000
"""After which sentinels do."""
SERVICE = "constitution"
SLOTS = 16384


class Server:
    """A server that can be killed and started again at the same address; `control` is a client of the test's own."""

    def __init__(self, program: str, socket: Path, data: Path, *options: str, port: int = 0) -> None:
        self.socket, self.port = socket, port
        self.url = f"unix://{quote(str(socket))}"
        self.control = Redis.from_url(self.url, decode_responses=True, retry=Retry(NoBackoff(), 0))
        self._command = [
            program,
            *("--port", str(port), "--bind", "127.0.0.1", "--unixsocket", str(socket)),
            *("--dir", str(data), "--logfile", str(data / "server.log")),
            *("--save", "", "--maxmemory-policy", "noeviction", *options),
        ]
        self._process: subprocess.Popen[bytes] | None = None

    def start(self) -> None:
        self._process = subprocess.Popen(self._command, stdin=subprocess.DEVNULL)
        deadline = time.monotonic() + STARTING
        while not self._answers():
            assert self._process.poll() is None, f"{self._command} ended at once"
            assert time.monotonic() < deadline, f"{self._command} does not answer"
            time.sleep(0.01)

    def kill(self) -> None:
        """Ends it as kill -9 does."""
        if self._process:
            self._process.kill()
            self._process.wait(STOPPING)

    @property
    def is_alive(self) -> bool:
        """Whether it runs, frozen or not."""
        return self._process is not None and self._process.poll() is None

    def freeze(self) -> None:
        """Takes the processor from it; its links stay open."""
        if self._process:
            self._process.send_signal(signal.SIGSTOP)

    def thaw(self) -> None:
        if self._process:
            self._process.send_signal(signal.SIGCONT)

    def _answers(self) -> bool:
        with contextlib.suppress(RedisError):
            return bool(self.control.ping())
        return False


@contextlib.contextmanager
def server(program: str, *options: str, data: Path | None = None) -> Iterator[Server]:
    """A server until the end of the context, which keeps its files in `data` where that is given."""
    with embedded._private_folder() as private:
        one = Server(program, Path(private, "redis.sock"), data or Path(private), *options)
        try:
            one.start()
            yield one
        finally:
            one.kill()
            one.control.close()


class Cluster:
    """A cluster of masters and one replica of each; `control` of a node speaks to that node alone."""

    def __init__(self, nodes: list[Server]) -> None:
        self.nodes = nodes
        self.url = f"redis+cluster://127.0.0.1:{nodes[0].port},127.0.0.1:{nodes[1].port}"

    def master_of(self, slot: int) -> Server:
        """The node that holds the slot, as one that is alive sees it."""
        alive = next(node for node in self.nodes if node.is_alive)
        for first, last, (_, port, *_), *_ in alive.control.cluster("SLOTS"):
            if first <= slot <= last:
                return self.at(port)
        raise LookupError(slot)

    def masters(self) -> list[Server]:
        return [node for node in self.nodes if node.is_alive and _role(node)[0] == "master"]

    def at(self, port: int) -> Server:
        return next(node for node in self.nodes if node.port == port)

    def empty(self) -> None:
        """Forgets all data, on whichever nodes are masters now."""
        for node in self.nodes:
            with contextlib.suppress(RedisError):  # of a replica, which takes no write
                node.control.flushall()

    @contextlib.contextmanager
    def moving(self, slot: int, target: Server, first: str | None = None) -> Iterator[None]:
        """Moves a slot to another node, as resharding does, key by key; within the context the keys are there, or
        the one that is named first is, and the slot is not yet."""
        origin = self.master_of(slot)
        ids = {node: node.control.cluster("MYID") for node in (origin, target)}
        target.control.cluster("SETSLOT", slot, "IMPORTING", ids[origin])
        origin.control.cluster("SETSLOT", slot, "MIGRATING", ids[target])
        if first:
            origin.control.migrate("127.0.0.1", target.port, [first], 0, 5000)
            yield
        while keys := origin.control.cluster("GETKEYSINSLOT", slot, 10):
            origin.control.migrate("127.0.0.1", target.port, keys, 0, 5000)
        if not first:
            yield
        for node in sorted(self.masters(), key=lambda node: node is not target):
            node.control.cluster("SETSLOT", slot, "NODE", ids[target])

    def move(self, slot: int, target: Server) -> None:
        with self.moving(slot, target):
            """All at once."""


@contextlib.contextmanager
def cluster(program: str, *options: str, masters: int = 3) -> Iterator[Cluster]:
    """A cluster until the end of the context, whose slots are spread evenly."""
    of_cluster = ("--cluster-enabled", "yes", "--cluster-node-timeout", str(NODE_TIMEOUT_MS))
    with contextlib.ExitStack() as stack:
        nodes = [
            stack.enter_context(_listening(program, *of_cluster, *options, "--repl-diskless-sync-delay", "0"))
            for _ in range(2 * masters)
        ]
        for number, node in enumerate(nodes[:masters]):
            bounds = [SLOTS * edge // masters for edge in (number, number + 1)]
            node.control.cluster("ADDSLOTSRANGE", bounds[0], bounds[1] - 1)
        for number, node in enumerate(nodes):
            node.control.cluster("SET-CONFIG-EPOCH", number + 1)
            nodes[0].control.cluster("MEET", "127.0.0.1", node.port)
        _until(lambda: all(len(node.control.cluster("NODES")) == len(nodes) for node in nodes), "the nodes meet")
        for master, replica in zip(nodes[:masters], nodes[masters:], strict=True):
            replica.control.cluster("REPLICATE", master.control.cluster("MYID"))
        _until(lambda: all(map(_is_ready, nodes)), "the cluster is ready")
        yield Cluster(nodes)


def _is_ready(node: Server) -> bool:
    """Whether the node takes the cluster for whole, and is in step with its master where it has one."""
    role, *rest = _role(node)
    sees_all = all(len(part) == 4 for part in node.control.cluster("SLOTS"))  # from, to, master, replica
    is_ok = node.control.cluster("INFO")["cluster_state"] == "ok"
    return sees_all and is_ok and (role == "master" or rest[2] == "connected")


def _role(node: Server) -> Any:
    return node.control.role()


class Watched:
    """A master and a replica that sentinels watch."""

    def __init__(self, nodes: list[Server], sentinels: list[Server]) -> None:
        self.nodes, self.sentinels = nodes, sentinels
        places = ",".join(f"127.0.0.1:{sentinel.port}" for sentinel in sentinels)
        self.url = f"redis+sentinel://{places}/{SERVICE}"

    def empty(self) -> None:
        """Forgets all data."""
        self.master().control.flushall()

    def master(self) -> Server:
        """The master that the sentinels name."""
        place: Any = self.sentinels[0].control.sentinel_get_master_addr_by_name(SERVICE)
        return next(node for node in self.nodes if node.port == int(place[1]))


@contextlib.contextmanager
def watched(program: str, *options: str, replicas: int = 1, sentinels: int = 3) -> Iterator[Watched]:
    """A master with its replicas and sentinels until the end of the context."""
    with contextlib.ExitStack() as stack:
        quick = ("--repl-diskless-sync-delay", "0", "--repl-ping-replica-period", "1")
        nodes = [stack.enter_context(_listening(program, *quick, *options)) for _ in range(1 + replicas)]
        master = nodes[0].port
        for replica in nodes[1:]:
            replica.control.replicaof("127.0.0.1", master)
        _until(lambda: all(_role(node)[3] == "connected" for node in nodes[1:]), "the replicas are in step")
        config = (
            f"sentinel monitor {SERVICE} 127.0.0.1 {master} {sentinels // 2 + 1}\n"
            f"sentinel down-after-milliseconds {SERVICE} {DOWN_AFTER_MS}\n"
            f"sentinel failover-timeout {SERVICE} 5000\n"
        )
        watching = [stack.enter_context(_listening(program, sentinel=config)) for _ in range(sentinels)]
        _until(lambda: all(_sees(sentinel, replicas, sentinels) for sentinel in watching), "the sentinels see all")
        yield Watched(nodes, watching)


def _sees(sentinel: Server, replicas: int, sentinels: int) -> bool:
    state: Any = sentinel.control.sentinel_master(SERVICE)
    return bool((state["num-slaves"], state["num-other-sentinels"]) == (replicas, sentinels - 1))


@contextlib.contextmanager
def _listening(program: str, *options: str, sentinel: str = "") -> Iterator[Server]:
    """A server that listens on a free port, too; a sentinel, where that has a configuration."""
    with embedded._private_folder() as private:
        one = Server(program, Path(private, "redis.sock"), Path(private), *options, port=_free_port())
        if sentinel:
            config = Path(private, "sentinel.conf")
            config.write_text(sentinel)
            one._command[1:1] = [str(config), "--sentinel"]
        try:
            one.start()
            yield one
        finally:
            one.thaw()
            one.kill()
            one.control.close()


def _free_port() -> int:
    """A port that is free, and whose fellow for the bus of a cluster is so too."""
    while True:
        port = random.randrange(20_000, 30_000)
        with contextlib.suppress(OSError), socket.socket() as one, socket.socket() as other:
            one.bind(("127.0.0.1", port))
            other.bind(("127.0.0.1", port + 10_000))
            return port


def _until(condition: Callable[[], bool], wish: str) -> None:
    deadline = time.monotonic() + STARTING
    while not condition():
        assert time.monotonic() < deadline, f"{wish}, one should think"
        time.sleep(0.02)
