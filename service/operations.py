"""What an operator does with the daily challenge, on the store of a service that runs or not."""

import argparse
import asyncio
import re
from collections.abc import Awaitable, Callable
from contextlib import nullcontext
from typing import Final, TypeAlias

from service.app import SystemChance, SystemClock
from service.engine.deal import Seeded
from service.engine.notation import parse_deal
from service.ports.daily import Day, StoredDay
from service.settings import Settings
from service.solving.pool import Pool
from service.store import embedded
from service.store.redis.store import RedisStore
from service.usecases.closing import Closing
from service.usecases.days import DAILY_RULES, commitment, date_of, number_of, read_day, today
from service.usecases.deals import Deals
from service.usecases.errors import NoSuchDay
from service.usecases.history import Histories
from service.usecases.preparing import Preparing

Operation: TypeAlias = Callable[[argparse.Namespace, RedisStore], Awaitable[None]]
"""What is done on a store; it prints what it did."""
Add: TypeAlias = Callable[..., argparse.ArgumentParser]

MOST_DAYS: Final = 3_660
_DIGEST: Final = re.compile(r"[0-9a-f]{64}")


class BrokenCommitment(Exception):
    """A day is bound to another seed."""


def add_commands(add: Add) -> None:
    """Adds `daily` and `board`."""
    daily = add("daily", help="look after the daily challenge").add_subparsers(required=True, metavar="WHAT")

    command = daily.add_parser("list", help="print the days that are kept, from some days back to those ahead")
    command.add_argument("--back", type=_number_of_days, default=7, metavar="N", help="else 7")
    command.add_argument("--ahead", type=_number_of_days, metavar="N", help="else DAYS_AHEAD, or 30")
    command.set_defaults(run=_on_the_store(_list))

    command = daily.add_parser("prepare", help="prepare the days ahead that are missing")
    command.add_argument("--ahead", type=_number_of_days, metavar="N", help="else DAYS_AHEAD, or 30")
    command.set_defaults(run=_on_the_store(_prepare))

    command = daily.add_parser("void", help="take a day out of all rankings and streaks, for good")
    _add_day(command)
    command.set_defaults(run=_on_the_store(_void))

    command = daily.add_parser("recompute", help="make a day's boards from its logs alone")
    _add_day(command)
    command.set_defaults(run=_on_the_store(_recompute))

    command = daily.add_parser("verify-commitment", help="say whether a day is bound to a seed")
    _add_day(command)
    command.add_argument("--deal", help="as seed:…; else what the store keeps of a day that is final")
    command.add_argument("--commitment", help="64 hexadecimal digits; with --deal, no store is asked")
    command.set_defaults(run=_verify_commitment)

    board = add("board", help="look after the boards").add_subparsers(required=True, metavar="WHAT")
    command = board.add_parser("remove", help="take a player off a day's boards, for good")
    _add_day(command)
    command.add_argument("player", help="the player's id")
    command.set_defaults(run=_on_the_store(_remove))


def _add_day(command: argparse.ArgumentParser) -> None:
    command.add_argument("date", help="as 2026-11-30, or today")
    command.add_argument("rules", help="modern or cadogan")


def _number_of_days(text: str) -> int:
    if text not in map(str, range(MOST_DAYS + 1)):
        raise argparse.ArgumentTypeError(f"there should be a number from 0 to {MOST_DAYS}")
    return int(text)


def _on_the_store(operation: Operation) -> Callable[[argparse.Namespace], int]:
    def run(options: argparse.Namespace) -> int:
        settings = Settings()
        with nullcontext(settings.store_url) if settings.redis_url else embedded.reached(settings.data) as url:
            asyncio.run(_operate(operation, options, RedisStore(url, settings.session_ttl)))
        return 0

    return run


async def _operate(operation: Operation, options: argparse.Namespace, store: RedisStore) -> None:
    try:
        await operation(options, store)
    finally:
        await store.close()


def _day(options: argparse.Namespace) -> Day:
    return read_day(options.date, options.rules, SystemClock().now())


def _ahead(options: argparse.Namespace) -> int:
    return Settings().days_ahead if options.ahead is None else int(options.ahead)


async def _list(options: argparse.Namespace, store: RedisStore) -> None:
    number = number_of(today(SystemClock().now()))
    dates = [date_of(one) for one in range(max(1, number - options.back), number + _ahead(options) + 1)]
    found = await store.days.find([Day(date, rules) for date in dates for rules in DAILY_RULES])
    for stored in filter(None, found):
        print(_line(stored))


async def _prepare(options: argparse.Namespace, store: RedisStore) -> None:
    pool = Pool(max(1, Settings().solvers), store.reports)
    try:
        preparing = Preparing(store.days, Deals(pool, SystemChance()), SystemClock())
        for day in await preparing.missing(_ahead(options)):
            print(_line(await preparing.prepare(day)), flush=True)
    finally:
        await pool.close()


async def _void(options: argparse.Namespace, store: RedisStore) -> None:
    day = _day(options)
    if await store.days.find([day]) == [None]:
        raise NoSuchDay(day)
    await store.days.void(day)
    await _closing(store).recompute(day)
    print(f"{day} counts for nothing")


async def _recompute(options: argparse.Namespace, store: RedisStore) -> None:
    day = _day(options)
    summary = await _closing(store).recompute(day)
    print(f"{day}: {summary.players} played, {summary.wins} won")


async def _remove(options: argparse.Namespace, store: RedisStore) -> None:
    day = _day(options)
    was_there = await _closing(store).remove(day, options.player)
    print(f"{options.player} is off the boards of {day}{'' if was_there else ', and was not on them'}")


def _closing(store: RedisStore) -> Closing:
    return Closing(
        store.sessions, store.days, store.records, store.boards, Histories(store.sessions, limit=1), SystemClock()
    )


def _line(stored: StoredDay) -> str:
    """A day that is kept, without its secrets."""
    state = "void" if stored.is_void else "open" if stored.final is None else "final"
    return f"{number_of(stored.day.date)} {stored.day} {stored.difficulty} {stored.commitment} {state}"


def _verify_commitment(options: argparse.Namespace) -> int:
    if (options.deal is None) is not (options.commitment is None):
        raise ValueError("there should be --deal and --commitment, or neither")
    if options.deal is None:
        return _on_the_store(_verify_stored)(options)
    if not _DIGEST.fullmatch(options.commitment):
        raise ValueError("--commitment should be 64 hexadecimal digits")
    _check(_day(options), options.deal, options.commitment)
    return 0


async def _verify_stored(options: argparse.Namespace, store: RedisStore) -> None:
    day = _day(options)
    [stored] = await store.days.find([day])
    if stored is None:
        raise NoSuchDay(day)
    _check(day, stored.deal, stored.commitment)


def _check(day: Day, text: str, committed: str) -> None:
    """Prints that the commitment is to the deal; raises BrokenCommitment, or ValueError for no seed."""
    deal = parse_deal(text)
    if not isinstance(deal, Seeded):
        raise ValueError("--deal should be a seed, as the day tells it once it is final")  # noqa: TRY004 - of a text
    if commitment(day, deal.seed) != committed:
        raise BrokenCommitment(f"{day} is bound to another seed")
    print(f"{day} is bound to this seed")
