"""Guests, tokens and tickets."""

import re

import httpx
import pytest

from tests.web.playing import Guest, refused, wrong_fields
from tests.web.running import Running


def test_a_guest_gets_an_id_a_name_a_token_and_a_recovery_code(http: httpx.Client) -> None:
    answer = http.post("/v1/players", json={})
    player = answer.json()

    assert answer.status_code == 201
    assert answer.headers["cache-control"] == "no-store"
    assert list(player) == ["id", "name", "token", "recovery_code"]
    assert re.fullmatch("[0-9a-f]{16}", player["id"])
    assert re.fullmatch("[A-Z][a-z]+ [A-Z][a-z]+", player["name"])
    assert re.fullmatch("[0-9a-f]{64}", player["token"])
    assert re.fullmatch("[0-9A-HJKMNP-TV-Z]{5}(-[0-9A-HJKMNP-TV-Z]{5}){3}", player["recovery_code"])


def test_no_two_guests_share_an_id_or_a_secret(http: httpx.Client) -> None:
    first, second = (http.post("/v1/players").json() for _ in range(2))

    assert first["id"] != second["id"]
    assert first["token"] != second["token"]
    assert first["recovery_code"] != second["recovery_code"]


@pytest.mark.parametrize("body", [b"", b"{}", b"null"])
def test_a_guest_says_nothing_in_any_way(body: bytes, http: httpx.Client) -> None:
    assert http.post("/v1/players", content=body, headers={"Content-Type": "application/json"}).status_code == 201


@pytest.mark.parametrize(
    ("body", "wrong"),
    [
        ({"name": "Me"}, {"name": "Extra inputs are not permitted"}),
        ([], {"body": "there should be a JSON object, with Content-Type: application/json"}),
        ("me", {"body": "there should be a JSON object, with Content-Type: application/json"}),
    ],
)
def test_a_guest_who_says_something_is_told_what_is_wrong_with_it(
    body: object, wrong: dict[str, str], http: httpx.Client
) -> None:
    assert wrong_fields(http.post("/v1/players", json=body), 422) == wrong


def test_redis_holds_no_token_no_recovery_code_and_no_ticket(service: Running, http: httpx.Client) -> None:
    redis = service.redis
    redis.flushall()
    player = http.post("/v1/players").json()
    ticket = http.post("/v1/tickets", headers={"Authorization": f"Bearer {player['token']}"}).json()["ticket"]
    texts = [redis.get(key) for key in redis.scan_iter(_type="string")]
    fields = [value for key in redis.scan_iter(_type="hash") for value in redis.hvals(key)]
    held = b" ".join([*redis.keys(), *texts, *fields])

    assert player["name"].encode() in held
    for secret in (player["token"], player["recovery_code"], ticket):
        assert secret.encode() not in held


def test_a_ticket_is_for_a_player_and_for_half_a_minute(guest: Guest) -> None:
    answer = guest.post("/v1/tickets", {})

    assert answer.status_code == 201
    assert answer.headers["cache-control"] == "no-store"
    assert re.fullmatch("[0-9a-f]{64}", answer.json()["ticket"])
    assert answer.json()["expires_in"] == 30


def test_without_a_token_there_is_no_ticket(http: httpx.Client) -> None:
    answer = http.post("/v1/tickets")

    assert refused(answer, 401, "unauthorised")["detail"] == (
        "This needs a player's token: Authorization: Bearer, a space, and the token."
    )
    assert answer.headers["www-authenticate"] == "Bearer"


@pytest.mark.parametrize(
    ("header", "detail"),
    [
        (b"Basic bWU6bWU=", "The Authorization header should be: Bearer, a space, and a token."),
        (b"Bearer", "The Authorization header should be: Bearer, a space, and a token."),
        (b"", "The Authorization header should be: Bearer, a space, and a token."),
        (b"Bearer " + b"0" * 64, "The token is not known, or no longer."),
        (b"Bearer \xff\xfe", "The token is not known, or no longer."),
        (b"bearer a b", "The token is not known, or no longer."),
    ],
)
@pytest.mark.parametrize(("method", "path"), [("POST", "/v1/tickets"), ("GET", "/v1/sessions/any")])
def test_a_header_that_names_no_player_is_refused_also_where_none_is_needed(
    method: str, path: str, header: bytes, detail: str, http: httpx.Client
) -> None:
    answer = http.request(method, path, headers={b"Authorization": header})

    assert refused(answer, 401, "unauthorised")["detail"] == detail
    assert answer.headers["www-authenticate"] == "Bearer"
