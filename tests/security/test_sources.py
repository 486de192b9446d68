"""What the sources may not do: search without end, run what was sent, fetch what was named, write markup."""

import importlib
import pkgutil
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import service
from service.app import contract
from service.web import asyncapi

ROOT = Path(__file__).parents[2]
SCRIPTS = sorted((ROOT / "service/store/redis/lua").glob("*.lua"))
PARSER: Any = importlib.import_module("re._parser")
"""That of Python's own patterns, of which no types are told."""
REPEATS = (PARSER.MAX_REPEAT, PARSER.MIN_REPEAT)
FEW = 64
"""A repetition of at most so many is none that could go on without end."""
CLIENTS_OF_OTHERS = re.compile(r"^\s*(?:import|from) (?:httpx|requests|http\.client|urllib\.request)\b", re.MULTILINE)
FETCHING = {"demo.py"}
"""The command that plays against a service that it is told of."""
SENDING = {"commits.py", "scripts.py"}
"""What sends scripts to the store."""
RUNNING = re.compile(r"\b(?:loadstring|load|dofile|setfenv|getfenv|pcall\(load)\s*\(")
CALL = r"\b(?:redis\.p?)?call\("
NAMES_ITS_COMMAND = re.compile(CALL + r"\s*(?:'[A-Z]+'|part == 0 and '[A-Z]+' or '[A-Z]+')")
HTML = re.compile(
    r"\{@html|\b(?:inner|outer)HTML\b|insertAdjacentHTML|document\.write|\beval\(|new Function\(|srcdoc|DOMParser"
    r"|createContextualFragment|javascript:"
)


def patterns() -> Iterator[str]:
    """Every pattern that a text of somebody else's is held against: those of modules, and those of the contracts."""
    for module in pkgutil.walk_packages(service.__path__, "service."):
        if not module.name.endswith("__main__"):
            values = vars(importlib.import_module(module.name)).values()
            yield from (one.pattern for one in values if isinstance(one, re.Pattern) and isinstance(one.pattern, str))
    yield from patterns_in(contract())
    yield from patterns_in(asyncapi.contract())


def patterns_in(schema: Any) -> Iterator[str]:
    match schema:
        case dict():
            for name, value in schema.items():
                if name == "pattern" and isinstance(value, str):
                    yield value
                else:
                    yield from patterns_in(value)
        case list():
            for value in schema:
                yield from patterns_in(value)


def repeats_in_repeats(parsed: Any, is_within: bool = False) -> bool:
    """Whether something that may go on without end is within something that may: only so a search grows like 2ⁿ."""
    if isinstance(parsed, (list, tuple)) and len(parsed) == 2 and parsed[0] in REPEATS:
        _, most, inner = parsed[1]
        is_endless = most > FEW
        return (is_within and is_endless) or repeats_in_repeats(inner, is_within or is_endless)
    if isinstance(parsed, (list, tuple, PARSER.SubPattern)):
        return any(repeats_in_repeats(part, is_within) for part in parsed)
    return False


def test_no_pattern_searches_without_end() -> None:
    known = {*patterns()}

    assert len(known) > 12
    assert [pattern for pattern in known if repeats_in_repeats(PARSER.parse(pattern))] == []


@pytest.mark.parametrize("pattern", ["(a+)+$", "(?:x|(?:[a-z]*,)*)!", "(a|b*?){100,}"])
def test_a_pattern_that_does_is_found(pattern: str) -> None:
    assert repeats_in_repeats(PARSER.parse(pattern))


@pytest.mark.parametrize("script", SCRIPTS, ids=lambda path: path.stem)
def test_a_script_runs_no_text_and_names_its_commands_itself(script: Path) -> None:
    code = re.sub(r"--.*", "", script.read_text())
    calls = re.findall(CALL, code)

    assert calls
    assert not RUNNING.search(code)
    assert len(NAMES_ITS_COMMAND.findall(code)) == len(calls)


def test_nothing_that_a_request_says_is_fetched(sources: dict[Path, str]) -> None:
    fetching = {path.name for path, text in sources.items() if CLIENTS_OF_OTHERS.search(text)}

    assert len(sources) > 100
    assert fetching == FETCHING


def test_no_script_is_made_of_texts(sources: dict[Path, str]) -> None:
    sending = {path.name for path, text in sources.items() if re.search(r"\bEVAL(SHA)?\b|register_script", text)}

    assert sending == SENDING, "they read files, and what is sent is an argument"


def test_the_client_writes_no_markup_that_somebody_else_could_have_written() -> None:
    files = [path for path in (ROOT / "clients/web/src").rglob("*") if path.suffix in {".ts", ".js", ".svelte"}]

    assert len(files) > 50
    assert [str(path) for path in files if HTML.search(path.read_text())] == []
    assert HTML.search("<p>{@html name}</p>")
