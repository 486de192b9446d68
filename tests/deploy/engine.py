"""A Docker engine of the tests' own, in a network of its own: `python -m tests.deploy.engine COMMAND …`.

The command runs in that network, where what containers publish is on 127.0.0.1, with DOCKER_HOST set. The machine's own
network and firewall stay as they are. Images are kept in a folder, $CONSTITUTION_ENGINE or one in ~/.cache.
"""

import argparse
import contextlib
import fcntl
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Final

from tests.deploy import images
from tests.deploy.docker import Docker

FOLDER: Final = Path(os.environ.get("CONSTITUTION_ENGINE", "~/.cache/constitution-engine")).expanduser()
PROGRAMS: Final = ("dockerd", "docker", "docker-compose", "mmdebstrap", "ip", "nsenter", "setpriv")
STARTING: Final = 60.0
STOPPING: Final = 60.0  # seconds
LAST_WORDS: Final = 8
"""Lines of an engine's log that are shown when it fails."""
NONE_HERE: Final = 3
"""The exit status where no engine can be started."""
NO_NETWORK: Final = ("--bridge=none", "--iptables=false", "--ip-forward=false", "--ip-masq=false")
"""How an engine leaves the network alone that it is in; what it builds uses that as it is."""


class NoEngine(Exception):
    """No engine can be started here, for the reason given."""


def why_not() -> str:
    """Why no engine can be started on this machine; empty where one can, which was tried."""
    if os.geteuid() != 0:
        return "only root can start an engine"
    if missing := [one for one in PROGRAMS if not shutil.which(one)]:
        return f"not installed: {', '.join(missing)}"
    cgroups = Path("/sys/fs/cgroup")
    if not (cgroups / "cgroup.controllers").exists() and not (cgroups / "devices").exists():
        return "no control groups are mounted on /sys/fs/cgroup"
    try:
        with tempfile.TemporaryDirectory() as folder, network() as name, started(Path(folder), name):
            return ""
    except NoEngine as error:
        return str(error)


@contextlib.contextmanager
def network() -> Iterator[str]:
    """The name of a new network namespace; raises NoEngine."""
    name = f"constitution-{os.getpid()}"
    made = subprocess.run(["ip", "netns", "add", name], capture_output=True, text=True, check=False)
    if made.returncode:
        raise NoEngine(f"no network namespace can be made: {made.stderr.strip()}")
    try:
        subprocess.run([*inside(name), "ip", "link", "set", "lo", "up"], check=True)
        yield name
    finally:
        subprocess.run(["ip", "netns", "delete", name], check=True)


def inside(name: str) -> list[str]:
    """What runs a command in a network; `ip netns exec` would hide the control groups from it."""
    return ["nsenter", f"--net=/var/run/netns/{name}"]


@contextlib.contextmanager
def started(folder: Path, network: str = "") -> Iterator[Docker]:
    """An engine that keeps its images in a folder, in a network or in the machine's own, which it leaves alone."""
    with tempfile.TemporaryDirectory(prefix="e", dir="/run") as short:  # the path of a socket has some 100 letters
        socket, log = Path(short, "d.sock"), folder / "dockerd.log"
        command = [
            *(inside(network) if network else []),
            *("setpriv", "--pdeathsig", "TERM", "dockerd", "-H", f"unix://{socket}", "--pidfile", f"{short}/pid"),
            *("--data-root", str(folder / "data"), "--exec-root", f"{short}/x"),
            *(() if network else NO_NETWORK),
        ]
        with log.open("w") as written:
            process = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=written, stderr=subprocess.STDOUT)
        try:
            docker = Docker(f"unix://{socket}", folder / "config")
            _await(process, docker, log)
            yield docker
        finally:
            process.terminate()
            process.wait(STOPPING)
            _unmount(short)


def _await(process: "subprocess.Popen[bytes]", docker: Docker, log: Path) -> None:
    deadline = time.monotonic() + STARTING
    while not docker.answers():
        if process.poll() is not None or time.monotonic() > deadline:
            last = "\n".join(log.read_text(errors="replace").splitlines()[-LAST_WORDS:])
            raise NoEngine(f"dockerd {'ended' if process.poll() is not None else 'does not answer'}:\n{last}")
        time.sleep(0.1)


def _unmount(folder: str) -> None:
    """Unmounts what an engine leaves mounted in a folder."""
    for line in reversed(Path("/proc/mounts").read_text().splitlines()):
        if (place := line.split()[1]).startswith(f"{folder}/"):
            subprocess.run(["umount", "--lazy", place], check=True)


@contextlib.contextmanager
def alone(folder: Path) -> Iterator[None]:
    """Waits until no other engine uses the folder."""
    folder.mkdir(parents=True, exist_ok=True)
    with (folder / "lock").open("w") as lock:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            print(f"engine: {folder} is in use, waiting", file=sys.stderr)
            fcntl.flock(lock, fcntl.LOCK_EX)
        yield


def main() -> int:
    """Runs what is asked; answers with NONE_HERE where no engine can be started."""
    parser = argparse.ArgumentParser(prog="tests.deploy.engine", description=__doc__)
    parser.add_argument("--check", action="store_true", help="say why no engine can be started, if so, and end")
    parser.add_argument("--images", action="store_true", help="build the images, and end")
    parser.add_argument("command", nargs=argparse.REMAINDER)
    options = parser.parse_args()
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(1))
    if reason := why_not():
        print(f"engine: {reason}", file=sys.stderr)
        return NONE_HERE
    if options.check:
        return 0
    with alone(FOLDER):
        with started(FOLDER) as docker:
            images.build(docker, FOLDER)
        return 0 if options.images else run(options.command)


def run(command: list[str]) -> int:
    """Runs a command beside an engine, and answers with its exit status."""
    with network() as name, started(FOLDER, name) as docker:
        docker.clear()
        try:
            return subprocess.run([*inside(name), *command], env=docker.environment, check=False).returncode
        finally:
            docker.clear()


if __name__ == "__main__":
    sys.exit(main())
