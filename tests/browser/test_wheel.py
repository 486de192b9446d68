"""What is installed has the web client in it."""

import subprocess
import sys
import zipfile
from pathlib import Path

ROOT = Path(__file__).parents[2]


def test_a_wheel_carries_the_built_client(client: Path, tmp_path: Path) -> None:
    build = ["wheel", "--quiet", "--no-deps", "--no-build-isolation", "--wheel-dir", str(tmp_path), str(ROOT)]
    subprocess.run([sys.executable, "-m", "pip", *build], check=True)
    (wheel,) = tmp_path.glob("*.whl")

    built = {f"service/web/client/{path.relative_to(client)}" for path in client.rglob("*") if path.is_file()}
    assert built <= set(zipfile.ZipFile(wheel).namelist())
