"""Lighthouse on the web client, as on a phone: `python -m tests.browser.audit` prints its figures.

They depend on the machine, so none of them is a gate; axe, which is one, looks at more screens and themes.
"""

import asyncio
import json
import os
import subprocess
import tempfile
from pathlib import Path
from typing import Any, Final

from tests.browser.chromium import ALONE, PROGRAM
from tests.browser.town import keep_days
from tests.live.replica import replica

NPM: Final = Path(__file__).parents[2] / "clients" / "web" / "npm"
LIGHTHOUSE: Final = Path(__file__).parent / "lighthouse"
SCREENS: Final = ("/", "/rules")
TRIES: Final = 3
"""At times it misses the beginning of the page, and has to look again."""
CATEGORIES: Final = ("performance", "accessibility", "best-practices")
TIMES: Final = {
    "LCP": "largest-contentful-paint",
    "TBT": "total-blocking-time",
    "CLS": "cumulative-layout-shift",
    "bytes": "total-byte-weight",
}


def audit(url: str) -> dict[str, Any]:
    """What Lighthouse reports of a page."""
    flags = " ".join(("--headless=new", *ALONE))
    command = [str(NPM), "--prefix", str(LIGHTHOUSE), "exec", "--", "lighthouse", url, "--output=json", "--quiet"]
    options = [f"--only-categories={','.join(CATEGORIES)}", f"--chrome-flags={flags}"]
    for _ in range(TRIES):
        done = subprocess.run(
            [*command, *options],
            env=os.environ | {"CHROME_PATH": str(PROGRAM)},
            capture_output=True,
            text=True,
            check=False,
        )
        if done.returncode == 0:
            report: dict[str, Any] = json.loads(done.stdout)
            return report
    raise SystemExit(done.stderr)


def main() -> None:
    """Prints a row for each screen."""
    print("screen".ljust(14), *(name.rjust(14) for name in CATEGORIES), *(name.rjust(10) for name in TIMES))
    with tempfile.TemporaryDirectory() as folder, replica("", Path(folder) / "log", DATA=f"{folder}/data") as running:
        asyncio.run(keep_days(Path(folder, "data")))
        for screen in SCREENS:
            report = audit(running.url + screen)
            scores = [round(100 * report["categories"][name]["score"]) for name in CATEGORIES]
            times = [report["audits"][name]["displayValue"].replace("Total size was ", "") for name in TIMES.values()]
            print(screen.ljust(14), *(str(one).rjust(14) for one in scores), *(one.rjust(10) for one in times))
            for name in CATEGORIES[1:]:
                for reference in report["categories"][name]["auditRefs"]:
                    found = report["audits"][reference["id"]]
                    if found["score"] is not None and found["score"] < 1:
                        print("   ", found["title"])


if __name__ == "__main__":
    main()
