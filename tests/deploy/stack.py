"""What the compose file starts, as a project of a test's own, and what may happen to it."""

import json
import subprocess
import time
from collections.abc import Callable
from pathlib import Path
from types import TracebackType
from typing import Any, Final, Self

from tests.deploy.docker import Docker, DockerFailed

ROOT: Final = Path(__file__).parents[2]
V1: Final = ("docker-compose",)
V2: Final = ("docker", "compose")
PATIENCE: Final = 90.0  # seconds, on a machine that is busy
LAST_LINES: Final = "60"
"""Lines of each container's log that are printed when a stack is left."""


class Stack:
    """The containers of the compose file under a project's name, with the proxy on a port of this machine.

    Containers are named as Docker names them: `containers("service")` are the replicas. As a context it takes all down
    with its volumes at the end, and prints the last lines of their logs.
    """

    def __init__(self, project: str, port: int, *, compose: tuple[str, ...] = V2, **environment: str) -> None:
        self.project = project
        self.door = f"127.0.0.1:{port}"
        self.url = f"http://{self.door}"
        self.docker = Docker()
        self.command = compose
        self.environment = {
            **self.docker.environment,
            "COMPOSE_PROJECT_NAME": project,
            "PORT": str(port),
            "TLS_PORT": str(port + 1),
            **environment,
        }
        self._cut: dict[str, dict[str, Any]] = {}

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        print(self.compose("logs", "--no-color", "--tail", LAST_LINES))
        self.down(volumes=True)

    def compose(self, *arguments: str) -> str:
        """What Compose prints, but for its progress; raises DockerFailed."""
        command = [*self.command, "--project-directory", str(ROOT), "-f", str(ROOT / "docker-compose.yml"), *arguments]
        done = subprocess.run(command, env=self.environment, capture_output=True, text=True, check=False)
        if done.returncode:
            raise DockerFailed(f"{' '.join(command)}: {done.stderr[-4000:]}")
        return done.stdout.strip()

    def up(self, *services: str, **scale: int) -> None:
        """Starts services, or all that need no profile, and waits until those with a health check are well."""
        scaled = [f"--scale={service}={count}" for service, count in scale.items()]
        self.compose("up", "--detach", "--no-build", *scaled, *services)
        self.until(self.is_well, "everything is well")

    def down(self, *, volumes: bool = False) -> None:
        """Stops and removes all containers; with volumes also what they kept."""
        self.compose("down", "--remove-orphans", "--timeout", "10", *(["--volumes"] if volumes else []))

    def script(self, name: str, *arguments: str) -> str:
        """What a script of deploy/ prints; raises DockerFailed."""
        environment = {**self.environment, "COMPOSE": " ".join(self.command)}
        command = [str(ROOT / "deploy" / name), *arguments]
        done = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)
        if done.returncode:
            raise DockerFailed(f"{' '.join(command)}: {done.stdout[-2000:]}{done.stderr[-4000:]}")
        return done.stdout.strip()

    def containers(self, service: str = "", *, stopped: bool = False) -> list[str]:
        """The names of a service's containers, or of all, by their numbers."""
        labels = [f"project={self.project}", "oneoff=False", *([f"service={service}"] if service else [])]
        filters = [f"--filter=label=com.docker.compose.{label}" for label in labels]
        names = self.docker("ps", *filters, *(["--all"] if stopped else []), "--format", "{{.Names}}")
        return sorted(names.split(), key=lambda name: (len(name), name))

    def inspect(self, container: str) -> dict[str, Any]:
        """All that the engine knows of a container."""
        known: dict[str, Any] = json.loads(self.docker("inspect", container))[0]
        return known

    def address(self, container: str) -> str:
        """An address of a container, which a test in the engine's network can reach."""
        networks = self.inspect(container)["NetworkSettings"]["Networks"].values()
        return next(str(one["IPAddress"]) for one in networks if one["IPAddress"])

    def health(self, container: str) -> str:
        """starting, healthy or unhealthy; running or exited where it has no health check."""
        state = self.inspect(container)["State"]
        health = state.get("Health", {}).get("Status")
        return str(health if health and state["Running"] else state["Status"])

    def is_well(self) -> bool:
        """Whether each container that should run does, and is healthy if it has a check."""
        return all(self.health(one) in {"healthy", "running"} for one in self.containers())

    def until(self, come: Callable[[], bool], what: str, seconds: float = PATIENCE) -> None:
        """Waits for something to come."""
        deadline = time.monotonic() + seconds
        while not come():
            assert time.monotonic() < deadline, f"not within {seconds} s: {what}"
            time.sleep(0.1)

    def exec(self, container: str, *command: str) -> str:
        return self.docker("exec", container, *command)

    def secret(self, name: str) -> str:
        """One of those that were made on the first start."""
        return self.exec(self.containers("worker")[0], "cat", f"/secrets/{name}")

    def run(self, service: str, *command: str) -> str:
        """What a command prints in a new container of a service, which is then removed."""
        return self.compose("run", "--rm", "-T", "--no-deps", service, *command)

    def kill(self, container: str) -> None:
        """Ends it as a power cut does."""
        self.docker("kill", container)

    def stop(self, container: str, seconds: int = 30) -> None:
        """Tells it to end, and ends it after some seconds."""
        self.docker("stop", "--time", str(seconds), container)

    def start(self, container: str) -> None:
        self.docker("start", container)

    def restart(self, container: str, seconds: int = 30) -> None:
        self.docker("restart", "--time", str(seconds), container)

    def pause(self, container: str) -> None:
        """Takes the processor from it; its links stay open."""
        self.docker("pause", container)

    def unpause(self, container: str) -> None:
        self.docker("unpause", container)

    def cut(self, container: str) -> None:
        """Takes it off its networks."""
        self._cut[container] = self.inspect(container)["NetworkSettings"]["Networks"]
        for network in self._cut[container]:
            self.docker("network", "disconnect", network, container)

    def mend(self, container: str) -> None:
        """Puts it on its networks again, under its names there."""
        for network, settings in self._cut.pop(container).items():
            aliases = [f"--alias={alias}" for alias in settings["Aliases"] or ()]
            self.docker("network", "connect", *aliases, network, container)

    def logs(self, service: str) -> str:
        return self.compose("logs", "--no-color", service)
