"""What the compose file says, as both Composes read it."""

import subprocess
from pathlib import Path
from typing import Any

import pytest
import yaml

ROOT = Path(__file__).parents[2]
COMPOSES = {"1.29": ["docker-compose"], "v2": ["docker", "compose"]}
PLAIN = {"secrets", "redis", "service", "worker", "proxy"}
CLUSTER = {*(f"redis-{number}" for number in range(2, 7)), "cluster"}
OBSERVE = {"prometheus", "grafana"}
AS_CLUSTER = ["--env-file", "deploy/cluster.env"]
CHOICES = {
    "plain": ([], PLAIN),
    "cluster": (AS_CLUSTER, PLAIN | CLUSTER),
    "observe": (["--profile", "observe"], PLAIN | OBSERVE),
    "both": ([*AS_CLUSTER, "--profile", "cluster", "--profile", "observe"], PLAIN | CLUSTER | OBSERVE),
}
ONCE = {"secrets"}
"""What does its work and ends."""
DEAF = {"secrets", "worker"}
"""What listens on no port, where it could be asked."""
PUBLISHED = {"proxy": "", "grafana": "127.0.0.1"}
"""What the world may reach, and by which of the machine's addresses, if not by all."""
STORES = {"redis", *CLUSTER}
FOLDER = "/secrets/"

Services = dict[str, dict[str, Any]]


@pytest.fixture(scope="module")
def services() -> Services:
    """All services of the file, whatever their profiles."""
    read: Services = yaml.safe_load((ROOT / "docker-compose.yml").read_text())["services"]
    assert set(read) == PLAIN | CLUSTER | OBSERVE
    return read


@pytest.mark.parametrize("compose", COMPOSES)
@pytest.mark.parametrize("choice", CHOICES)
def test_both_composes_accept_every_choice_of_profiles_without_a_word(choice: str, compose: str) -> None:
    options, expected = CHOICES[choice]
    done = subprocess.run(
        [*COMPOSES[compose], *options, "config"], cwd=ROOT, capture_output=True, text=True, check=False
    )

    assert (done.returncode, done.stderr) == (0, "")
    assert set(yaml.safe_load(done.stdout)["services"]) >= expected


def test_the_two_composes_are_of_the_versions_that_they_are_called_by() -> None:
    said = {
        name: subprocess.check_output([*command, "version", "--short"], text=True) for name, command in COMPOSES.items()
    }

    assert said["1.29"].startswith("1.29.")
    assert said["v2"].startswith("2.")


def test_every_container_is_read_only_without_capabilities_and_gains_no_privileges(services: Services) -> None:
    for name, service in services.items():
        assert service["read_only"] is True, name
        assert service["cap_drop"] == ["ALL"], name
        assert service["security_opt"] == ["no-new-privileges:true"], name
        assert not service.keys() & {"privileged", "cap_add", "devices", "pid", "ipc", "userns_mode"}, name
        assert "docker.sock" not in str(service.get("volumes")), name


def test_every_container_comes_back_and_takes_no_more_memory_processes_and_disk_than_it_is_given(
    services: Services,
) -> None:
    for name, service in services.items():
        assert service["restart"] == ("on-failure" if name in ONCE else "unless-stopped"), name
        assert service["mem_limit"].startswith("${"), f"the limit of {name} has a name to be set by"
        assert service["pids_limit"], name
        assert service["logging"]["options"].keys() == {"max-size", "max-file"}, name


def test_every_container_that_listens_is_asked_for_its_health(services: Services) -> None:
    for name, service in services.items():
        if name in DEAF:
            assert service["healthcheck"] == {"disable": True}, name
        elif name != "service":  # which has that of its image
            assert service["healthcheck"]["test"][0] in {"CMD", "CMD-SHELL"}, name


def test_only_the_proxy_is_published_to_the_world_and_the_dashboard_to_the_machine(services: Services) -> None:
    for name, service in services.items():
        for port in service.get("ports", []):
            assert port.startswith(PUBLISHED[name]), f"{name} publishes {port}"
        assert bool(service.get("ports")) == (name in PUBLISHED), name
        assert service.get("network_mode") in {None, "none"}, name


def test_the_stores_are_on_a_network_that_has_no_way_out_and_the_proxy_is_not(services: Services) -> None:
    networks = yaml.safe_load((ROOT / "docker-compose.yml").read_text())["networks"]
    closed = {name for name, network in networks.items() if network.get("internal")}
    for name in STORES:
        assert services[name]["networks"], name
        assert set(services[name]["networks"]) <= closed, name
    assert not closed & set(services["proxy"]["networks"])


def test_no_secret_has_a_value_in_the_file_or_a_default(services: Services) -> None:
    for name, service in services.items():
        for variable, value in (service.get("environment") or {}).items():
            if any(word in variable for word in ("PASSWORD", "TOKEN", "SECRET", "KEY")):
                assert str(value).startswith(FOLDER.rstrip("/")), f"{variable} of {name}"
    assert "@" not in services["service"]["environment"]["REDIS_URL"], "a password"
