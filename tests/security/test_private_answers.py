"""What is for one reader alone is kept for no other, and nobody is known by anything that a browser sends by itself."""

import re
from collections.abc import Iterator
from typing import Any

import httpx
import pytest

from service.app import contract
from tests.web.playing import Guest, Json, place

ONCE = {"createPlayer", "recoverPlayer", "renewRecoveryCode", "createTicket"}
"""What tells a secret, which nothing keeps."""


def operations() -> Iterator[tuple[str, str, Json]]:
    """Every operation of the contract: its method, its path, and what it is."""
    for path, item in contract()["paths"].items():
        for method, operation in item.items():
            yield method.upper(), path, operation


def asked_by_all(guest: Guest) -> dict[str, httpx.Response]:
    """What every operation that can be had by reading says to a player who has a session, by its name."""
    session = guest.deal()
    known = {"{session}": session["id"], "{player}": guest.id, "{date}": "today", "{rules}": "modern"}
    answers = {}
    for method, path, operation in operations():
        if method == "GET" and not path.endswith(("/stream", "/events")):
            filled = re.sub(r"\{\w+\}", lambda name: known.get(name[0], "none"), path)
            answers[operation["operationId"]] = guest.get(filled)
    return answers


def test_what_a_token_may_change_is_kept_for_whoever_shows_it(guest: Guest) -> None:
    known = {operation["operationId"]: "security" in operation for _, _, operation in operations()}
    answers = asked_by_all(guest)
    private = [name for name, answer in answers.items() if known[name] and answer.is_success]

    assert len(private) > 8
    for name in private:
        headers = answers[name].headers
        assert {"private", "no-store"} & {*headers["cache-control"].split(", ")}, name
        assert "Authorization" in headers["vary"].split(", "), name


def test_no_error_is_kept_at_all(guest: Guest, http: httpx.Client) -> None:
    hidden = guest.deal(spectators=False)
    errors = [
        http.get(f"/v1/sessions/{hidden['id']}"),
        http.get("/v1/sessions/none"),
        http.get("/v1/players/me"),
        http.get("/nothing"),
        guest.command(hidden, "moves", move="h1G"),
        guest.post(f"/v1/sessions/{hidden['id']}/moves", place(hidden) | {"at": 9, "move": "b1G"}),
    ]

    assert [answer.status_code for answer in errors] == [403, 404, 401, 404, 422, 409]
    assert {answer.headers.get("cache-control") for answer in errors} == {"no-store"}


def test_a_secret_that_is_told_once_is_kept_nowhere(guest: Guest, http: httpx.Client) -> None:
    made = http.post("/v1/players")
    answers = [
        made,
        http.post("/v1/players/recover", json={"recovery_code": made.json()["recovery_code"]}),
        guest.post("/v1/players/me/recovery_code", {}),
        guest.post("/v1/tickets", {}),
    ]

    assert {answer.headers["cache-control"] for answer in answers} == {"no-store"}
    assert len(answers) == len(ONCE & {operation["operationId"] for _, _, operation in operations()})


def test_no_answer_sets_a_cookie(guest: Guest) -> None:
    answers = asked_by_all(guest)

    assert len(answers) > 15
    assert [name for name, answer in answers.items() if "set-cookie" in answer.headers] == []


@pytest.mark.parametrize("where", ["cookies", "params", "auth"])
def test_a_token_counts_in_its_header_alone(where: str, guest: Guest, http: httpx.Client) -> None:
    by: dict[str, Any] = {
        "cookies": {"token": guest.token, "Authorization": f"Bearer {guest.token}"},
        "params": {"token": guest.token, "access_token": guest.token, "ticket": guest.token},
        "auth": (guest.id, guest.token),
    }
    with httpx.Client(base_url=http.base_url) as stranger:
        stranger.cookies.update(by[where] if where == "cookies" else {})
        answer = stranger.get("/v1/players/me", **({} if where == "cookies" else {where: by[where]}))

    assert answer.status_code == 401
