"""Histories: all that is past in a session, for clients that know no rules."""

from typing import Any

import httpx
import pytest

from tests.web.playing import GROUP, ONE_LEFT, Guest, Json, done, refused, wrong_fields


def path_to(session: Json, **query: Any) -> str:
    return f"/v1/sessions/{session['id']}/history?" + "&".join(f"{name}={value}" for name, value in query.items())


def history(guest: Guest, session: Json, **query: Any) -> Json:
    return done(guest.get(path_to(session, **query)))


def bare(session: Json) -> Json:
    """A session in which nothing can be played any more."""
    return session | {"legal": []}


def test_a_history_is_the_deal_and_every_entry_since(guest: Guest) -> None:
    dealt = guest.deal()
    session = guest.play(dealt, *GROUP)
    for command in ("undo", "redo", "restart"):
        session = done(guest.command(session, command))
    answer = guest.get(path_to(session))

    assert answer.headers["cache-control"] == "no-store"
    told = done(answer)
    assert (told["session"], told["next"]) == (bare(dealt), None)
    polled = done(guest.get(f"/v1/sessions/{session['id']}/events?after=0"))["events"]
    assert len(polled) == 7
    assert told["events"] == [event | {"legal": []} for event in polled]


def test_every_place_is_told_as_it_was(guest: Guest) -> None:
    seen = [guest.deal(rules="cadogan")]
    for move in ("S", "Wb4", "a2g1", "a3a2", "a4a3", "b1G"):
        seen.append(guest.play(seen[-1], move))

    for then in seen:
        told = history(guest, then, after=then["seq"])
        assert told["session"] == bare(then)
        assert [event["seq"] for event in told["events"]] == list(range(then["seq"] + 1, len(seen)))


@pytest.mark.parametrize(
    ("after", "limit", "seqs", "following"),
    [(0, 2, [1, 2], 2), (2, 1, [3], 3), (1, 3, [2, 3, 4], None), (3, 500, [4], None), (4, 1, [], None)],
)
def test_a_history_comes_in_pages(after: int, limit: int, seqs: list[int], following: int | None, guest: Guest) -> None:
    session = guest.play(guest.deal(), *GROUP)
    told = history(guest, session, after=after, limit=limit)

    assert told["session"]["seq"] == after
    assert [event["seq"] for event in told["events"]] == seqs
    assert told["next"] == following


def test_a_spectator_is_told_the_same_without_what_is_for_seats(guest: Guest, rival: Guest, http: httpx.Client) -> None:
    session = guest.play(guest.deal(mode="turns", seats=2), "b1G")
    own = history(guest, session)

    assert own["session"]["invite"] == session["invite"]
    for told in (history(rival, session), done(http.get(path_to(session)))):
        assert told == own | {"session": own["session"] | {"invite": None, "you": None}}


def test_a_deal_that_is_told_by_now_is_told_of_the_beginning_too(guest: Guest) -> None:
    session = guest.deal("secret")
    hidden = history(guest, session)["session"]
    session = done(guest.command(session, "resign"))
    told = history(guest, session)["session"]

    assert (hidden["secret"], hidden["deal"]) == (True, None)
    assert session["deal"]
    assert (told["secret"], told["deal"], told["status"]) == (False, session["deal"], "playing")


def test_the_end_of_a_game_is_told_as_it_is(guest: Guest) -> None:
    session = guest.play(guest.deal(ONE_LEFT), "a1G")
    told = history(guest, session)

    assert (told["session"]["status"], told["session"]["can_undo"]) == ("playing", False)
    assert [(event["kind"], event["status"]) for event in told["events"]] == [("promote", "won")]
    assert history(guest, session, after=1) == {"session": session, "events": [], "next": None}


def test_a_place_beyond_the_log_is_a_bad_request(guest: Guest) -> None:
    session = guest.play(guest.deal(), "b1G")
    wrong = wrong_fields(guest.get(path_to(session, after=2)), 400)

    assert wrong == {"after": "there should be a place in its history, up to 1"}


@pytest.mark.parametrize(
    ("query", "wrong"),
    [
        ("after=-1", {"query.after": "Input should be greater than or equal to 0"}),
        ("after=2147483648", {"query.after": "Input should be less than 2147483648"}),
        ("limit=0", {"query.limit": "Input should be greater than or equal to 1"}),
        ("limit=501", {"query.limit": "Input should be less than or equal to 500"}),
    ],
)
def test_a_page_that_cannot_be_is_a_bad_request(query: str, wrong: dict[str, str], guest: Guest) -> None:
    answer = guest.get(f"/v1/sessions/{guest.deal()['id']}/history?{query}")

    assert wrong_fields(answer, 400) == wrong


def test_there_is_no_history_of_no_session_nor_for_those_who_may_not_watch(guest: Guest, rival: Guest) -> None:
    session = guest.deal(spectators=False)

    refused(guest.get("/v1/sessions/nowhere/history"), 404, "no_such_session")
    refused(rival.get(path_to(session)), 403, "not_for_spectators")
    assert history(guest, session)["session"] == bare(session)
