"""The file of runs that were made, one to a line, so that none is made again with the same code."""

import json
from collections.abc import Iterable
from dataclasses import asdict, dataclass
from hashlib import sha256
from pathlib import Path

from tests.chaos.history import Kind
from tests.chaos.run import Outcome

CODE = ["service/**/*.py", "service/**/*.lua", "tests/chaos/*.py"]


@dataclass(frozen=True)
class Result:
    """What is kept of a run."""

    code: str
    seed: int
    seconds: float
    acknowledged: int
    lost: int
    doubled: int
    silent: int
    lost_with_reset: int
    promotions: int


def result(code: str, seed: int, seconds: float, outcome: Outcome) -> Result:
    count = outcome.findings.count
    return Result(
        code,
        seed,
        seconds,
        outcome.findings.acknowledged,
        count(Kind.LOST),
        count(Kind.DOUBLED),
        outcome.silent,
        count(Kind.LOST_WITH_RESET),
        outcome.promotions,
    )


def code() -> str:
    """What is run, in a few digits: another program's results say nothing of this one."""
    digest = sha256()
    for path in sorted(path for pattern in CODE for path in Path().glob(pattern)):
        digest.update(path.read_bytes())
    return digest.hexdigest()[:12]


def kept(file: Path, program: str, seconds: float) -> dict[int, Result]:
    """The results of this code and so long runs in the file, by seed; none where there is no file."""
    lines = file.read_text().splitlines() if file.exists() else []
    results = [Result(**json.loads(line)) for line in lines]
    return {one.seed: one for one in results if (one.code, one.seconds) == (program, seconds)}


def keep(file: Path, one: Result) -> None:
    with file.open("a") as out:
        out.write(json.dumps(asdict(one)) + "\n")


def summary(results: Iterable[Result]) -> str:
    """The last line of all."""
    results = list(results)

    def total(name: str) -> int:
        return sum(getattr(one, name) for one in results)

    return (
        f"{len(results)} runs: {total('acknowledged')} acknowledged, {total('lost')} lost, {total('doubled')} doubled, "
        f"{total('silent')} silent; {total('lost_with_reset')} lost with reset in {total('promotions')} promotions"
    )
