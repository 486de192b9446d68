"""The list of what is shipped: whole, the same each time, and under licences that let it be shipped."""

import re
from typing import Any

import pytest
from packaging.utils import canonicalize_name

from tests.security.sbom import IN_THE_CLIENT, ROOT, bill, locked

LICENCES = {
    "0BSD", "Apache-2.0", "BSD-2-Clause", "BSD-3-Clause", "CC0-1.0", "ISC", "MIT", "MPL-2.0", "PSF-2.0", "Zlib",
}  # fmt: skip
"""What may be shipped beside code under MIT; no licence of the GPL's kind is here."""


@pytest.fixture(scope="module")
def made() -> dict[str, Any]:
    return bill()


def licences_of(component: dict[str, Any]) -> set[str]:
    """The names of all licences that a component tells of."""
    told = [one.get("expression") or one["license"]["id"] for one in component["licenses"]]
    return {name for text in told for name in re.split(r" (?:AND|OR|WITH) |[()]", text) if name}


def test_every_package_of_the_runtimes_lock_is_there_in_its_version(made: dict[str, Any]) -> None:
    packages = [one for one in made["components"] if one.get("purl", "").startswith("pkg:pypi/")]

    assert {canonicalize_name(one["name"]): one["version"] for one in packages} == locked()
    assert len(locked()) > 40


def test_the_client_is_made_of_nothing_but_what_is_named(made: dict[str, Any]) -> None:
    sources = [path for path in (ROOT / "clients/web/src").rglob("*") if path.suffix in {".ts", ".svelte", ".js"}]
    bare = {name for path in sources for name in re.findall(r'\bfrom "([^."][^"]*)"', path.read_text())}

    assert {name.split("/")[0] for name in bare} == {"svelte"}
    named = {one["name"] for one in made["components"] if one.get("purl", "").startswith("pkg:npm/")}
    assert named == set(IN_THE_CLIENT)


def test_all_that_is_shipped_has_a_licence_that_may_be(made: dict[str, Any]) -> None:
    licences = {one["name"]: licences_of(one) for one in made["components"]}

    assert {name: unfit for name, unfit in licences.items() if not unfit or unfit - LICENCES} == {}


@pytest.mark.parametrize("licence", ["GPL-3.0-only", "AGPL-3.0-or-later", "MIT AND LGPL-2.1-only"])
def test_a_licence_that_may_not_be_is_found(licence: str) -> None:
    assert licences_of({"licenses": [{"expression": licence}]}) - LICENCES


def test_it_tells_neither_a_time_nor_a_place_so_that_the_same_tree_makes_the_same_bytes(made: dict[str, Any]) -> None:
    assert "serialNumber" not in made
    assert "timestamp" not in made["metadata"]
    assert str(ROOT) not in str(made)
    assert bill() == made
