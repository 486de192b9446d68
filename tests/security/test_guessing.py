"""What nobody can guess, and how often somebody may try."""

import httpx
import pytest

from service.app import create_app
from service.store.memory import MemoryStore
from service.usecases.codes import code_of
from service.web.limits import Limits
from service.web.rates import Rate, Rates
from tests.conftest import now
from tests.web.playing import Guest, refused
from tests.web.running import served

DRAWN = 100
TRIES = 5
SPREAD = 12
"""How many different characters of 16 stand at each place, at least, among so many that chance has drawn."""


@pytest.mark.parametrize(
    ("kind", "characters"),
    [("id", 16), ("token", 64), ("recovery_code", 20), ("ticket", 64), ("session", 32), ("invite", 8)],
)
def test_every_character_of_what_nobody_may_guess_is_chance(
    kind: str, characters: int, drawn: dict[str, list[str]]
) -> None:
    texts = [text.replace("-", "") for text in drawn[kind]]

    assert len(set(texts)) == DRAWN
    assert {len(text) for text in texts} == {characters}
    assert min(len(set(column)) for column in zip(*texts, strict=True)) >= SPREAD


def test_a_code_takes_every_character_alike() -> None:
    drawn = code_of(bytes(range(256)), 256)

    assert {drawn.count(one) for one in drawn} == {256 // 32}


@pytest.fixture(scope="module")
def drawn() -> dict[str, list[str]]:
    """What a service draws for a hundred players, by its kind."""
    drawn: dict[str, list[str]] = {kind: [] for kind in ("id", "token", "recovery_code", "ticket", "session", "invite")}
    with served(create_app(MemoryStore(now, session_ttl=0), 10)) as url, httpx.Client(base_url=url) as http:
        for _ in range(DRAWN):
            made = http.post("/v1/players").json()
            http.headers["Authorization"] = f"Bearer {made['token']}"
            made |= http.post("/v1/tickets").json()
            session = http.post("/v1/sessions", json={"mode": "turns"}).json()
            for kind, texts in drawn.items():
                texts.append({"session": session["id"], "invite": session["invite"]}.get(kind) or made[kind])
    return drawn


def test_an_invite_cannot_be_tried_for_ever() -> None:
    limits = Limits(Rates(commands=Rate(TRIES, 3600.0)))
    app = create_app(MemoryStore(now, session_ttl=0), cached_sessions=10, limits=limits)
    with served(app) as url, httpx.Client(base_url=url) as http:
        host, guesser = Guest(http), Guest(http)
        shared = host.deal(mode="turns")
        path = f"/v1/sessions/{shared['id']}/join"
        for _ in range(TRIES):
            refused(guesser.post(path, {"invite": "0000-0000"}), 403, "wrong_invite")

        refused(guesser.post(path, {"invite": shared["invite"]}), 429, "rate_limited")
