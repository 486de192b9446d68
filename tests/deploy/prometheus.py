"""A Prometheus that is asked by its HTTP interface, and one that a test starts itself, from Debian's package."""

import contextlib
import math
import re
import socket
import subprocess
import time
from collections.abc import Callable, Iterator, Mapping
from datetime import datetime
from pathlib import Path
from typing import Final

import httpx
import yaml

from tests.deploy.expressions import ALERTS, OBSERVE, Known

PATIENCE: Final = 90.0  # seconds


class Prometheus:
    """A running Prometheus."""

    def __init__(self, url: str) -> None:
        self._http = httpx.Client(base_url=url, timeout=PATIENCE)

    def ask(self, expression: str) -> list[Known]:
        """The samples that an expression has now, those alone that are a number."""
        samples: list[Known] = self._got("query", query=expression)["result"]
        return [one for one in samples if math.isfinite(float(one["value"][1]))]

    def targets(self) -> dict[str, list[Known]]:
        """Who is scraped, by job."""
        found: dict[str, list[Known]] = {}
        for target in self._got("targets", state="active")["activeTargets"]:
            found.setdefault(target["labels"]["job"], []).append(target)
        return found

    def rules(self) -> list[Known]:
        return [rule for group in self._got("rules")["groups"] for rule in group["rules"]]

    def until_up(self, **counts: int) -> None:
        """Returns once so many targets of each job were scraped well."""
        self._until(lambda: {job: len(_up(found)) for job, found in self.targets().items()} == counts)

    def until_scraped(self) -> None:
        """Returns once everybody was scraped, and rules were judged, later than now."""
        begin = time.time()
        self._until(lambda: min(self._last_looks()) > begin)

    def until_there(self) -> None:
        """Returns once it answers."""
        self._until(self._is_there)

    def _is_there(self) -> bool:
        with contextlib.suppress(httpx.TransportError):
            return self._http.get("/-/ready").is_success
        return False

    def close(self) -> None:
        self._http.close()

    def _last_looks(self) -> list[float]:
        scraped = [target["lastScrape"] for found in self.targets().values() for target in found]
        return [_seconds(one) for one in scraped + [rule["lastEvaluation"] for rule in self.rules()]]

    def _until(self, come: Callable[[], bool]) -> None:
        deadline = time.monotonic() + PATIENCE
        while not come():
            assert time.monotonic() < deadline, "it does not come"
            time.sleep(0.2)

    def _got(self, path: str, **asked: str) -> Known:
        answer = self._http.get(f"/api/v1/{path}", params=asked)
        assert answer.is_success, answer.text
        got: Known = answer.json()["data"]
        return got


def _up(targets: list[Known]) -> list[Known]:
    return [one for one in targets if one["health"] == "up"]


def _seconds(moment: str) -> float:
    """A moment as Go writes it, to the nanosecond, in seconds since the epoch."""
    return datetime.fromisoformat(re.sub(r"(\.\d{6})\d*", r"\1", moment)).timestamp()


@contextlib.contextmanager
def prometheus(folder: Path, token: str, places: Mapping[str, list[str]], groups: list[Known]) -> Iterator[Prometheus]:
    """Prometheus with our files until the end of the context, but that it looks each second, finds each job at given
    places, and judges by the rules of these groups."""
    config = yaml.safe_load((OBSERVE / "prometheus.yml").read_text())
    port = free_port()
    config["global"] = {"scrape_interval": "1s", "evaluation_interval": "1s"}
    for job in config["scrape_configs"]:
        targets = places.get(job["job_name"], [f"127.0.0.1:{port}"])
        job.pop("dns_sd_configs", None)
        job["static_configs"] = [job.get("static_configs", [{}])[0] | {"targets": targets}]
        if "authorization" in job:
            job["authorization"]["credentials_file"] = str(folder / "token")
    (folder / "token").write_text(token)
    (folder / "prometheus.yml").write_text(yaml.safe_dump(config))
    (folder / ALERTS.name).write_text(yaml.safe_dump({"groups": groups}))
    command = [
        *("prometheus", f"--config.file={folder / 'prometheus.yml'}", f"--storage.tsdb.path={folder / 'data'}"),
        f"--web.listen-address=127.0.0.1:{port}",
    ]
    with (folder / "prometheus.log").open("wb") as log:
        process = subprocess.Popen(command, stdout=log, stderr=log)
    one = Prometheus(f"http://127.0.0.1:{port}")
    try:
        one.until_there()
        yield one
    finally:
        one.close()
        process.terminate()
        process.wait(PATIENCE)


def free_port() -> int:
    """A port that is free just now."""
    with socket.socket() as one:
        one.bind(("127.0.0.1", 0))
        port: int = one.getsockname()[1]
        return port
