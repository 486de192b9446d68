"""What is shipped, as CycloneDX: `python -m tests.security.sbom FILE`. The same tree makes the same bytes.

It is what the lock of the runtime installs on this machine, and what is in the built client: of npm's packages those
whose code a bundle with source maps names, and the drawings of the cards.
"""

import json
import subprocess
import sys
from base64 import b64decode
from pathlib import Path
from typing import Any, Final

from cyclonedx.schema import SchemaVersion
from cyclonedx.validation.json import JsonStrictValidator
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

ROOT: Final = Path(__file__).parents[2]
IN_THE_CLIENT: Final = ("svelte", "clsx")
CARDS: Final = {
    "type": "data",
    "bom-ref": "cards",
    "name": "Playing cards by Adrian Kennard",
    "licenses": [{"license": {"id": "CC0-1.0"}}],
}
IN_WORDS: Final = {"protobuf": "BSD-3-Clause", "pysol-cards": "BSD-3-Clause"}
"""Licences that packages tell in words of their own."""


def locked() -> dict[str, str]:
    """The versions of the packages that the lock of the runtime installs here, by their names."""
    lines = (ROOT / "requirements-runtime.lock").read_text().splitlines()
    stated = [Requirement(line.removesuffix("\\")) for line in lines if line[:1] not in {"", " ", "#"}]
    here = [one for one in stated if one.marker is None or one.marker.evaluate()]
    return {canonicalize_name(one.name): str(one.specifier).removeprefix("==") for one in here}


def bill() -> dict[str, Any]:
    """The bill of materials."""
    command = [sys.executable, "-m", "cyclonedx_py", "environment", sys.executable, "--pyproject", "pyproject.toml"]
    options = ["--of", "JSON", "--output-reproducible", "--no-validate", "--spec-version", "1.6"]
    said = subprocess.run([*command, *options], cwd=ROOT, capture_output=True, check=True).stdout
    made: dict[str, Any] = json.loads(said)
    python = [_told(one) for one in made["components"] if canonicalize_name(one["name"]) in locked()]
    made["components"] = [*python, *map(_of_npm, IN_THE_CLIENT), CARDS]
    ours = made["metadata"]["component"]["bom-ref"]
    shipped = {one["bom-ref"] for one in made["components"]} | {ours}
    made["dependencies"] = [
        {"ref": one["ref"], "dependsOn": sorted(shipped.intersection(one.get("dependsOn", [])))}
        for one in made["dependencies"]
        if one["ref"] in shipped
    ]
    return made


def _told(component: dict[str, Any]) -> dict[str, Any]:
    """The component of a Python package, with its licences by their names alone, where they have any."""
    licences = component.get("licenses", [])
    named = [one for one in licences if "expression" in one or "id" in one["license"]]
    if in_words := IN_WORDS.get(canonicalize_name(component["name"])):
        named = [{"license": {"id": in_words}}]
    return component | {"licenses": named}


def _of_npm(name: str) -> dict[str, Any]:
    """The component of a package of npm, as its lock has it."""
    lock = json.loads((ROOT / "clients/web/package-lock.json").read_text())
    package = lock["packages"][f"node_modules/{name}"]
    algorithm, digest = package["integrity"].split("-", 1)
    url = f"pkg:npm/{name}@{package['version']}"
    return {
        "type": "library",
        "bom-ref": url,
        "name": name,
        "version": package["version"],
        "purl": url,
        "hashes": [{"alg": algorithm.upper().replace("SHA", "SHA-"), "content": b64decode(digest).hex()}],
        "licenses": [{"license": {"id": package["license"]}}],
    }


if __name__ == "__main__":
    text = json.dumps(bill(), indent=2) + "\n"
    if wrong := JsonStrictValidator(SchemaVersion.V1_6).validate_str(text):
        sys.exit(f"that is no CycloneDX: {wrong}")
    file = Path(sys.argv[1])
    file.parent.mkdir(exist_ok=True)
    file.write_text(text)
