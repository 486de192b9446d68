"""The databases in which contenders keep their games, each as it comes, on the core that it shares with the load."""

import contextlib
import os
import pwd
import subprocess
import tempfile
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import NamedTuple

from tests.bench.live.processes import Failed
from tests.servers import PROGRAMS, Server, cluster, server

AS_BY_DEFAULT = ("--appendonly", "yes", "--appendfsync", "everysec")
"""How operators have a Redis with AOF."""
DEBIAN = Path("/usr/lib/postgresql")
UNPRIVILEGED = "postgres"
"""Who runs Postgres where we are root, which it refuses."""
MANAGING = 60.0  # seconds


class Store(NamedTuple):
    """A database: its processes, and what tells a program in its environment where it is."""

    pids: tuple[int, ...]
    environment: Mapping[str, str]


@contextlib.contextmanager
def redis() -> Iterator[Store]:
    """One Redis."""
    with server(PROGRAMS["valkey"], *AS_BY_DEFAULT) as one:
        yield Store((_pid(one),), {"REDIS_URL": one.url})


@contextlib.contextmanager
def redis_cluster() -> Iterator[Store]:
    """Three masters, and a replica of each."""
    with cluster(PROGRAMS["valkey"], *AS_BY_DEFAULT, masters=3) as found:
        yield Store(tuple(map(_pid, found.nodes)), {"REDIS_URL": found.url})


def _pid(node: Server) -> int:
    return int(node.control.info("server")["process_id"])


@contextlib.contextmanager
def postgres() -> Iterator[Store]:
    """A Postgres with every setting as it comes, on a unix socket in a private folder."""
    programs = postgres_programs()
    with tempfile.TemporaryDirectory(prefix="bench-postgres-") as folder:
        user = UNPRIVILEGED if os.geteuid() == 0 else None
        if user:
            os.chown(folder, pwd.getpwnam(user).pw_uid, -1)
        data, log = f"{folder}/data", f"{folder}/log"
        _run(user, programs / "initdb", "-D", data, "-U", "postgres", "-A", "trust", "-E", "UTF8", "--no-sync")
        listening = f"-c listen_addresses= -c unix_socket_directories={folder}"
        _run(user, programs / "pg_ctl", "-D", data, "-l", log, "-w", "-o", listening, "start")
        try:
            pid = int(Path(data, "postmaster.pid").read_text().split()[0])
            yield Store((pid,), {"POSTGRES_FOLDER": folder})
        finally:
            _run(user, programs / "pg_ctl", "-D", data, "-m", "immediate", "-w", "stop")


def postgres_programs() -> Path:
    """The folder of the newest Postgres that Debian has installed; raises Failed where there is none."""
    folders = [programs.parent for programs in DEBIAN.glob("*/bin/initdb")]
    if not folders:
        raise Failed(f"there is no Postgres in {DEBIAN}: apt-get install postgresql")
    return max(folders, key=lambda folder: int(folder.parent.name))


def _run(user: str | None, *command: str | Path) -> None:
    done = subprocess.run(
        command,
        user=user,
        group=user,
        extra_groups=[] if user else None,
        cwd="/",
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        text=True,
        timeout=MANAGING,
        check=False,
    )
    if done.returncode:
        raise Failed(f"{command[0]}: {done.stderr.strip()}")
