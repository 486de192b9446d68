"""How the answers of the databases of vulnerabilities are read."""

import json

import pytest

from tests.security.audit import Verdict, of_npm, of_pip, status_of

SOUND = {"name": "anyio", "version": "4.16.0", "vulns": []}
BAD = {"name": "jinja2", "version": "2.10", "vulns": [{"id": "PYSEC-2019-217", "fix_versions": ["2.10.1"]}]}
UNKNOWN = {"name": "redis", "skip_reason": "Dependency not found on PyPI and could not be audited: redis (8.1.0)"}
WHOLE = {"vulnerabilities": {}, "metadata": {"dependencies": {"total": 300}}}


@pytest.mark.parametrize(
    ("packages", "status"),
    [([SOUND], 0), ([SOUND, BAD], 1), ([BAD, UNKNOWN], 1), ([SOUND, UNKNOWN], 2)],
)
def test_a_vulnerability_is_told_and_so_is_what_nobody_answered(packages: list[object], status: int) -> None:
    verdict = of_pip(json.dumps({"dependencies": packages, "fixes": []}))

    assert verdict.packages == len(packages)
    assert status_of({"requirements.lock": verdict}) == status


def test_the_answers_of_npm_are_read_alike() -> None:
    found = WHOLE | {"vulnerabilities": {"vite": {"severity": "high", "range": "<=6.0.8"}}}

    assert of_npm(json.dumps(WHOLE)) == Verdict(300, [], [])
    assert of_npm(json.dumps(found)).known == ["vite <=6.0.8: high"]
    assert of_npm('{"message": "405 Method Not Allowed", "statusCode": 405}').unanswered == ["405 Method Not Allowed"]


def test_a_database_that_says_nothing_has_not_said_that_all_is_well() -> None:
    assert status_of({"requirements.lock": of_pip("")}) == 2
    assert status_of({"package-lock.json": of_npm("")}) == 2
