"""The routes of the daily challenge, on a real Redis and by a clock that is set by hand."""

import json
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from email.utils import formatdate

import httpx
import pytest

from service.ports.daily import Day
from service.usecases.days import closes, date_of, ends, number_of, opens
from tests.conftest import Emptied
from tests.usecases.daily_world import DAY, plan, prepared
from tests.web.challenge import Challenge, challenging
from tests.web.playing import Guest, Json, done, refused, wrong_fields

TODAY = "/v1/daily/today/modern"
BOARD = "/v1/leaderboards/daily/today/modern"


@pytest.fixture
def service(emptied: Emptied) -> Iterator[Challenge]:
    with challenging(emptied("valkey"), DAY) as started:
        yield started


def begin(guest: Guest, path: str = TODAY, **body: object) -> Json:
    answer = guest.post(f"{path}/run", body)
    assert answer.status_code in {200, 201}, answer.text
    begun: Json = answer.json()
    assert answer.headers["location"] == f"/v1/sessions/{begun['id']}"
    return begun


def resigned(guest: Guest, moves: int) -> Json:
    """A first run that is given up after so many moves of the plan."""
    return done(guest.command(guest.play(begin(guest), *plan()[:moves]), "resign"))


def test_today_is_a_date_and_tells_nothing_of_its_deal(http: httpx.Client, service: Challenge) -> None:
    answer = http.get(TODAY)
    day = done(answer)
    assert (day["date"], day["number"], day["commitment"]) == (DAY.date, 334, prepared().commitment)
    assert (day["opens_at"], day["closes_at"]) == ("2026-11-30T00:00:00.000Z", "2026-12-01T00:00:00.000Z")
    assert (day["deal"], day["par"], day["record"], day["summary"], day["you"]) == (None,) * 5
    assert done(http.get(f"/v1/daily/{DAY.date}/modern")) == day
    again = http.get(TODAY, headers={"If-None-Match": answer.headers["etag"]})
    assert (again.status_code, again.content) == (304, b"")


@pytest.mark.parametrize("client_hours", [-12, 0, 14])
@pytest.mark.parametrize("night", ["2027-03-28", "2027-10-31", "2028-02-29"])
def test_only_the_servers_clock_says_what_day_it_is(
    guest: Guest, service: Challenge, night: str, client_hours: int
) -> None:
    """On both nights of summer time, and on a leap day."""
    before, after = (date_of(number_of(night) + more) for more in (-1, 1))
    for date in (before, night, after):
        service.keep(Day(date, "modern"))
    moments = {opens(night) - 1: before, opens(night): night, closes(night) - 1: night, closes(night): after}
    for moment, date in moments.items():
        service.clock.time = moment
        there = {"Date": formatdate(moment / 1000 + client_hours * 3600, usegmt=True)}
        assert done(guest.get(TODAY, **there))["date"] == date
        begun = guest.post(f"{TODAY}/run", {}, **there).json()["daily"]
        assert (begun["date"], begun["kind"]) == (date, "first")
        tomorrow = date_of(number_of(date) + 1)
        refused(guest.post(f"/v1/daily/{tomorrow}/modern/run", {}, **there), 409, "not_yet_open")


def test_a_run_that_began_in_the_last_millisecond_has_two_hours_and_no_more(
    guest: Guest, rival: Guest, service: Challenge, http: httpx.Client
) -> None:
    path = f"/v1/daily/{DAY.date}/modern"
    service.clock.time = closes(DAY.date) - 1
    session, other = begin(guest, path), begin(rival, path)
    service.clock.time = closes(DAY.date)
    assert begin(Guest(http), path)["daily"]["kind"] == "late"
    service.clock.time = ends(DAY.date) - 1
    assert guest.play(session, *plan())["status"] == "won"
    other = rival.play(other, plan()[0])
    service.clock.time = ends(DAY.date)
    refused(rival.move(other, plan()[1]), 409, "session_over")
    refused(rival.command(other, "resign"), 409, "session_over")
    refused(rival.post(f"{path}/run", {}), 409, "run_over")
    service.close()
    rows = done(http.get(BOARD.replace("today", DAY.date), params={"field": "newcomers"}))["rows"]
    assert [(row["player"]["name"], row["won"]) for row in rows] == [(guest.name, True), (rival.name, False)]


def test_devices_that_begin_at_once_are_given_one_run(guest: Guest) -> None:
    with ThreadPoolExecutor(8) as devices:
        answers = list(devices.map(lambda _: guest.post(f"{TODAY}/run", {}), range(16)))
    assert sorted(answer.status_code for answer in answers) == [200] * 15 + [201]
    assert len({answer.json()["id"] for answer in answers}) == 1


def test_the_run_that_counts_is_one_wherever_it_is_begun_again(guest: Guest) -> None:
    first = guest.post(f"{TODAY}/run", {})
    assert first.status_code == 201
    session = guest.play(first.json(), *plan()[:4])
    again = guest.post(f"{TODAY}/run", {})
    assert (again.status_code, again.json()["id"], again.json()["seq"]) == (200, session["id"], 4)
    assert again.json()["daily"] == {
        "date": DAY.date,
        "kind": "first",
        "ends_at": "2026-12-01T02:00:00.000Z",
    }
    assert done(guest.get(TODAY))["you"] == {
        "session": session["id"],
        "kind": "first",
        "status": "playing",
        "points": session["points"]["total"],
    }


def test_a_second_first_run_is_refused_and_an_open_one_takes_its_turn(guest: Guest) -> None:
    refused(guest.post(f"{TODAY}/run", {"kind": "open"}), 409, "run_first")
    first = resigned(guest, 3)
    assert refused(guest.post(f"{TODAY}/run", {}), 409, "run_over")["detail"].count(first["id"]) == 1
    assert begin(guest, kind="open")["daily"]["kind"] == "open"


def test_nobody_reaches_the_run_of_another(guest: Guest, rival: Guest, http: httpx.Client) -> None:
    session = resigned(guest, 5)
    path = f"/v1/sessions/{session['id']}"
    for page in ("", "/record", "/history", "/events?after=0", "/stream", "/winnable", "/analysis"):
        refused(rival.get(path + page), 403, "not_for_spectators")
        refused(http.get(path + page), 403, "not_for_spectators")
    for command in ("moves", "undo", "resign", "hint", "ask"):
        body = {"move": "a1G"} if command == "moves" else {}
        refused(rival.command(session, command, **body), 403, "not_your_seat")
    for page in ("/record", "/winnable", "/analysis"):
        refused(guest.get(path + page), 409, "still_secret")


def test_a_row_links_to_its_replay_when_the_day_is_final_and_not_before(
    guest: Guest, rival: Guest, service: Challenge, http: httpx.Client
) -> None:
    session = resigned(guest, 30)
    resigned(rival, 10)
    until_rows(http, 2)
    rows = done(http.get(BOARD, params={"field": "newcomers"}))["rows"]
    assert [(row["rank"], row["player"]["name"], row.get("session")) for row in rows] == [
        (1, guest.name, None),
        (2, rival.name, None),
    ]
    assert session["id"] not in json.dumps(rows)
    service.close()
    rows = done(http.get(BOARD.replace("today", DAY.date), params={"field": "newcomers"}))["rows"]
    assert rows[0]["session"] == session["id"]
    record = http.get(f"/v1/sessions/{rows[0]['session']}/record").text
    assert f'[Deal "{prepared().deal}"]' in record.splitlines()
    day = done(http.get(f"/v1/daily/{DAY.date}/modern"))
    assert (day["deal"], day["par"]) == (prepared().deal, prepared().par)
    assert (day["summary"]["players"], day["summary"]["wins"]) == (2, 0)


def test_whoever_deletes_their_account_leaves_a_row_without_a_name_that_is_what_the_log_says(
    guest: Guest, rival: Guest, service: Challenge, http: httpx.Client
) -> None:
    for player in (guest, rival):
        resigned(player, 30)
    until_rows(http, 2)
    assert guest.delete("/v1/players/me").status_code == 204
    for step in (service.sweep, service.recompute, service.close):
        step()
        page = http.get(BOARD.replace("today", DAY.date), params={"field": "newcomers"})
        rows = {row["player"]["id"]: row for row in done(page)["rows"]}
        assert [rows[one.id]["player"]["name"] for one in (guest, rival)] == [None, rival.name]
        assert rows[guest.id]["points"] == rows[rival.id]["points"]
    record = http.get(f"/v1/sessions/{rows[guest.id]['session']}/record").text
    assert guest.name not in record


def test_a_players_days_are_counted_and_a_month_of_them_shown(guest: Guest, http: httpx.Client) -> None:
    session = resigned(guest, 20)
    until_rows(http, 1)
    modern = done(guest.get("/v1/players/me"))["daily"]["modern"]
    assert (modern["played"], modern["won"], modern["best"]) == (1, 0, session["points"]["total"])
    assert modern["streaks"]["days"] == {"current": 1, "longest": 1}
    month = done(guest.get("/v1/players/me/days/modern"))
    assert (month["month"], month["today"], len(month["days"])) == ("2026-11", DAY.date, 30)
    assert month["days"][-1] == {"date": DAY.date, "number": 334, "state": "played"}
    assert done(guest.get("/v1/players/me/days/modern?month=2026-10"))["days"][0]["state"] == "before"
    assert wrong_fields(guest.get("/v1/players/me/days/modern?month=2025-12"), 400).keys() == {"month"}
    refused(http.get("/v1/players/me/days/modern"), 401, "unauthorised")


def until_rows(http: httpx.Client, count: int) -> None:
    """Returns when the board has so many rows: a result is noted just after the last move is answered."""
    for _ in range(1_000):
        if len(done(http.get(BOARD, params={"field": "newcomers"}))["rows"]) == count:
            return
    raise AssertionError("the results are not noted")


@pytest.mark.parametrize(
    ("path", "field"),
    [
        ("/v1/daily/yesterday/modern", "date"),
        ("/v1/daily/2026-02-29/modern", "date"),
        ("/v1/daily/2025-12-31/modern", "date"),
        ("/v1/daily/today/pysol", "rules"),
        ("/v1/daily/20261130/modern", "date"),
    ],
)
def test_a_day_that_cannot_be_is_refused_by_its_field(guest: Guest, path: str, field: str) -> None:
    assert [*wrong_fields(guest.get(path), 400)] == [field]
    assert [*wrong_fields(guest.post(f"{path}/run", {}), 400)] == [field]


def test_days_that_there_are_not_have_codes_of_their_own(guest: Guest) -> None:
    refused(guest.get("/v1/daily/2026-12-02/modern"), 404, "no_such_day")
    refused(guest.get("/v1/daily/2026-11-01/modern"), 404, "no_such_day")
    refused(guest.get("/v1/daily/today/cadogan"), 503, "day_not_ready")
    refused(guest.post("/v1/daily/2026-12-01/modern/run", {}), 409, "not_yet_open")
