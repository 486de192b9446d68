"""What can be set: by variables, by files, and the table of it all."""

from pathlib import Path

import pytest

from service.settings import Settings
from service.store.redis.topology import topology
from tests.cli.commands import run, say

PASSWORD = "p/w@:?#%"


def test_the_table_has_a_row_for_each_setting(capsys: pytest.CaptureFixture[str]) -> None:
    head, rule, *rows = say(capsys, "settings").out.splitlines()

    assert (head, rule) == ("| variable | default | what it sets |", "| --- | --- | --- |")
    assert [row.split("`")[1] for row in rows] == [name.upper() for name in Settings.model_fields]
    for row in rows:
        assert row.count(" | ") == 2
        assert not row.endswith("|  |")
    assert "| `PORT` | 8000 | the port to listen on; 0 takes a free one |" in rows
    assert "| `LOG_FORMAT` | `text` |" in "".join(rows)
    assert any(row.startswith("| `METRICS_TOKEN` | none |") for row in rows)


@pytest.mark.parametrize(
    "url",
    [
        "redis://host:6380/1",
        "rediss://host",
        "redis://user@host",
        "redis://host?protocol=3",
        "unix:///run/redis.sock",
        "redis+sentinel://one:26379,[::1]/name/0",
        "redis+cluster://one:6379,two:6379",
        "rediss+cluster://one",
    ],
)
def test_a_password_goes_into_a_url_that_has_none(url: str) -> None:
    access = topology(Settings(redis_url=url, redis_password=PASSWORD).store_url).access

    assert access.password == PASSWORD
    assert access.username == ("user" if "user@" in url else "")


@pytest.mark.parametrize("url", ["redis://:own@host", "redis+cluster://me:own@one,two", "redis://host?password=own"])
def test_a_url_that_has_a_password_keeps_it(url: str) -> None:
    assert Settings(redis_url=url, redis_password=PASSWORD).store_url == url


def test_settings_tell_no_secret_when_they_are_printed() -> None:
    settings = Settings(redis_url="redis://:told@host", redis_password="told", metrics_token="told")

    assert "told" not in repr(settings)


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The folder of files that are settings."""
    monkeypatch.setenv("SECRETS", str(tmp_path))
    return tmp_path


def test_a_file_of_the_folder_is_a_setting(folder: Path) -> None:
    (folder / "redis_password").write_text("from a file\n")
    (folder / "store.conf").write_text("what is none of ours")

    assert Settings().redis_password.get_secret_value() == "from a file"


def test_a_variable_goes_before_a_file(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (folder / "metrics_token").write_text("from a file")
    monkeypatch.setenv("METRICS_TOKEN", "from a variable")

    assert Settings().metrics_token.get_secret_value() == "from a variable"


def test_a_file_that_does_not_fit_is_told_in_one_line(folder: Path) -> None:
    (folder / "port").write_text("many")

    said = run("serve", SECRETS=str(folder))

    assert (said.status, said.out) == (2, "")
    assert said.err == "constitution: port: Input should be a valid integer, unable to parse string as an integer\n"


def test_a_folder_that_is_not_there_is_told_in_one_line() -> None:
    for command in ("serve", "worker"):
        assert run(command, SECRETS="/nowhere") == (
            2,
            "",
            "constitution: secrets: Path does not point to a directory\n",
        )


@pytest.mark.parametrize(
    "url",
    [
        "http://host",
        "redis://host:port",
        "redis://host:99999",
        "redis+cluster://a:b:c",
        "redis+cluster://one/0",
        "host",
    ],
)
def test_a_url_that_cannot_be_is_told_without_the_password(
    url: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("REDIS_URL", url)
    monkeypatch.setenv("REDIS_PASSWORD", "hunter2")

    said = say(capsys, "worker")

    assert (said.status, said.out) == (2, "")
    assert said.err.count("\n") == 1
    assert "hunter2" not in said.err
