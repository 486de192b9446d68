"""`constitution secrets`: the passwords of an installation, made once."""

import subprocess
import sys
from base64 import urlsafe_b64decode
from concurrent.futures import ThreadPoolExecutor
from itertools import chain
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest

from service.secrets_folder import SECRETS, STORE_CONFIG, fill
from tests.cli.commands import PATIENCE, ROOT, run, say
from tests.servers import WHEEL, server

NAMES = {*SECRETS, STORE_CONFIG}


def contents(folder: Path) -> dict[str, str]:
    return {path.name: path.read_text() for path in folder.iterdir()}


def test_a_folder_is_filled_with_secrets_of_256_bits(tmp_path: Path) -> None:
    said = run("secrets", str(tmp_path / "new"))

    made = contents(tmp_path / "new")
    assert (said.status, said.err) == (0, "")
    assert said.out.splitlines() == [f"{tmp_path}/new/{name} is new" for name in (*SECRETS, STORE_CONFIG)]
    assert made.keys() == NAMES
    secrets = [made[name] for name in SECRETS]
    assert len(set(secrets)) == len(secrets)
    for secret in secrets:
        assert len(urlsafe_b64decode(f"{secret}=")) == 32
        assert secret not in said.out


def test_the_store_and_the_service_have_the_same_password(tmp_path: Path) -> None:
    list(fill(tmp_path))

    password = (tmp_path / "redis_password").read_text()
    assert (tmp_path / STORE_CONFIG).read_text() == f"requirepass {password}\nmasterauth {password}\n"


def test_every_user_may_read_the_files_and_nobody_may_write_them(tmp_path: Path) -> None:
    list(fill(tmp_path))

    assert {path.stat().st_mode & 0o777 for path in tmp_path.iterdir()} == {0o444}


def test_what_is_there_is_never_made_anew(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "redis_password").write_text("chosen\n")
    say(capsys, "secrets", str(tmp_path))
    before = contents(tmp_path)

    assert say(capsys, "secrets", str(tmp_path)) == (0, "", "")
    assert contents(tmp_path) == before
    assert before["redis_password"] == "chosen\n"
    assert before[STORE_CONFIG] == "requirepass chosen\nmasterauth chosen\n"


def test_what_is_missing_is_made(tmp_path: Path) -> None:
    list(fill(tmp_path))
    before = contents(tmp_path)
    (tmp_path / "metrics_token").unlink()

    assert list(fill(tmp_path)) == ["metrics_token"]
    after = contents(tmp_path)
    assert after.pop("metrics_token") != before.pop("metrics_token")
    assert after == before


def test_of_many_that_fill_a_folder_at_once_each_file_is_made_by_one(tmp_path: Path) -> None:
    for number in range(50):
        folder = tmp_path / str(number)
        with ThreadPoolExecutor(8) as pool:
            made = list(chain(*pool.map(lambda _, to=folder: list(fill(to)), range(8))))

        assert sorted(made) == sorted(NAMES)
        assert contents(folder).keys() == NAMES
        password = (folder / "redis_password").read_text()
        assert (folder / STORE_CONFIG).read_text().startswith(f"requirepass {password}\n")


def test_a_store_with_the_file_lets_in_who_has_the_password_alone(tmp_path: Path) -> None:
    list(fill(tmp_path))
    password = (tmp_path / "redis_password").read_text()
    with server(WHEEL) as one:
        line = (tmp_path / STORE_CONFIG).read_text().splitlines()[0].split()
        assert one.control.config_set(*line)

        open_to = [run("daily", "list", REDIS_URL=one.url, **more) for more in ({}, {"SECRETS": str(tmp_path)})]

    assert [said.status for said in open_to] == [1, 0]
    assert "authenticate" in open_to[0].err
    assert password not in str(open_to)


def test_a_folder_that_cannot_be_written_is_told_in_one_line_and_is_a_failure(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("no folder")

    said = run("secrets", str(tmp_path / "file"))

    assert (said.status, said.out) == (1, "")
    assert said.err == f"constitution: {tmp_path}/file cannot be filled: File exists\n"


def test_a_folder_that_its_user_may_not_write_is_told_in_one_line_and_is_a_failure() -> None:
    script = (
        "import os, sys\n"
        "from service.__main__ import main\n"
        "me = os.geteuid()\n"
        "me or os.seteuid(65534)  # root may write anywhere\n"
        "status = main(['secrets', sys.argv[1]])\n"
        "me or os.seteuid(0)\n"
        "sys.exit(status)"
    )
    with TemporaryDirectory() as folder:
        Path(folder).chmod(0o555)
        command = [sys.executable, "-c", script, folder]
        done = subprocess.run(command, check=False, capture_output=True, text=True, timeout=PATIENCE, cwd=ROOT)

    assert (done.returncode, done.stdout) == (1, "")
    assert done.stderr == f"constitution: {folder} cannot be filled: Permission denied\n"
