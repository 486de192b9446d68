"""What is installed is what was looked at: every package has its hash, and no lock says where from."""

import json
import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
LOCKS = sorted(ROOT.glob("requirements*.lock"))
NPM_LOCKS = [ROOT / "clients/web/package-lock.json", ROOT / "tests/browser/lighthouse/package-lock.json"]


@pytest.mark.parametrize("lock", LOCKS, ids=lambda path: path.name)
def test_a_package_of_python_is_one_version_with_its_hash(lock: Path) -> None:
    text = re.sub(r"\s*#.*", "", lock.read_text()).replace("\\\n", " ")
    packages = [line for line in text.splitlines() if line.strip()]

    assert packages
    assert [line[:60] for line in packages if not re.match(r"\S+==\S+ .*--hash=sha256:[0-9a-f]{64}", line)] == []
    assert "://" not in text


@pytest.mark.parametrize("lock", NPM_LOCKS, ids=lambda path: path.parent.name)
def test_a_package_of_npm_has_its_hash(lock: Path) -> None:
    packages = {name: one for name, one in json.loads(lock.read_text())["packages"].items() if name}

    assert len(packages) > 50
    assert [name for name, one in packages.items() if not one.get("integrity", "").startswith("sha512-")] == []
    assert [name for name, one in packages.items() if "resolved" in one] == []


def test_the_image_installs_by_hashes_alone() -> None:
    installs = re.findall(r"pip [^&\n]*\binstall [^&\n]*", (ROOT / "Dockerfile").read_text())

    assert len(installs) >= 3
    assert [one for one in installs if "--require-hashes" not in one and "--no-deps" not in one] == []
    assert "npm ci" in (ROOT / "Dockerfile").read_text()
