"""Events by long poll."""

from concurrent.futures import ThreadPoolExecutor
from typing import Any

import httpx
import pytest

from tests.web.playing import GROUP, Guest, Json, done, place, refused, wrong_fields
from tests.web.running import Running, until


def polled(guest: Guest, session: Json, after: int, **query: Any) -> httpx.Response:
    parameters = "&".join(f"{name}={value}" for name, value in {"after": after, **query}.items())
    return guest.get(f"/v1/sessions/{session['id']}/events?{parameters}")


def events(guest: Guest, session: Json, after: int, **query: Any) -> list[Json]:
    body = done(polled(guest, session, after, **query))
    assert list(body) == ["events"]
    found: list[Json] = body["events"]
    return found


def test_an_event_holds_all_that_a_client_without_rules_needs(guest: Guest) -> None:
    session = guest.play(guest.deal(), *GROUP)
    answer = polled(guest, session, 3)

    assert answer.headers["cache-control"] == "no-store"
    (event,) = done(answer)["events"]
    assert event == {
        "type": "event",
        "session": session["id"],
        "seq": 4,
        "crc": session["crc"],
        "seat": 0,
        "kind": "fill",
        "time": event["time"],
        "move": "a4a3",
        "count": 0,
        "piles": {"a3": "2D", "a4": "6D"},
        "revealed": [["a4", "6D"]],
        "foundations": [1, 1, 1, 1, 2, 1, 1, 1],
        "stock": 47,
        "waste": "",
        "must_fill": None,
        "status": "playing",
        "points": {"total": 148, "promoted": 1, "tempo": 48, "assists": 0, "won": False},
        "legal": session["legal"],
        "turn": None,
        "can_undo": True,
        "can_redo": False,
    }


def test_every_kind_of_command_is_an_event(guest: Guest) -> None:
    session = guest.play(guest.deal(rules="cadogan"), "S", "Wb4", "a2g1", "a3a2", "a4a3", "b1G")
    for command in ("undo", "redo", "restart", "resign"):
        session = done(guest.command(session, command))

    told = [(event["kind"], event["move"], event["count"], event["revealed"]) for event in events(guest, session, 0)]
    assert told == [
        ("turn", "S", 0, [["W", "6D"]]),
        ("people", "Wb4", 0, []),
        ("build", "a2g1", 0, []),
        ("fill", "a3a2", 0, []),
        ("fill", "a4a3", 0, [["a4", "TH"]]),
        ("promote", "b1G", 0, []),
        ("undo", None, 1, []),
        ("redo", None, 1, []),
        ("restart", None, 0, []),
        ("resign", None, 0, []),
    ]


def test_an_event_of_a_restart_shows_every_pile_that_changed(guest: Guest) -> None:
    session = done(guest.command(guest.play(guest.deal(), *GROUP), "restart"))

    (event,) = events(guest, session, 4)
    assert event["piles"] == {"b1": "2H", "a2": "3C", "a3": "4S", "a4": "2D"}
    assert (event["stock"], event["foundations"]) == (48, [1] * 8)
    assert event["points"] == {"total": 0, "promoted": 0, "tempo": 0, "assists": 1, "won": False}


def test_a_spectator_is_told_what_happens_and_may_play_nothing(guest: Guest, rival: Guest) -> None:
    session = guest.play(guest.deal(), "b1G")

    (own,), (watched,) = events(guest, session, 0), events(rival, session, 0)
    assert len(own["legal"]) == 8
    assert watched == own | {"legal": []}


@pytest.mark.parametrize("crc", [{}, {"crc": "{crc}"}])
def test_a_poll_brings_what_is_there_at_once_however_long_it_would_wait(crc: Json, guest: Guest) -> None:
    first = guest.play(guest.deal(), "b1G")
    guest.play(first, "a2b1")
    crc = {name: value.format(**first) for name, value in crc.items()}

    assert [event["seq"] for event in events(guest, first, 1, wait=30, **crc)] == [2]


def test_a_poll_waits_for_a_move_that_is_made_meanwhile(guest: Guest, rival: Guest, service: Running) -> None:
    session = guest.deal()
    with ThreadPoolExecutor(2) as pool:
        waiting = [pool.submit(events, who, session, 0, crc="00000000", wait=30) for who in (guest, rival)]
        until(lambda: len(service.watchers(session["id"])) == 2)
        played = guest.play(session, "b1G")
        told = [poll.result(5) for poll in waiting]

    assert [[place_of(event) for event in one] for one in told] == [[place(played)], [place(played)]]
    assert service.watchers(session["id"]) == set()


def place_of(event: Json) -> Json:
    return {"at": event["seq"], "crc": event["crc"]}


@pytest.mark.parametrize("query", [{}, {"wait": 0}, {"wait": 0.05}])
def test_a_poll_is_empty_when_nothing_has_happened_in_time(query: Json, guest: Guest) -> None:
    session = guest.play(guest.deal(), "b1G")

    assert events(guest, session, 1, crc=session["crc"], **query) == []
    assert events(guest, session, 1, **query) == []


@pytest.mark.parametrize(
    ("after", "query"),
    [(0, {"crc": "00000001"}), (1, {"crc": "ffffffff"}), (2, {}), (2**31 - 1, {"crc": "00000000"})],
)
def test_a_place_that_is_not_in_the_history_is_answered_with_the_session_anew(
    after: int, query: Json, guest: Guest, rival: Guest
) -> None:
    session = guest.play(guest.deal(), "b1G")

    assert done(polled(guest, session, after, wait=30, **query)) == {"reset": session}
    assert done(polled(rival, session, after, **query)) == {"reset": session | {"legal": [], "you": None}}


@pytest.mark.parametrize(
    ("query", "wrong"),
    [
        ("", {"query.after": "Field required"}),
        ("after=-1", {"query.after": "Input should be greater than or equal to 0"}),
        ("after=2147483648", {"query.after": "Input should be less than 2147483648"}),
        ("after=1.5", {"query.after": "Input should be a valid integer, unable to parse string as an integer"}),
        ("after=0&crc=0", {"query.crc": "String should match pattern '^[0-9a-f]{8}$'"}),
        ("after=0&wait=-1", {"query.wait": "Input should be greater than or equal to 0"}),
        ("after=0&wait=31", {"query.wait": "Input should be less than or equal to 30"}),
        ("after=0&wait=inf", {"query.wait": "Input should be less than or equal to 30"}),
        ("after=0&wait=nan", {"query.wait": "Input should be less than or equal to 30"}),
    ],
)
def test_a_poll_that_cannot_be_is_a_bad_request(query: str, wrong: dict[str, str], guest: Guest) -> None:
    answer = guest.get(f"/v1/sessions/{guest.deal()['id']}/events?{query}")

    assert wrong_fields(answer, 400) == wrong


def test_a_poll_of_no_session_is_not_found(guest: Guest) -> None:
    refused(guest.get("/v1/sessions/nowhere/events?after=0&wait=30"), 404, "no_such_session")
