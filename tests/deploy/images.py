"""The images that the tests run: ours from its Dockerfile, and stand-ins of the others, made of Debian's packages.

No registry of images is asked. The stand-ins have the names that our files give them, and the habits of the originals.
"""

import contextlib
import hashlib
import os
import shutil
import subprocess
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Final

from tests.deploy.docker import Docker
from tests.servers import WHEEL

ROOT: Final = Path(__file__).parents[2]
STAND_INS: Final = Path(__file__).parent / "stand_ins"
OURS: Final = "british-constitution"
BASE: Final = "python:3.12-slim"
NAMES: Final = {
    "python": BASE,
    "valkey": "valkey/valkey:8",
    "haproxy": "haproxy:3.2",
    "prometheus": "prom/prometheus:v3.5.0",
}
"""The image that each stage of the stand-ins' Dockerfile stands in for."""
AUTHORITIES: Final = Path("/etc/ssl/certs/ca-certificates.crt")

# Prometheus would bring a hundred packages with fonts and scripts for its pages; its two programs need none of them.
PROMETHEUS: Final = """chroot "$1" sh -ec '
cd /tmp
apt-get download prometheus
dpkg --extract prometheus_*.deb extracted
mv extracted/usr/bin/* /usr/bin
rm -r extracted prometheus_*.deb'"""
DEBIAN: Final = [
    *("mmdebstrap", "--quiet", "--variant=minbase", "bookworm", "--dpkgopt=force-unsafe-io"),
    "--include=ca-certificates,python3,python3-venv,python3-pip,redis-tools,haproxy",
    *(f"--dpkgopt=path-exclude=/usr/share/{one}/*" for one in ("doc", "man", "locale")),
    f"--customize-hook={PROMETHEUS}",
]
"""Makes one Debian for all stand-ins."""
COMPOSE: Final = ["mmdebstrap", "--quiet", "--variant=extract", "--include=docker-compose", "trixie"]
"""Unpacks Compose v2, which Debian has from its 13th version on."""
PLUGIN: Final = "usr/libexec/docker/cli-plugins/docker-compose"


def build(docker: Docker, folder: Path) -> None:
    """Builds what is missing or has changed; the folder is the engine's."""
    with step("Compose v2"):
        fetch_compose(folder / "config/cli-plugins/docker-compose")
    with step("Debian"):
        base = import_debian(docker)
    with step("stand-ins"):
        build_stand_ins(docker, base)
    with step("the service's image"):
        build_ours(docker, OURS)


@contextlib.contextmanager
def step(name: str) -> Iterator[None]:
    """Prints how long it took."""
    began = time.monotonic()
    yield
    print(f"engine: {name} took {time.monotonic() - began:.1f} s", flush=True)


def fetch_compose(plugin: Path) -> None:
    """Makes Compose v2 a plugin of the command `docker`."""
    if plugin.exists():
        return
    with tempfile.TemporaryDirectory() as folder:
        subprocess.run([*COMPOSE, f"{folder}/root"], check=True)
        plugin.parent.mkdir(parents=True, exist_ok=True)
        shutil.move(f"{folder}/root/{PLUGIN}", plugin)


def import_debian(docker: Docker) -> str:
    """The image of a bare Debian, which is made anew only when its recipe has changed."""
    image = f"constitution-debian:{hashlib.sha256(repr(DEBIAN).encode()).hexdigest()[:12]}"
    if docker.has(image):
        return image
    with subprocess.Popen([*DEBIAN, "-"], stdout=subprocess.PIPE) as made:
        docker("import", "-", f"{image}-unchecked", stdin=made.stdout)
    if made.returncode:
        raise subprocess.CalledProcessError(made.returncode, DEBIAN)
    docker("tag", f"{image}-unchecked", image)
    docker("image", "rm", f"{image}-unchecked")
    return image


def build_stand_ins(docker: Docker, base: str) -> None:
    """Builds a stand-in of each image that is not ours."""
    with tempfile.TemporaryDirectory() as context:
        shutil.copytree(STAND_INS, context, dirs_exist_ok=True)
        shutil.copy2(WHEEL, f"{context}/valkey-server")
        shutil.copyfile(AUTHORITIES, f"{context}/ca-certificates.crt")
        for stage, name in NAMES.items():
            build_one(docker, context, name, "--target", stage, "--build-arg", f"BASE={base}")


def build_ours(docker: Docker, name: str, *options: str) -> None:
    """Builds our image, which fetches from the registries of packages."""
    build_one(docker, str(ROOT), name, "--network", "host", *options)


def build_one(docker: Docker, context: str, name: str, *options: str) -> None:
    docker.environment["DOCKER_BUILDKIT"] = "0"  # Debian's engine has no other way that needs no plugin
    log = docker("build", "--tag", name, *options, context, stderr=subprocess.STDOUT)
    if "VERBOSE" in os.environ:
        print(log)
