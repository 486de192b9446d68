"""Says things to a Docker engine, by its command."""

import os
import subprocess
from pathlib import Path
from typing import Any


class Docker:
    """An engine at an address; with none, the one that the environment names."""

    def __init__(self, host: str = "", config: Path | None = None) -> None:
        own = {"DOCKER_HOST": host, "DOCKER_CONFIG": str(config)} if host else {}
        self.environment = {**os.environ, **own}

    def __call__(self, *arguments: str, **options: Any) -> str:
        """What a command prints; raises CalledProcessError, which has what it said on its errors."""
        options = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, **options}
        done = subprocess.run(["docker", *arguments], env=self.environment, text=True, check=False, **options)
        if done.returncode:
            raise DockerFailed(f"docker {' '.join(arguments)}: {done.stderr or done.stdout}")
        return (done.stdout or "").strip()

    def answers(self) -> bool:
        """Whether the engine is there."""
        try:
            self("version")
        except DockerFailed:
            return False
        return True

    def has(self, image: str) -> bool:
        """Whether it has an image."""
        return bool(self("images", "--quiet", image))

    def clear(self) -> None:
        """Removes every container, volume and network, of whoever; not the images."""
        if containers := self("ps", "--all", "--quiet").split():
            self("rm", "--force", "--volumes", *containers)
        if volumes := self("volume", "ls", "--quiet").split():
            self("volume", "rm", *volumes)
        self("network", "prune", "--force")


class DockerFailed(Exception):
    """A command of Docker failed, and said why."""
