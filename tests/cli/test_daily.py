"""`constitution daily` and `constitution board`: what an operator does with the days, and what that prints."""

import asyncio
from collections.abc import Callable, Coroutine
from typing import Any, TypeVar

import pytest

from service.ports.boards import Board, Scope
from service.ports.daily import Day, Field, StoredDay
from service.store.redis import keys
from service.store.redis.store import RedisStore
from service.usecases.days import DAILY_RULES, commitment, date_of, number_of, today
from tests.cli.commands import Said, run, say
from tests.conftest import now
from tests.usecases.daily_world import SEED, plan, prepared
from tests.web.playing import Guest
from tests.web.running import Running, until

T = TypeVar("T")

ZEROS = "0" * 64
HUGE = "9" * 40


@pytest.fixture
def redis_at(service: Running) -> str:
    """Where the service's Redis is."""
    return f"unix://{service.redis.connection_pool.connection_kwargs['path']}"


def stored(url: str, asked: Callable[[RedisStore], Coroutine[Any, Any, T]]) -> T:
    """What the store answers."""

    async def ask() -> T:
        store = RedisStore(url, session_ttl=0)
        try:
            return await asked(store)
        finally:
            await store.close()

    return asyncio.run(ask())


def keep(url: str, *days: Day) -> list[StoredDay]:
    async def add(store: RedisStore) -> list[StoredDay]:
        return [await store.days.add(prepared(day)) for day in days]

    return stored(url, add)


def found(url: str, day: Day) -> StoredDay | None:
    return stored(url, lambda store: store.days.find([day]))[0]


def players_on(url: str, day: Day) -> list[str]:
    board = Board(str(day), Scope.FIRST, Field.NEWCOMERS)
    return [row.standing.player for row in stored(url, lambda store: store.boards.page(board, None, 100)).rows]


def some_days_ago(days: int, rules: str = "modern") -> Day:
    """A day of which the date is the same a minute from now, or nearly always."""
    return Day(date_of(number_of(today(now())) - days), rules)


def line_of(day: Day, state: str, difficulty: str = "steady") -> str:
    return f"{number_of(day.date)} {day} {difficulty} {commitment(day, SEED)} {state}\n"


@pytest.fixture
def ended(service: Running, redis_at: str) -> tuple[Day, list[str]]:
    """Today, and two players whose runs of it are over and on its board, the better one first."""
    day = some_days_ago(0)
    keep(redis_at, day)
    players = []
    with service.client() as http:
        for moves in (30, 10):
            guest = Guest(http)
            run_of = guest.post(f"/v1/daily/{day}/run", {}).json()
            assert guest.command(guest.play(run_of, *plan()[:moves]), "resign").is_success
            players.append(guest.id)
    until(lambda: len(players_on(redis_at, day)) == len(players))
    return day, players


def test_days_are_listed_with_what_binds_them_and_without_their_secrets(redis_at: str) -> None:
    old, recent, ahead = some_days_ago(8), some_days_ago(7), some_days_ago(-2, "cadogan")
    keep(redis_at, old, recent, ahead)
    said = run("daily", "list", "--ahead", "2", REDIS_URL=redis_at)
    assert said == (0, line_of(recent, "open") + line_of(ahead, "open"), "")
    assert SEED.hex() not in said.out
    more = run("daily", "list", "--back", "8", "--ahead", "1", REDIS_URL=redis_at)
    assert more == (0, line_of(old, "open") + line_of(recent, "open"), "")


def test_a_day_that_is_missing_is_prepared_once(redis_at: str) -> None:
    day, other = (some_days_ago(0, rules) for rules in DAILY_RULES)
    keep(redis_at, other)
    said = run("daily", "prepare", "--ahead", "0", REDIS_URL=redis_at)
    kept = found(redis_at, day)
    assert kept
    state = f"{kept.difficulty} {kept.commitment} open"
    assert said == (0, f"{number_of(day.date)} {day} {state}\n", "")
    assert kept.deal.startswith("seed:")
    assert kept.commitment == commitment(day, bytes.fromhex(kept.deal.removeprefix("seed:")))
    assert run("daily", "prepare", REDIS_URL=redis_at, DAYS_AHEAD="0") == (0, "", "")
    assert found(redis_at, day) == kept


def test_a_board_that_was_lost_is_made_again_from_the_logs(
    ended: tuple[Day, list[str]], service: Running, redis_at: str
) -> None:
    day, players = ended
    for name in (keys.board, keys.board_rows):
        service.redis.delete(name(str(day), Scope.FIRST, Field.NEWCOMERS))
    assert players_on(redis_at, day) == []
    assert run("daily", "recompute", *day, REDIS_URL=redis_at) == (0, f"{day}: 2 played, 0 won\n", "")
    assert players_on(redis_at, day) == players
    assert found(redis_at, day) == prepared(day), "it is not final before its end"


def test_a_day_whose_end_is_past_is_final_once_it_is_recomputed(redis_at: str) -> None:
    day = some_days_ago(3)
    keep(redis_at, day)
    assert run("daily", "recompute", *day, REDIS_URL=redis_at) == (0, f"{day}: 0 played, 0 won\n", "")
    said = run("daily", "list", "--ahead", "0", REDIS_URL=redis_at)
    assert said == (0, line_of(day, "final"), "")


def test_a_void_day_counts_for_nothing(ended: tuple[Day, list[str]], redis_at: str) -> None:
    day, _ = ended
    assert run("daily", "void", "today", "modern", REDIS_URL=redis_at) == (0, f"{day} counts for nothing\n", "")
    assert players_on(redis_at, day) == []
    assert stored(redis_at, lambda store: store.days.voided("modern")) == {day.date}
    assert run("daily", "list", "--ahead", "0", REDIS_URL=redis_at) == (0, line_of(day, "void"), "")


def test_a_player_is_taken_off_the_boards_of_a_day_for_good(ended: tuple[Day, list[str]], redis_at: str) -> None:
    day, (best, other) = ended
    off = f"{best} is off the boards of {day}"
    assert run("board", "remove", *day, best, REDIS_URL=redis_at) == (0, f"{off}\n", "")
    assert players_on(redis_at, day) == [other]
    again = run("board", "remove", *day, best, REDIS_URL=redis_at)
    assert again == (0, f"{off}, and was not on them\n", "")
    assert run("daily", "recompute", *day, REDIS_URL=redis_at).out == f"{day}: 1 played, 0 won\n"
    assert players_on(redis_at, day) == [other]


def test_a_commitment_is_verified_from_what_is_kept_and_from_what_was_told(redis_at: str) -> None:
    day = some_days_ago(3)
    keep(redis_at, day)
    good = (0, f"{day} is bound to this seed\n", "")
    assert run("daily", "verify-commitment", *day, REDIS_URL=redis_at) == good
    told = ("--deal", f"seed:{SEED.hex()}", "--commitment", commitment(day, SEED))
    assert run("daily", "verify-commitment", *day, *told, REDIS_URL="unix:///nowhere") == good


@pytest.mark.parametrize("command", ["recompute", "void", "verify-commitment"])
def test_a_day_that_is_not_kept_is_told_in_one_line(command: str, redis_at: str) -> None:
    said = run("daily", command, "2026-01-02", "cadogan", REDIS_URL=redis_at)
    assert (said.status, said.out, said.err.count("\n")) == (1, "", 1)
    assert "2026-01-02" in said.err


def test_a_commitment_to_another_seed_is_told_in_one_line(capsys: pytest.CaptureFixture[str]) -> None:
    told = ("--deal", f"seed:{SEED.hex()}", "--commitment", ZEROS)
    said = say(capsys, "daily", "verify-commitment", "2026-11-30", "modern", *told)
    assert said == (1, "", "constitution: 2026-11-30/modern is bound to another seed\n")


def test_a_store_that_is_away_is_told_without_a_traceback() -> None:
    said = run("daily", "list", REDIS_URL="unix:///nowhere/redis.sock")
    assert (said.status, said.out) == (1, "")
    assert said.err.splitlines()[-1].startswith("constitution: Error 2 connecting to /nowhere/redis.sock")
    assert "Traceback" not in said.err


@pytest.mark.parametrize(
    ("arguments", "line"),
    [
        (["daily"], "constitution daily: the following arguments are required: WHAT"),
        (["board"], "constitution board: the following arguments are required: WHAT"),
        (
            ["daily", "list", "--back", "x"],
            "constitution daily list: argument --back: there should be a number from 0 to 3660",
        ),
        (["daily", "void", "today"], "constitution daily void: the following arguments are required: rules"),
        (
            ["board", "remove", "today", "modern"],
            "constitution board remove: the following arguments are required: player",
        ),
        (["daily", "void", "today", "whist"], "constitution: rules: there should be modern or cadogan"),
        (
            ["daily", "void", "2026-02-30", "modern"],
            "constitution: date: there should be a date from 2026-01-01 on, or today",
        ),
        (
            ["daily", "verify-commitment", "2026-11-30", "modern", "--deal", "seed:00"],
            "constitution: there should be --deal and --commitment, or neither",
        ),
        (
            ["daily", "verify-commitment", "2026-11-30", "modern", "--deal", "42", "--commitment", "0"],
            "constitution: --commitment should be 64 hexadecimal digits",
        ),
        (
            ["daily", "verify-commitment", "2026-11-30", "modern", "--deal", "42", "--commitment", ZEROS],
            "constitution: --deal should be a seed, as the day tells it once it is final",
        ),
    ],
)
def test_bad_input_is_told_in_one_line(
    arguments: list[str],
    line: str,
    redis_at: str,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.setenv("REDIS_URL", redis_at)
    assert say(capsys, *arguments) == Said(2, "", f"{line}\n")


@pytest.mark.parametrize("option", ["--back", "--ahead"])
@pytest.mark.parametrize("number", ["-1", "5000000", HUGE])
def test_a_number_of_days_that_cannot_be_is_told_in_one_line(
    option: str, number: str, redis_at: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("REDIS_URL", redis_at)
    said = say(capsys, "daily", "list", f"{option}={number}")
    assert (said.status, said.out, said.err.count("\n")) == (2, "", 1)
    assert said.err.startswith(f"constitution daily list: argument {option}: ")
