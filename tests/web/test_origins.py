"""Browsers of other origins."""

import httpx
import pytest
from pydantic import ValidationError

from service.settings import Settings
from tests.web.playing import Guest

ORIGIN = {"Origin": "https://example.com"}
ASKED = {
    "Access-Control-Request-Method": "POST",
    "Access-Control-Request-Headers": "authorization, content-type, idempotency-key, if-match, if-none-match",
}


@pytest.mark.parametrize("path", ["/v1/players", "/v1/sessions/any/moves"])
def test_a_browser_may_send_what_the_routes_read(path: str, http: httpx.Client) -> None:
    answer = http.options(path, headers=ORIGIN | ASKED)

    assert answer.status_code == 200
    assert answer.headers["access-control-allow-origin"] == "*"
    assert answer.headers["access-control-allow-methods"] == "GET, POST, PUT, PATCH, DELETE"
    allowed = answer.headers["access-control-allow-headers"].lower().split(", ")
    assert set(ASKED["Access-Control-Request-Headers"].split(", ")) <= set(allowed)


@pytest.mark.parametrize("path", ["/livez", "/v1/sessions/nowhere", "/nothing"])
def test_a_browser_may_read_answers_and_errors_but_sends_no_cookies(path: str, http: httpx.Client) -> None:
    answer = http.get(path, headers=ORIGIN)

    assert answer.headers["access-control-allow-origin"] == "*"
    assert answer.headers["access-control-expose-headers"] == (
        "ETag, Link, Location, Retry-After, X-Request-Id, RateLimit-Limit, RateLimit-Remaining, RateLimit-Reset"
    )
    assert "access-control-allow-credentials" not in answer.headers


def test_an_error_before_any_route_can_be_read_too(http: httpx.Client) -> None:
    body = b" " * 20_000
    answer = http.post("/v1/players", content=body, headers=ORIGIN | {"Content-Type": "application/json"})

    assert answer.status_code == 413
    assert answer.headers["access-control-allow-origin"] == "*"


def test_a_cache_keeps_views_apart_by_who_asks(guest: Guest, http: httpx.Client) -> None:
    answer = http.get(f"/v1/sessions/{guest.deal()['id']}", headers=ORIGIN)

    assert "Authorization" in answer.headers["vary"].split(", ")


def test_origins_are_listed_as_browsers_write_them(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ORIGINS", "https://play.example, http://localhost:5173,capacitor://localhost,null,")

    assert Settings().origins == {"https://play.example", "http://localhost:5173", "capacitor://localhost", "null"}


@pytest.mark.parametrize("origin", ["*", "play.example", "https://play.example/", "https://Play.example", "https://"])
def test_what_no_browser_calls_an_origin_is_refused(origin: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ORIGINS", origin)

    with pytest.raises(ValidationError, match="origins"):
        Settings()
