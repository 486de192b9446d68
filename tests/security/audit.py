"""Whether a vulnerability is known of anything in the locks: `python -m tests.security.audit`, or `make audit-locks`.

It asks PyPI and npm, so it is no part of the gate, which has to run without them. It ends with 1 where a vulnerability
is known, and with 2 where none is but not all could be asked about: silence is no answer.
"""

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any, Final, NamedTuple

ROOT: Final = Path(__file__).parents[2]
NPM_FOLDERS: Final = ("clients/web", "tests/browser/lighthouse")
KNOWN, UNANSWERED = 1, 2


class Verdict(NamedTuple):
    """What is known of a lock: of so many packages these vulnerabilities, and why of some nothing could be learned."""

    packages: int
    known: list[str]
    unanswered: list[str]


def of_pip(report: str) -> Verdict:
    """What pip-audit has said."""
    if not report:
        return Verdict(0, [], ["PyPI does not answer"])
    packages: list[dict[str, Any]] = json.loads(report)["dependencies"]
    known = [f"{one['name']} {one['version']}: {bug['id']}" for one in packages for bug in one.get("vulns", ())]
    return Verdict(len(packages), known, [one["skip_reason"] for one in packages if "skip_reason" in one])


def of_npm(report: str) -> Verdict:
    """What `npm audit` has said."""
    told: dict[str, Any] = json.loads(report or "{}")
    if "metadata" not in told:
        return Verdict(0, [], [told.get("message") or "npm does not answer"])
    known = [f"{name} {one['range']}: {one['severity']}" for name, one in told["vulnerabilities"].items()]
    return Verdict(told["metadata"]["dependencies"]["total"], known, [])


def status_of(verdicts: dict[str, Verdict]) -> int:
    """Says what came out, and answers with an exit status."""
    for lock, (packages, known, unanswered) in verdicts.items():
        print(f"{lock}: {packages} packages, {len(known)} known vulnerabilities, {len(unanswered)} NOT ANSWERED")
        for line in [*known, *unanswered[:1]]:
            print(f"    {line}")
    if any(one.known for one in verdicts.values()):
        return KNOWN
    if any(one.unanswered for one in verdicts.values()):
        print("Not all was checked: no database of vulnerabilities could be reached that knows these versions.")
        return UNANSWERED
    return 0


def _said(*command: str) -> str:
    environment = os.environ | {"PYTHON": sys.executable}
    return subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True, check=False).stdout


def audit() -> dict[str, Verdict]:
    """The verdict on every lock."""
    python = [sys.executable, "-m", "pip_audit", "--require-hashes", "--disable-pip", "--progress-spinner", "off"]
    verdicts = {
        lock.name: of_pip(_said(*python, "--format", "json", "--requirement", lock.name))
        for lock in sorted(ROOT.glob("requirements*.lock"))
    }
    for folder in NPM_FOLDERS:
        said = _said("clients/web/npm", "--prefix", str(ROOT / folder), "audit", "--json", "--package-lock-only")
        verdicts[f"{folder}/package-lock.json"] = of_npm(said)
    return verdicts


if __name__ == "__main__":
    sys.exit(status_of(audit()))
