"""New sessions: what is dealt, and what is asked for wrongly."""

from concurrent.futures import ThreadPoolExecutor
from typing import Any

import httpx
import pytest

from tests.web.playing import WON, Guest, Json, refused, wrong_fields

OPENING = ["9D", "2H", "2S", "JS", "7S", "5D", "4D", "4D"]
A_DEAL = "there should be a number, pysol:N, pysol:msN, seed:HEX or position:TEXT; or random, or secret"


def test_a_session_is_told_with_all_that_its_player_may_see(guest: Guest) -> None:
    answer = guest.post("/v1/sessions", {"rules": "modern", "deal": "pysol:1"})
    session: Json = answer.json()

    assert answer.status_code == 201
    assert answer.headers["location"] == f"/v1/sessions/{session['id']}"
    assert answer.headers["etag"] == '"0-00000000"'
    assert answer.headers["cache-control"] == "private, no-cache"
    assert "Authorization" in answer.headers["vary"]
    assert session == {
        "id": session["id"],
        "rules": "modern",
        "deal": "pysol:1",
        "mode": "solo",
        "secret": False,
        "spectators": True,
        "created_at": session["created_at"],
        "seq": 0,
        "crc": "00000000",
        "status": "playing",
        "rows": [
            OPENING,
            ["3C", "TC", "8D", "4H", "6H", "2C", "2D", "JD"],
            ["4S", "2H", "JC", "TD", "8D", "9C", "4H", "5D"],
            ["2D", "7S", "7C", "6D", "2S", "7H", "TC", "6H"],
        ],
        "foundations": [1, 1, 1, 1, 1, 1, 1, 1],
        "stock": 48,
        "waste": "",
        "must_fill": None,
        "legal": [
            {"move": "b1G", "kind": "promote", "reveals": False},
            {"move": "c1G", "kind": "promote", "reveals": False},
            {"move": "a2g1", "kind": "build", "reveals": False},
            {"move": "a2h1", "kind": "build", "reveals": False},
            {"move": "e2e1", "kind": "build", "reveals": False},
        ],
        "points": {"total": 0, "promoted": 0, "tempo": 0, "assists": 0, "won": False},
        "can_undo": False,
        "can_redo": False,
        "seats": [{"seat": 0, "player": guest.id, "name": guest.name}],
        "capacity": 1,
        "invite": None,
        "turn": None,
        "you": 0,
    }


@pytest.mark.parametrize("body", [b"", b"{}", b"null"])
def test_who_asks_for_nothing_gets_a_random_number_under_modern(body: bytes, guest: Guest, http: httpx.Client) -> None:
    headers = {"Authorization": f"Bearer {guest.token}", "Content-Type": "application/json"}
    first, second = (http.post("/v1/sessions", content=body, headers=headers).json() for _ in range(2))

    assert (first["rules"], first["secret"], first["spectators"]) == ("modern", False, True)
    assert 0 <= int(first["deal"]) < 2**64
    assert first["deal"] != second["deal"]


@pytest.mark.parametrize(
    ("rules", "stock", "waste", "legal"),
    [("modern", 48, "", 5), ("cadogan", 48, "", 9), ("cadogan-1914", 48, "", 9), ("pysol", 47, "6D", 11)],
)
def test_every_preset_deals_the_same_layout(rules: str, stock: int, waste: str, legal: int, guest: Guest) -> None:
    session = guest.deal(rules=rules)

    assert session["rules"] == rules
    assert session["rows"][0] == OPENING
    assert (session["stock"], session["waste"], len(session["legal"])) == (stock, waste, legal)


@pytest.mark.parametrize(
    ("deal", "council"),
    [
        ("42", "8S 6C 4S TC JS 8D TD TS"),
        ("18446744073709551615", "3H 7S 2S 5H 4C 7C 9C 5H"),
        ("pysol:42", "JD 9C 2H 8C 7D 4S 8S 9H"),
        ("pysol:ms42", "JD 9C 2H 8C 7D 4S 8S 9H"),
        ("seed:" + "0" * 64, "7D 5D 2S 6D 3S TC 8D 6D"),
    ],
)
def test_a_deal_is_dealt_as_its_text_says(deal: str, council: str, guest: Guest) -> None:
    session = guest.deal(deal)

    assert session["deal"] == deal
    assert session["rows"][0] == council.split()


def test_a_position_is_played_from_where_it_stands(guest: Guest) -> None:
    session = guest.deal(WON)

    assert (session["deal"], session["status"], session["legal"]) == (WON, "won", [])
    assert session["points"] == {"total": 9000, "promoted": 80, "tempo": 0, "assists": 0, "won": True}
    refused(guest.move(session, "a1G"), 409, "session_over")


def test_a_secret_deal_is_told_to_nobody(guest: Guest, http: httpx.Client) -> None:
    session = guest.deal("secret")

    assert (session["deal"], session["secret"]) == (None, True)
    for seen in (guest.see(session), http.get(f"/v1/sessions/{session['id']}").json()):
        assert (seen["deal"], seen["secret"]) == (None, True)
    assert guest.deal("secret")["rows"] != session["rows"]


@pytest.mark.parametrize(
    ("asked", "wrong"),
    [
        ({"rules": "bridge"}, {"rules": "not a rule set: at 0, 'bridge', there should be one of modern, cadogan, "
                                        "cadogan-1914, pysol"}),
        ({"deal": "nope"}, {"deal": f"not a deal: at 0, 'nope', {A_DEAL}"}),
        ({"deal": ""}, {"deal": f"not a deal: at 0, the end, {A_DEAL}"}),
        ({"deal": "-1"}, {"deal": f"not a deal: at 0, '-1', {A_DEAL}"}),
        ({"deal": "007"}, {"deal": "not a deal: at 1, '07', there should be the end"}),
        ({"deal": "18446744073709551616"}, {"deal": "not a deal: at 0, '184467440737', there should be a number from "
                                                    "0 to 18446744073709551615; or random, or secret"}),
        ({"deal": "pysol:0"}, {"deal": "not a deal: at 6, '0', there should be a number from 1 to "
                                       "100000000000000000000"}),
        ({"deal": "seed:00"}, {"deal": "not a deal: at 5, '00', there should be 64 hexadecimal digits, a to f small"}),
        ({"deal": WON.replace("JJJJJJJJ - -", "JJJJJJJT - JD")},
         {"deal": "these rules have no waste, and the position has one"}),
        ({"deal": "1" * 1001}, {"deal": "String should have at most 1000 characters"}),
        ({"deal": 42}, {"deal": "Input should be a valid string"}),
        ({"rules": None}, {"rules": "Input should be a valid string"}),
        ({"spectators": "no"}, {"spectators": "Input should be a valid boolean"}),
        ({"rule": "modern", "deal": 1}, {"deal": "Input should be a valid string",
                                         "rule": "Extra inputs are not permitted"}),
    ],
)  # fmt: skip
def test_what_is_asked_for_wrongly_is_named_and_set_right(asked: Json, wrong: dict[str, str], guest: Guest) -> None:
    assert wrong_fields(guest.post("/v1/sessions", asked), 422) == wrong


def test_without_a_token_nothing_is_dealt(http: httpx.Client) -> None:
    refused(http.post("/v1/sessions", json={}), 401, "unauthorised")


def created(guest: Guest, key: str, **asked: Any) -> httpx.Response:
    return guest.post("/v1/sessions", asked, Idempotency_Key=key)


def test_the_same_idempotency_key_answers_with_the_session_it_made_as_it_is_now(guest: Guest) -> None:
    first = created(guest, "key").json()
    second = created(guest, "key")
    assert (second.status_code, second.json()) == (201, first)

    gone_on = guest.play(first, first["legal"][0]["move"])
    third = created(guest, "key")

    assert (third.status_code, third.json()) == (201, gone_on)
    assert third.headers["location"] == f"/v1/sessions/{first['id']}"
    assert len(guest.get("/v1/sessions").json()["sessions"]) == 1


@pytest.mark.parametrize("other", [{"rules": "cadogan"}, {"deal": "43"}, {"spectators": False}])
def test_an_idempotency_key_does_not_come_back_with_another_request(other: Json, guest: Guest) -> None:
    created(guest, "key", deal="42")

    problem = refused(created(guest, "key", **{"deal": "42"} | other), 422, "idempotency_key_reused")
    assert problem["detail"] == "This Idempotency-Key came with another request before."


def test_an_idempotency_key_is_its_players_own(guest: Guest, rival: Guest) -> None:
    assert created(guest, "key").json()["id"] != created(rival, "key").json()["id"]
    assert created(guest, "key").json()["id"] != created(guest, "Key").json()["id"]


def test_eight_requests_at_once_with_one_key_make_one_session(guest: Guest) -> None:
    with ThreadPoolExecutor(8) as pool:
        answers = list(pool.map(lambda _: created(guest, "key"), range(8)))

    assert [answer.status_code for answer in answers] == [201] * 8
    assert len({answer.text for answer in answers}) == 1
    assert len(guest.get("/v1/sessions").json()["sessions"]) == 1


@pytest.mark.parametrize(
    ("key", "wrong"),
    [("", "String should have at least 1 character"), ("k" * 256, "String should have at most 255 characters")],
)
def test_an_idempotency_key_has_1_to_255_characters(key: str, wrong: str, guest: Guest) -> None:
    assert wrong_fields(created(guest, key), 400) == {"header.idempotency-key": wrong}
    assert created(guest, "k" * 255).status_code == 201
