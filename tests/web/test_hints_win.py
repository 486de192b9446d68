"""Whoever follows the hints from the start wins every certified deal, in every preset.

DEALS=200 tries the first 200 numbers of each preset, which takes a while.
"""

import os
from collections.abc import Iterator

import httpx
import pytest

from service.engine.rules import PRESETS
from tests.web.playing import Guest, Json, done
from tests.web.running import PATIENCE, Running

DEALS = int(os.environ.get("DEALS", "2"))
STEPS = 3
"""Of a hint: where, which card, which move."""


@pytest.fixture
def http(service: Running) -> Iterator[httpx.Client]:
    """A client whose hundreds of answers are not checked against the contract, as other tests' are."""
    with httpx.Client(base_url=service.url, timeout=6 * PATIENCE) as client:
        yield client


@pytest.mark.parametrize("deal", range(1, DEALS + 1))
@pytest.mark.parametrize("rules", PRESETS)
def test_hints_from_the_start_win_a_certified_deal(http: httpx.Client, guest: Guest, rules: str, deal: int) -> None:
    known = done(http.get(f"/v1/deals/{deal}?rules={rules}&wait=60"))
    assert known["done"]
    session, asked = guest.deal(str(deal), rules=rules), 0
    if known["winnable"] != "yes":
        hint = done(guest.command(session, "hint"))["hint"]
        assert (hint["winnable"], hint["place"]) == (known["winnable"], None), "there is no win to lead to"
        return
    while session["status"] == "playing":
        session, move, steps = hinted(guest, session)
        session, asked = done(guest.move(session, move)), asked + steps

    assert session["status"] == "won"
    assert session["points"]["assists"] == asked


def hinted(guest: Guest, session: Json) -> tuple[Json, str, int]:
    """The move that hints name, asking only until one is meant; the session then, and how many steps it took."""
    meant = [legal["move"] for legal in session["legal"]]
    for step in range(1, STEPS + 1):
        session = done(guest.command(session, "hint"))
        hint = session["hint"]
        assert (hint["level"], hint["winnable"]) == (step, "yes")
        meant = [move for move in meant if is_meant(session, move, hint)]
        if len(meant) == 1:
            break
    [move] = meant
    return session, move, step


def is_meant(session: Json, move: str, hint: Json) -> bool:
    """Whether a legal move fits all that a hint tells."""
    place = move if move == "S" else move.removesuffix(move[-1] if move[-1] == "G" else move[-2:])
    return (
        place == hint["place"]
        and hint.get("card", card_at(session, place)) == card_at(session, place)
        and (hint.get("move", move) == move)
    )


def card_at(session: Json, place: str) -> str | None:
    """The card that is played from a place, but from the stock."""
    if place == "S":
        return None
    pile: str = session["waste"] if place == "W" else session["rows"][int(place[1]) - 1]["abcdefgh".index(place[0])]
    return pile[-2:]
