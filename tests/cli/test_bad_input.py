"""What the command says to what it cannot do: one line, and exit status 2."""

import pytest

from tests.cli.commands import run, say

WON = "-,-,-,-,-,-,-,-/-,-,-,-,-,-,-,-/-,-,-,-,-,-,-,-/-,-,-,-,-,-,-,-"
A_DEAL = "there should be a number, pysol:N, pysol:msN, seed:HEX or position:TEXT"
HUGE = "9" * 5000


@pytest.mark.parametrize(
    ("arguments", "line"),
    [
        (["legal", "--deal", "nope"], f"constitution: not a deal: at 0, 'nope', {A_DEAL}"),
        (["legal", "--deal", ""], f"constitution: not a deal: at 0, the end, {A_DEAL}"),
        (["legal", "--deal", "random"], f"constitution: not a deal: at 0, 'random', {A_DEAL}"),
        (
            ["legal", "--deal", "1", "--rules", "whist"],
            "constitution: not a rule set: at 0, 'whist', there should be one of modern, cadogan, cadogan-1914, pysol",
        ),
        (
            ["legal", "--deal", "1", "--moves", "a1b1 x"],
            "constitution: a1b1 is not legal: wrong_rank",
        ),
        (
            ["legal", "--deal", "pysol:1", "--moves", "b1G x"],
            "constitution: not a move: at 0, 'x', there should be a place, a1 to h4, or W or S",
        ),
        (
            ["legal", "--deal", f"position:{WON} JJJJJJJT - JD"],
            "constitution: these rules have no waste, and the position has one",
        ),
        (
            ["legal", "--deal", f"position:{WON} JJJJJJJJ - -", "--moves", "a1G"],
            "constitution: the game is won",
        ),
        (
            ["legal", "--deal", f"position:{WON} JJJJJJJT - -"],
            "constitution: not a deal: at 85, the end, there should be cards that are nowhere yet: JD",
        ),
        (["legal"], "constitution legal: the following arguments are required: --deal"),
        (["legal", "--deal"], "constitution legal: argument --deal: expected one argument"),
        (["perft", "--deal", "1"], "constitution perft: the following arguments are required: --depth"),
        (
            ["perft", "--deal", HUGE, "--depth", "1"],
            "constitution: not a deal: at 0, '999999999999', there should be a number from 0 to 18446744073709551615",
        ),
        (["deal"], "constitution deal: the following arguments are required: deal"),
        (
            ["deal", f"position:{WON} JJJJJJJJ - -"],
            "constitution: a position is not dealt: it has no dealing order",
        ),
        (
            ["deal", "pysol:0"],
            "constitution: not a deal: at 6, '0', there should be a number from 1 to 100000000000000000000",
        ),
        (["hint"], "constitution hint: the following arguments are required: --deal"),
        (["study"], "constitution study: the following arguments are required: --deals"),
        (["verify"], "constitution verify: the following arguments are required: session"),
        ([], "constitution: the following arguments are required: COMMAND"),
        (["openapi", "more\nand more"], "constitution: unrecognized arguments: more and more"),
        (["serve", "--port", "65536"], "constitution: port: Input should be less than or equal to 65535"),
        (["serve", "--port", "-1"], "constitution: port: Input should be greater than or equal to 0"),
    ],
)
def test_bad_input_is_told_in_one_line(arguments: list[str], line: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert say(capsys, *arguments) == (2, "", f"{line}\n")


@pytest.mark.parametrize(
    ("arguments", "begins"),
    [
        (["nope"], "constitution: argument COMMAND: invalid choice: 'nope'"),
        (["perft", "--deal", "1", "--depth", "21"], "constitution perft: argument --depth: invalid choice: 21"),
        (["perft", "--deal", "1", "--depth", "0"], "constitution perft: argument --depth: invalid choice: 0"),
        (["perft", "--deal", "1", "--depth", HUGE], "constitution perft: argument --depth: invalid int value: '999"),
        (["serve", "--port", "http"], "constitution serve: argument --port: invalid int value: 'http'"),
        (["serve", "--port", HUGE], "constitution serve: argument --port: invalid int value: '999"),
        (["deal", "\udcff"], "constitution: not a deal: at 0, '\\udcff'"),
    ],
)
def test_a_choice_that_there_is_not_is_told_in_one_line(
    arguments: list[str], begins: str, capsys: pytest.CaptureFixture[str]
) -> None:
    said = say(capsys, *arguments)

    assert (said.status, said.out) == (2, "")
    assert said.err.startswith(begins)
    assert said.err.count("\n") == 1


@pytest.mark.parametrize(
    ("settings", "line"),
    [
        (
            {"PORT": "http"},
            "constitution: port: Input should be a valid integer, unable to parse string as an integer",
        ),
        (
            {"PORT": "70000", "SESSION_DAYS": "-1"},
            (
                "constitution: port: Input should be less than or equal to 65535; "
                "session_days: Input should be greater than or equal to 0"
            ),
        ),
        (
            {"REDIS_URL": "localhost"},
            "constitution: Redis URL must specify one of the following schemes (redis://, rediss://, unix://)",
        ),
    ],
)
def test_a_setting_that_cannot_be_is_told_in_one_line(settings: dict[str, str], line: str) -> None:
    assert run("serve", **settings) == (2, "", f"{line}\n")


def test_an_empty_setting_is_none(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    for name in ("PORT", "HOST", "REDIS_URL", "DATA", "SESSION_DAYS"):
        monkeypatch.setenv(name, "")

    assert say(capsys, "serve", "--port", "65536").err == (
        "constitution: port: Input should be less than or equal to 65535\n"
    )


def test_the_command_says_how_it_is_used_and_which_version_it_is(capsys: pytest.CaptureFixture[str]) -> None:
    assert say(capsys, "--version") == (0, "0.1.0\n", "")
    for command in ("serve", "worker", "demo", "legal", "perft", "solve", "hint", "study", "deal", "verify", "openapi"):
        assert f"\n    {command} " in say(capsys, "--help").out
        assert say(capsys, command, "--help").out.startswith(f"usage: constitution {command}")
