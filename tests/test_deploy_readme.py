"""What the pages of an operator say is so: the variables, the links, and the scripts that are named there."""

import re
from pathlib import Path
from typing import Final

import pytest

PAGE: Final = Path("deploy/README.md")
COMPOSE: Final = Path("docker-compose.yml")
PAGES: Final = [PAGE, Path("deploy/THREATS.md"), Path("tests/deploy/README.md")]


def _rows(text: str, first: str) -> list[list[str]]:
    """The rows of the table whose first heading is this."""
    lines = iter(text.splitlines())
    assert any(line.startswith(f"| {first} |") for line in lines), f"there is no table of {first}s"
    next(lines)
    rows = []
    for line in lines:
        if not line.startswith("|"):
            break
        rows.append([cell.strip() for cell in line.strip("|").split("|")])
    return rows


def _defaults() -> dict[str, str]:
    """What Compose reads from the environment, with what it takes where there is nothing."""
    return dict(re.findall(r"\$\{(\w+):-([^}]*)\}", COMPOSE.read_text()))


def test_every_variable_of_the_compose_file_is_told_with_its_default() -> None:
    told: dict[str, str] = {}
    for names, defaults, _ in _rows(PAGE.read_text(), "variable"):
        variables = re.findall(r"`(\w+)`", names)
        values = [value.strip("` ") for value in defaults.split(", ")]
        told |= dict(zip(variables, values * len(variables) if len(values) == 1 else values, strict=False))
    assert told == {name: default or "none" for name, default in _defaults().items()}


def _anchor(heading: str) -> str:
    return re.sub(r"[^\w -]", "", heading.lower()).replace(" ", "-")


@pytest.mark.parametrize("page", PAGES, ids=str)
def test_every_link_leads_somewhere(page: Path) -> None:
    for target in re.findall(r"\]\(([^)\s]+)\)", page.read_text()):
        path, _, anchor = target.partition("#")
        found = (page.parent / path).resolve() if path else page.resolve()
        assert found.exists(), target
        if anchor:
            headings = re.findall(r"^#+ (.+)$", found.read_text(), re.MULTILINE)
            assert anchor in map(_anchor, headings), target


def test_every_script_and_environment_that_is_named_is_there() -> None:
    named = set(re.findall(r"\bdeploy/[\w./]+\b", PAGE.read_text()))
    assert {"deploy/roll", "deploy/backup", "deploy/restore", "deploy/cluster.env"} <= named
    for one in named:
        assert Path(one).exists(), one
