"""What the README shows, run."""

import re
from pathlib import Path
from typing import Any

import pytest

from service.settings import table
from tests.live.replica import replica

README = (Path(__file__).parents[1] / "README.md").read_text("utf-8")


def test_the_code_that_it_shows_does_what_it_says(
    redis_url: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    code = "".join(re.findall(r"```python\n(.*?)```", README, re.DOTALL))

    with replica(redis_url, tmp_path / "service.log", DAYS_AHEAD="1") as service:
        shown: dict[str, Any] = {}
        exec(code.replace("127.0.0.1:8000", service.url.removeprefix("http://")), shown)
        shown["api"].close()

    shown_here = [
        "playing 295",
        "welcome snapshot",
        "2 event: snapshot",
        "None None first 0",
        "level winnable place card move",
    ]
    assert capsys.readouterr().out.splitlines() == shown_here
    assert "prints `welcome snapshot`" in README
    assert "prints `2 event: snapshot`" in README
    assert "prints `None None first 0`" in README
    assert "prints `level winnable place card move`" in README


def test_its_table_of_settings_is_the_one_that_the_command_prints() -> None:
    _, rest = README.split("<!-- settings -->\n")
    shown, _ = rest.split("<!-- end of settings -->")

    assert shown.splitlines() == list(table())


@pytest.mark.parametrize("target", ["run", "test", "bench"])
def test_the_targets_of_make_are_there(target: str) -> None:
    makefile = (Path(__file__).parents[1] / "Makefile").read_text("utf-8")

    assert f"make {target}" in README
    assert re.search(rf"^{target}:", makefile, re.MULTILINE)


def test_every_file_that_it_links_to_is_there() -> None:
    links = re.findall(r"\]\((?!http)([^)]+)\)", README)

    assert links
    for link in links:
        assert (Path(__file__).parents[1] / link).exists()
