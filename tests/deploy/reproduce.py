"""Builds our image anew without what is cached, and compares its files: `python -m tests.deploy.reproduce`.

It ends with 1 where a file differs in its bytes, its kind, its mode or its owner, or one of /app in its time.
"""

import hashlib
import sys
import tarfile
import tempfile
from pathlib import Path
from typing import Final

from tests.deploy.docker import Docker
from tests.deploy.engine import FOLDER, alone, started
from tests.deploy.images import OURS, build, build_ours, step

AGAIN: Final = f"{OURS}-again"

Files = dict[str, tuple[object, ...]]


def files(docker: Docker, image: str, folder: Path) -> Files:
    """What is in an image, by its path."""
    container = docker("create", "--network", "none", image)
    docker("export", "--output", str(folder / "image.tar"), container)
    docker("rm", container)
    with tarfile.open(folder / "image.tar") as tar:
        return {one.name: _described(tar, one) for one in tar}


def _described(tar: tarfile.TarFile, one: tarfile.TarInfo) -> tuple[object, ...]:
    content = tar.extractfile(one) if one.isreg() else None
    digest = hashlib.sha256(content.read()).hexdigest() if content else ""
    time = one.mtime if one.name.startswith("app/") else 0
    return one.type, one.mode, one.uid, one.gid, one.linkname, digest, time


def main() -> int:
    """Prints the paths that differ; 1 if any do."""
    with alone(FOLDER), started(FOLDER) as docker, tempfile.TemporaryDirectory() as folder:
        build(docker, FOLDER)
        with step("the service's image, again"):
            build_ours(docker, AGAIN, "--no-cache")
        one, other = (files(docker, image, Path(folder)) for image in (OURS, AGAIN))
        docker("image", "rm", AGAIN)
    differing = sorted(path for path in one.keys() | other.keys() if one.get(path) != other.get(path))
    for path in differing:
        print(f"differs: {path}: {one.get(path)} {other.get(path)}")
    print(f"{len(one)} files, {len(differing)} differ")
    return 1 if differing else 0


if __name__ == "__main__":
    sys.exit(main())
