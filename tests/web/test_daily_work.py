"""What a sealed run has the service do depends on what is asked, and not on the deal: no time tells of it."""

from collections.abc import Iterator

import httpx
import pytest

from service.engine.deal import Seeded
from service.engine.notation import format_deal
from service.ports.daily import Day
from service.store.redis import keys
from service.usecases.days import opens
from tests.conftest import Emptied
from tests.usecases.daily_world import DAY, NOON_MS
from tests.web.challenge import Challenge, challenging
from tests.web.playing import Guest, done

OTHER = Day("2026-12-01", DAY.rules)
GREETINGS = {"cmdstat_hello", "cmdstat_client|setinfo"}
"""What a new connection says; how many there are depends on what happens at once."""
OTHER_SEED = bytes(31) + b"\x63"


@pytest.fixture
def service(emptied: Emptied) -> Iterator[Challenge]:
    with challenging(emptied("valkey"), DAY, OTHER) as started:
        started.redis.hset(keys.day(str(OTHER)), "deal", format_deal(Seeded(OTHER_SEED)))
        yield started


def work(service: Challenge, http: httpx.Client, day: Day) -> tuple[dict[str, int], list[int], list[str]]:
    """What the store is asked, how often, while one who plays and one who looks on do the same on a day.

    With the statuses of the answers, and the first run's layout.
    """
    service.clock.time = opens(day.date) + NOON_MS
    guest, rival = Guest(http), Guest(http)
    service.redis.config_resetstat()
    page = f"/v1/daily/{day.date}/{day.rules}"
    session = guest.post(f"{page}/run", {}).json()
    path = f"/v1/sessions/{session['id']}"
    answers = [guest.post(f"{page}/run", {}), guest.post(f"{page}/run", {"kind": "open"})]
    for reader in (guest, rival):
        answers += [reader.get(page), reader.get("/v1/sessions"), reader.get("/v1/players/me")]
        answers += [reader.get(f"/v1/leaderboards{page.removeprefix('/v1')}?view={view}") for view in ("top", "me")]
        answers += [
            reader.get(path + part)
            for part in ("", "/events?after=0&wait=0", "/history", "/record", "/winnable", "/analysis")
        ]
    answers += [rival.command(session, "hint"), guest.command(session, "undo"), guest.command(session, "resign")]
    answers += [guest.post(f"{page}/run", {}), guest.get(path)]
    done(answers[-1])
    stats = service.redis.info("commandstats")
    asked = {name: one["calls"] for name, one in stats.items() if name not in GREETINGS}
    return asked, [answer.status_code for answer in answers], [pile for row in session["rows"] for pile in row]


def test_the_store_is_asked_the_same_whatever_the_deal_is(service: Challenge, http: httpx.Client) -> None:
    work(service, http, DAY)  # so that every script is known
    asked, statuses, layout = work(service, http, DAY)
    others_asked, others_statuses, others_layout = work(service, http, OTHER)
    assert layout != others_layout
    assert (asked, statuses) == (others_asked, others_statuses)
