"""Lists of one's own sessions."""

import httpx
import pytest

from tests.web.playing import Guest, Json, done, refused, wrong_fields


def listed(guest: Guest, query: str = "") -> Json:
    return done(guest.get(f"/v1/sessions{query}"))


def ids(page: Json) -> list[str]:
    return [session["id"] for session in page["sessions"]]


def test_a_list_tells_what_ones_sessions_are_newest_first(guest: Guest, rival: Guest) -> None:
    older, newer = guest.deal("42"), guest.deal("secret", rules="cadogan")
    rival.deal()
    played = guest.play(older, older["legal"][0]["move"])

    answer = guest.get("/v1/sessions")

    first, second = done(answer)["sessions"]
    assert answer.headers["cache-control"] == "private, no-cache"
    assert "link" not in answer.headers
    assert first == {
        "id": newer["id"],
        "rules": "cadogan",
        "deal": None,
        "mode": "solo",
        "secret": True,
        "status": "playing",
        "seq": 0,
        "created_at": newer["created_at"],
        "updated_at": newer["created_at"],
    }
    assert second == {
        "id": older["id"],
        "rules": "modern",
        "deal": "42",
        "mode": "solo",
        "secret": False,
        "status": "playing",
        "seq": played["seq"],
        "created_at": older["created_at"],
        "updated_at": second["updated_at"],
    }
    assert older["created_at"] <= second["updated_at"]


def test_a_secret_deal_is_listed_once_the_game_is_over(guest: Guest) -> None:
    over = done(guest.command(guest.deal("secret"), "resign"))

    (session,) = listed(guest)["sessions"]
    assert session["deal"] == over["deal"]
    assert session["deal"].startswith("seed:")
    assert (session["secret"], session["status"]) == (False, "resigned")


def test_pages_link_to_one_another_and_hold_still_while_sessions_are_made(guest: Guest) -> None:
    dealt = [guest.deal()["id"] for _ in range(5)]
    answer = guest.get("/v1/sessions?limit=2")
    pages = []
    while True:
        pages.append(ids(answer.json()))
        if not (link := answer.links.get("next")):
            break
        assert link["url"] == f"/v1/sessions?cursor={answer.json()['next']}&limit=2"
        guest.deal()
        answer = guest.get(link["url"])

    newest = dealt[::-1]
    assert pages == [newest[:2], newest[2:4], newest[4:]]
    assert answer.json()["next"] is None


def test_a_page_that_ends_with_the_list_is_followed_by_an_empty_one(guest: Guest) -> None:
    guest.deal()
    first = listed(guest, "?limit=1")

    assert listed(guest, f"?limit=1&cursor={first['next']}") == {"sessions": [], "next": None}


def test_who_has_no_sessions_has_an_empty_list(guest: Guest) -> None:
    assert listed(guest) == {"sessions": [], "next": None}


@pytest.mark.parametrize(
    ("query", "wrong"),
    [
        ("limit=0", {"query.limit": "Input should be greater than or equal to 1"}),
        ("limit=101", {"query.limit": "Input should be less than or equal to 100"}),
        ("limit=many", {"query.limit": "Input should be a valid integer, unable to parse string as an integer"}),
        ("cursor=nonsense", {"cursor": "there should be the `next` of a page before"}),
        ("cursor=", {"cursor": "there should be the `next` of a page before"}),
        ("cursor=%00", {"cursor": "there should be the `next` of a page before"}),
        ("cursor=" + "1" * 101, {"query.cursor": "String should have at most 100 characters"}),
    ],
)
def test_a_page_that_cannot_be_is_a_bad_request(query: str, wrong: dict[str, str], guest: Guest) -> None:
    assert wrong_fields(guest.get(f"/v1/sessions?{query}"), 400) == wrong


def test_without_a_token_there_is_no_list(http: httpx.Client) -> None:
    refused(http.get("/v1/sessions"), 401, "unauthorised")
