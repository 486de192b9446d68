"""No secret lies in the repository, and no password is the same everywhere because nobody changed it."""

import re
import secrets
import subprocess
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

import pytest
from detect_secrets.core.potential_secret import PotentialSecret
from detect_secrets.core.scan import scan_file
from detect_secrets.plugins.basic_auth import BasicAuthDetector
from detect_secrets.plugins.high_entropy_strings import HexHighEntropyString
from detect_secrets.plugins.keyword import KeywordDetector
from detect_secrets.settings import transient_settings

ROOT = Path(__file__).parents[2]
TESTS = str(ROOT / "tests")
KINDS = (
    "AWSKeyDetector", "BasicAuthDetector", "GitHubTokenDetector", "JwtTokenDetector", "KeywordDetector", "NpmDetector",
    "PrivateKeyDetector", "PypiTokenDetector",
)  # fmt: skip
PLUGINS = [*({"name": kind} for kind in KINDS), {"name": "HexHighEntropyString", "limit": 3.0}]
"""What secrets look like: keys, and those of the places that code goes to."""
MADE_UP = {KeywordDetector.secret_type, BasicAuthDetector.secret_type, HexHighEntropyString.secret_type}
"""What tests make up for themselves: passwords and ids. A key, and a token of the service's, is none there either."""
TOKEN = re.compile(r"(?<![0-9a-f])[0-9a-f]{64}(?![0-9a-f])")
"""What the service's own look like, with quotes or without."""

UNREAD = (
    r".*\.lock",  # hashes of packages
    r".*/package-lock\.json",
    r"tests/golden/.*",  # seeds and positions that every port of the game reads
    r"(openapi|asyncapi)\.json",  # made of sources that are read
    r"tests/contract/openapi-[0-9.]+\.json",  # as that was
    r".*\.(png|svg)",
)
SHORT = 6
"""Characters below which, or with a space in it, what is called a secret is one of the game's, as its deals are."""
KNOWN = {
    "9c1d2ab06679f1c4",  # the ids of the documents' players and session
    "5f0e8c2277b1a9d3",
    "deadbeef3bc054c34cc99e4966f5245a",
    "29d5b2b6fce29281",  # those of a recorded conversation
    "400aa8a0cbe0270f99379d39c80f6dd4",
    "c482e12004ade869c3ac395b5d9cbee357064c5dffa21ac7673dd3df21c1e978",  # a commitment that anybody may compute
    "000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f",  # the seed of an example
    "8254c329a92850f6d539dd376f4816ee2764517da5e0235514af433164480d7a",  # the digest of an idempotency key
    "f5b165224a58b791df6af1d8303e61cdc4bb86c3d1c427103c344c4189eb2f1e",  # what a test makes of bytes that are no chance
}
"""Texts that somebody has looked at, and found to be no secret."""

Plant = Callable[[str, str], Path]
NAMED = re.compile(
    r"(?i)[\w-]*(?:password|passwd|pass|token|requirepass|masterauth|auth|api_?key)[\"']?[\s:=,\"']+"
    r"(?P<value>[^\s\"',}\]]+\}?)"
)
"""A line of a configuration, or of a script, that says what a secret is."""
MADE = re.compile(r"/secrets/\w+|\$?\$\(cat|\$?\$\{?\w+(:?[-?]?)\}?|\(?\$|\||-\w|--[\w-]+|true|false|none|null")
"""What may stand there: where it is read from, a variable without a default, or no value at all."""


def repository() -> list[Path]:
    """All that is in the repository, or would be."""
    command = ["git", "ls-files", "--cached", "--others", "--exclude-standard"]
    listed = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True).stdout.splitlines()
    return [ROOT / name for name in listed if (ROOT / name).is_file() and not is_unread(name)]


def is_unread(name: str) -> bool:
    return any(re.fullmatch(rule, name) for rule in UNREAD)


def found_in(files: Sequence[Path]) -> list[str]:
    """Where something lies that looks like a secret, and what it looks like; not the thing itself."""
    with transient_settings({"plugins_used": PLUGINS, "filters_used": []}):
        found = [one for file in files for one in scan_file(str(file))]
    tokens = [(str(file), text) for file in files for text in TOKEN.findall(file.read_text(errors="replace"))]
    return [
        *(f"{one.filename}:{one.line_number}: {one.type}" for one in found if is_odd(one)),
        *(f"{file}: a token" for file, text in tokens if text not in KNOWN),
    ]


def is_odd(found: PotentialSecret) -> bool:
    """Whether it is neither a word of the game's, nor what a test makes up, nor known."""
    text, is_word = found.secret_value or "", found.type == KeywordDetector.secret_type
    if found.filename.startswith(TESTS) and found.type in MADE_UP:
        return False
    return text not in KNOWN and not (is_word and (len(text) < SHORT or " " in text))


def defaults_in(text: str) -> Iterator[str]:
    """Secrets that a text of the deployment itself says."""
    for line in text.splitlines():
        for found in NAMED.finditer(line.split("#")[0]):
            if not MADE.fullmatch(found["value"]):
                yield found[0]


@pytest.fixture
def plant(tmp_path: Path) -> Plant:
    def planted(name: str, text: str) -> Path:
        file = tmp_path / name
        file.write_text(text)
        return file

    return planted


def test_nothing_in_the_repository_looks_like_a_secret() -> None:
    files = repository()

    assert len(files) > 500
    assert found_in(files) == []


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("settings.py", 'TOKEN = "{}"'),
        ("notes.md", 'curl -H "Authorization: Bearer {}"'),
        ("compose.yml", "environment:\n  REDIS_PASSWORD: {}\n"),
        (".env", "METRICS_TOKEN={}\n"),
        ("readme.md", "`REDIS_URL=redis://default:{}@redis:6379/0`"),
        ("id.pem", "-----BEGIN {:.0}PRIVATE KEY-----\n"),
        ("push.sh", "git clone https://ghp_{:.36}@example.org/x"),
    ],
)
def test_a_secret_that_is_planted_is_found(name: str, text: str, plant: Plant) -> None:
    assert found_in([plant(name, text.format(secrets.token_hex(32)))])


def test_each_rule_for_what_is_not_read_is_still_needed() -> None:
    command = ["git", "ls-files"]
    names = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True).stdout.splitlines()

    assert [rule for rule in UNREAD if not any(re.fullmatch(rule, name) for name in names)] == []


def test_no_password_stands_in_what_is_deployed() -> None:
    files = [ROOT / "docker-compose.yml", ROOT / "Dockerfile", *(ROOT / "deploy").rglob("*")]
    texts = {file: file.read_text() for file in files if file.is_file() and file.suffix != ".md"}

    assert len(texts) > 5
    assert {str(file): told for file, text in texts.items() if (told := [*defaults_in(text)])} == {}


@pytest.mark.parametrize(
    "line",
    [
        "  REDIS_PASSWORD: hunter2",
        "  GF_SECURITY_ADMIN_PASSWORD: ${GRAFANA_PASSWORD:-admin}",
        "requirepass change-me",
        'command: ["valkey-server", "--requirepass", "valkey"]',
        "METRICS_TOKEN=prometheus",
        "export REDISCLI_AUTH='secret'",
    ],
)
def test_a_default_password_is_found(line: str) -> None:
    assert [*defaults_in(line)]


@pytest.mark.parametrize(
    "line",
    [
        "  GF_SECURITY_ADMIN_PASSWORD__FILE: /secrets/grafana_password",
        "  REDIS_PASSWORD: ${REDIS_PASSWORD:-}",
        "REDISCLI_AUTH=$(cat /secrets/redis_password)",
        "# requirepass and masterauth, made on the first start",
    ],
)
def test_a_secret_that_is_read_from_where_it_was_made_is_none(line: str) -> None:
    assert [*defaults_in(line)] == []
