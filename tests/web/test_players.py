"""Guests, tokens and tickets."""

import re

import httpx
import pytest

from tests.web.playing import Guest, done, refused, wrong_fields
from tests.web.running import Running


def test_a_guest_gets_an_id_a_name_a_token_and_a_recovery_code(http: httpx.Client) -> None:
    answer = http.post("/v1/players", json={})
    player = answer.json()

    assert answer.status_code == 201
    assert answer.headers["cache-control"] == "no-store"
    assert list(player) == ["id", "name", "token", "recovery_code", "bot"]
    assert player["bot"] is False
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
        ({"language": "de"}, {"language": "Input should be 'en', 'es' or 'ru'"}),
        ({"bot": 1}, {"bot": "Input should be a valid boolean"}),
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


@pytest.mark.parametrize(
    ("body", "header", "letters"),
    [
        ({"language": "ru"}, "es", "[\u0400-\u04ff]+"),
        ({}, "ru-RU,ru;q=0.9,en;q=0.8", "[\u0400-\u04ff]+"),
        ({"language": "en"}, "ru", "[A-Za-z]+"),
        (None, "de", "[A-Za-z]+"),
    ],
)
def test_a_guest_has_a_name_in_the_language_that_is_asked_for_or_preferred(
    body: dict[str, str] | None, header: str, letters: str, http: httpx.Client
) -> None:
    name = http.post("/v1/players", json=body, headers={"Accept-Language": header}).json()["name"]

    assert re.fullmatch(f"{letters} {letters}", name)


def test_a_bot_is_known_as_one(http: httpx.Client) -> None:
    made = http.post("/v1/players", json={"bot": True}).json()
    seen = http.get(f"/v1/players/{made['id']}")

    assert made["bot"] is True
    assert done(seen) == {"id": made["id"], "name": made["name"], "bot": True}
    assert seen.headers["cache-control"] == "public, max-age=60"


def test_a_guest_sees_oneself_and_takes_another_name(guest: Guest, http: httpx.Client) -> None:
    before = guest.get("/v1/players/me")
    after = done(guest.patch("/v1/players/me", {"name": " Zoë  O\u2019Hara "}))

    oneself = {field: done(before)[field] for field in ("id", "name", "bot", "created_at")}
    assert (oneself["id"], oneself["name"], oneself["bot"]) == (guest.id, guest.name, False)
    assert before.headers["cache-control"] == "private, no-cache"
    assert "Authorization" in before.headers["vary"]
    for seen in (after, done(guest.get("/v1/players/me"))):
        assert seen.items() >= (oneself | {"name": "Zoë O'Hara"}).items()
    assert done(http.get(f"/v1/players/{guest.id}"))["name"] == "Zoë O'Hara"
    assert guest.deal()["seats"][0]["name"] == "Zoë O'Hara"


@pytest.mark.parametrize(
    ("name", "reason", "detail"),
    [
        ("x", "too_short", "A name has 2 to 24 characters."),
        ("\u0430dmin", "mixed_scripts", "A name keeps to one script."),
        ("Adm1n", "reserved", "This name, or one that it looks like, is for those who run the service."),
        ("Ada\u202e", "bad_character", "A name is made of letters, digits, spaces and - ' . _ alone."),
    ],
)
def test_a_name_that_is_refused_comes_back_with_a_reason(name: str, reason: str, detail: str, guest: Guest) -> None:
    refusal = refused(guest.patch("/v1/players/me", {"name": name}), 422, "name_refused")

    assert (refusal["reason"], refusal["detail"]) == (reason, detail)
    assert done(guest.get("/v1/players/me"))["name"] == guest.name


@pytest.mark.parametrize(
    ("path", "allowed"),
    [
        ("/v1/players/recover", "POST"),
        ("/v1/players/me", "DELETE, GET, PATCH"),
        ("/v1/players/me/following/x", "DELETE, PUT"),
        ("/v1/players/x", "GET"),
    ],
)
def test_a_path_tells_what_it_takes(path: str, allowed: str, http: httpx.Client) -> None:
    assert http.request("TRACE", path).headers["allow"] == allowed


def test_a_lone_surrogate_is_no_name(http: httpx.Client, guest: Guest) -> None:
    headers = {"Authorization": f"Bearer {guest.token}", "Content-Type": "application/json"}
    answer = http.patch("/v1/players/me", content=b'{"name": "Ada\\ud800"}', headers=headers)

    assert answer.status_code == 422


def test_a_player_is_recovered_on_another_device_and_both_play_on(guest: Guest, http: httpx.Client) -> None:
    code = http.post("/v1/players").json()["recovery_code"]
    answer = http.post("/v1/players/recover", json={"recovery_code": code.lower().replace("-", "")})
    player = done(answer)

    assert answer.headers["cache-control"] == "no-store"
    assert list(player) == ["id", "name", "bot", "token"]
    assert player["id"] != guest.id
    headers = {"Authorization": f"Bearer {player['token']}"}
    assert done(http.get("/v1/players/me", headers=headers))["id"] == player["id"]
    refused(http.post("/v1/players/recover", json={"recovery_code": code[:-1]}), 401, "unauthorised")


def test_a_new_recovery_code_is_told_once_and_the_old_one_void(http: httpx.Client) -> None:
    made = http.post("/v1/players").json()
    headers = {"Authorization": f"Bearer {made['token']}"}
    answer = http.post("/v1/players/me/recovery_code", headers=headers)
    code = answer.json()["recovery_code"]

    assert answer.status_code == 201
    assert answer.headers["cache-control"] == "no-store"
    assert done(http.post("/v1/players/recover", json={"recovery_code": code}))["id"] == made["id"]
    refused(http.post("/v1/players/recover", json={"recovery_code": made["recovery_code"]}), 401, "unauthorised")


def test_a_player_who_is_deleted_leaves_no_word_in_redis(service: Running, http: httpx.Client) -> None:
    service.redis.flushall()
    guest, friend = Guest(http), Guest(http)
    done(guest.patch("/v1/players/me", {"name": "Hildegard"}))
    solo, together = guest.deal(), friend.deal(mode="turns", seats=2)
    guest.post(f"/v1/sessions/{together['id']}/join", {"invite": together["invite"]})
    assert guest.put(f"/v1/players/me/following/{friend.id}").status_code == 204
    answer = guest.delete("/v1/players/me")

    assert (answer.status_code, answer.content) == (204, b"")
    refused(guest.get("/v1/players/me"), 401, "unauthorised")
    refused(friend.get(f"/v1/sessions/{solo['id']}"), 404, "no_such_session")
    refused(http.get(f"/v1/players/{guest.id}"), 404, "no_such_player")
    assert [seat["player"] for seat in friend.see(together)["seats"]] == [friend.id]
    fields = [value for key in service.redis.scan_iter(_type="hash") for value in service.redis.hvals(key)]
    assert b"Hildegard" not in fields
    assert guest.id.encode() not in b" ".join([*fields, *service.redis.keys()])


def test_a_player_follows_another_and_no_more(guest: Guest, rival: Guest) -> None:
    path = f"/v1/players/me/following/{rival.id}"
    for _ in range(2):
        assert guest.put(path).status_code == 204
    assert done(guest.get("/v1/players/me/following")) == {"players": [{"id": rival.id, "name": rival.name}]}
    assert done(rival.get("/v1/players/me/following")) == {"players": []}

    for _ in range(2):
        assert guest.delete(path).status_code == 204
    assert done(guest.get("/v1/players/me/following")) == {"players": []}


def test_nobody_follows_themselves_or_nobody(guest: Guest) -> None:
    refused(guest.put("/v1/players/me/following/nobody"), 404, "no_such_player")
    assert wrong_fields(guest.put(f"/v1/players/me/following/{guest.id}"), 422) == {
        "player": "there should be another player than yourself"
    }
