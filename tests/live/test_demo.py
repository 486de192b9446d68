"""The demonstration, against a service and against none."""

import re
import subprocess
import sys


def demo(url: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "service", "demo", "--pace", "0", "--url", url],
        capture_output=True,
        text=True,
        check=False,
        timeout=60,
    )


def test_the_demonstration_wins_a_whole_game(service: str) -> None:
    shown = demo(service)

    assert (shown.returncode, shown.stderr) == (0, "")
    *_, before_last, last = shown.stdout.splitlines()
    assert re.fullmatch(r"\d+ \w\d+G +stock  0  promoted 80/80 +\d+ points  won", before_last.strip())
    assert re.fullmatch(
        r"\w+ \w+ won \S+ \(\w+\) in \d+ moves: \d+ points\. "
        rf"The record: {re.escape(service)}/v1/sessions/[0-9a-f]{{32}}/record",
        last,
    )


def test_the_demonstration_says_in_one_line_that_there_is_no_service() -> None:
    shown = demo("http://127.0.0.1:9")

    assert (shown.returncode, shown.stdout) == (1, "")
    assert re.fullmatch(r"constitution: http://127\.0\.0\.1:9: .+\n", shown.stderr)
