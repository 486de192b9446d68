"""Hints, questions and analyses over HTTP."""

import contextlib
import socket
from collections.abc import Iterator
from urllib.parse import quote

import httpx
import pytest

from service.app import create_app
from service.engine.deal import start
from service.engine.moves import apply
from service.engine.notation import parse_deal, parse_move
from service.engine.rules import PRESETS
from service.solver.verify import wins
from service.store.memory import MemoryStore
from service.web.limits import Limits
from service.web.rates import Rate, Rates
from tests.conftest import now
from tests.contract.documents import check_answer
from tests.web.playing import ONE_LEFT, TO_AND_FRO, Guest, Json, done, place, refused, wrong_fields
from tests.web.running import PATIENCE, Running, served, until

MODERN = PRESETS["modern"]
HARD = "605"
"""A deal of cadogan-1914 that is searched for much longer than anybody waits in these tests."""
QUESTIONS = ("hint", "ask")


def test_a_hint_says_more_each_time_and_is_inside_the_session(guest: Guest) -> None:
    session = guest.deal()
    asked = []
    for _ in range(3):
        session = done(guest.command(session, "hint"))
        asked.append(session.pop("hint"))

    where, card, move = asked
    assert where == {"level": 1, "winnable": "yes", "place": where["place"]}
    assert card == where | {"level": 2, "card": card["card"]}
    assert move == card | {"level": 3, "move": move["move"]}
    assert session["points"]["assists"] == 3
    assert guest.see(session) == session, "nobody is told the hint but whoever asked"


def test_a_question_has_its_answer_in_the_session(guest: Guest) -> None:
    for deal, answer in ((ONE_LEFT, "yes"), (TO_AND_FRO, "no")):
        session = done(guest.command(guest.deal(deal), "ask"))
        assert (session.pop("winnable"), session["points"]["assists"]) == (answer, 1)
        assert guest.see(session) == session


@pytest.mark.parametrize("question", QUESTIONS)
def test_a_question_that_is_sent_again_is_answered_in_the_same_bytes(question: str, guest: Guest) -> None:
    session = guest.deal()
    first = guest.command(session, question)
    guest.play(done(first), "b1G")

    assert guest.command(session, question).content == first.content
    assert first.headers["etag"].startswith('"1-')


@pytest.mark.parametrize("question", QUESTIONS)
def test_a_question_names_its_place_and_is_refused_as_a_move_is(question: str, guest: Guest, rival: Guest) -> None:
    session = guest.deal()
    path = f"/v1/sessions/{session['id']}/{question}"

    assert wrong_fields(guest.post(path, {}), 422).keys() == {"at"}
    assert wrong_fields(guest.post(path, {"at": 0, "level": 3}), 422).keys() == {"level"}
    refused(rival.post(path, place(session)), 403, "not_your_seat")
    moved = guest.play(session, "b1G")
    refused(guest.post(path, {"at": 0}), 409, "stale")
    done(guest.post(path, {}, If_Match=f'"1-{moved["crc"]}"'))
    over = done(guest.command(guest.see(session), "resign"))
    refused(guest.command(over, question), 409, "session_over")


def test_whoever_may_see_the_deal_may_ask_without_an_assist(guest: Guest, http: httpx.Client) -> None:
    session = guest.deal(TO_AND_FRO)
    path = f"/v1/sessions/{session['id']}"

    assert done(http.get(f"{path}/winnable")) == {"seq": 0, "crc": "00000000", "winnable": "no"}
    analysis = done(http.get(f"{path}/analysis"))
    assert (analysis["done"], analysis["deal"], analysis["moves"]) == (True, "no", [])
    assert guest.see(session) == session
    for page in ("winnable", "analysis"):
        refused(guest.get(f"/v1/sessions/{guest.deal('secret')['id']}/{page}"), 409, "still_secret")
        closed = guest.deal(spectators=False)
        refused(http.get(f"/v1/sessions/{closed['id']}/{page}"), 403, "not_for_spectators")


@pytest.mark.parametrize(
    ("query", "field"),
    [("from=1", "from"), ("from=-1", "query.from"), ("wait=0", "query.wait"), ("wait=61", "query.wait")],
)
def test_an_analysis_is_asked_for_within_bounds(query: str, field: str, guest: Guest) -> None:
    session = guest.deal(TO_AND_FRO)

    assert wrong_fields(guest.get(f"/v1/sessions/{session['id']}/analysis?{query}"), 400).keys() == {field}


def test_an_analysis_shows_a_win_from_any_move(guest: Guest) -> None:
    session = guest.play(guest.deal(), "b1G", "a2b1")

    analysis = done(guest.get(f"/v1/sessions/{session['id']}/analysis?from=1"))
    assert [move["winnable"] for move in analysis["moves"]] == ["yes", "yes"]
    assert (analysis["winnable_until"], analysis["lost_at"], analysis["line_from"]) == (2, None, 1)
    position = apply(start(parse_deal("pysol:1"), MODERN), parse_move("b1G"), MODERN)
    assert wins(position, MODERN, map(parse_move, analysis["line"]))


def deal(http: httpx.Client, text: str, **query: str | int) -> httpx.Response:
    return http.get(f"/v1/deals/{quote(text, safe='')}", params={key: str(value) for key, value in query.items()})


def test_a_deal_that_is_known_may_be_kept_by_anybody(http: httpx.Client) -> None:
    answer = deal(http, "pysol:1")
    known = done(answer)

    assert (known["deal"], known["rules"], known["winnable"], known["method"]) == ("pysol:1", "modern", "yes", "line")
    assert known["par"] > 0
    assert known["record"].startswith('[Game "British Constitution"]\n[Rules "modern"]\n[Deal "pysol:1"]\n')
    assert answer.headers["cache-control"] == "public, max-age=86400"
    assert deal(http, "pysol:1").content == answer.content


def test_a_position_is_a_deal_too(http: httpx.Client) -> None:
    known = done(deal(http, TO_AND_FRO))

    assert (known["deal"], known["winnable"], known["method"], known["record"]) == (TO_AND_FRO, "no", "proof", None)


def test_a_deal_that_is_still_searched_for_is_not_kept(http: httpx.Client) -> None:
    answer = deal(http, "77", rules="cadogan", wait=0)

    assert (done(answer)["done"], done(answer)["winnable"]) == (False, "unknown")
    assert answer.headers["cache-control"] == "no-store"
    while not (known := done(deal(http, "77", rules="cadogan")))["done"]:
        pass
    assert known["winnable"] == "yes"


@pytest.mark.parametrize(
    ("text", "query", "field"),
    [
        ("random", {}, "deal"),
        ("secret", {}, "deal"),
        ("1/2", {}, "deal"),
        ("1" * 1001, {}, "path.deal"),
        ("1", {"rules": "tidy"}, "rules"),
        ("1", {"wait": -1}, "query.wait"),
    ],
)
def test_what_is_no_deal_is_refused(text: str, query: Json, field: str, http: httpx.Client) -> None:
    assert wrong_fields(deal(http, text, **query), 400).keys() == {field}


def test_a_winnable_session_is_dealt_once_for_a_key(guest: Guest) -> None:
    wish = {"deal": "secret", "winnable": True}
    first, again = (guest.post("/v1/sessions", wish, Idempotency_Key="k") for _ in range(2))

    assert first.status_code == again.status_code == 201
    assert first.content == again.content
    session = first.json()
    assert (session["winnable"], session["deal"]) == ("yes", None)
    assert session["difficulty"] in {"gentle", "steady", "testing", "fierce"}
    assert "difficulty" not in guest.see(session)
    other = guest.post("/v1/sessions", wish | {"difficulty": "steady"}, Idempotency_Key="k")
    refused(other, 422, "idempotency_key_reused")


@pytest.mark.parametrize(
    ("wish", "field"),
    [
        ({"difficulty": "gentle"}, "difficulty"),
        ({"winnable": True, "difficulty": "mild"}, "difficulty"),
        ({"winnable": "yes"}, "winnable"),
        ({"winnable": True, "deal": TO_AND_FRO}, "deal"),
    ],
)
def test_a_wish_that_cannot_be_is_refused(wish: Json, field: str, guest: Guest) -> None:
    assert wrong_fields(guest.post("/v1/sessions", wish), 422).keys() == {field}


def test_a_search_ends_when_its_client_goes_away(service: Running, http: httpx.Client) -> None:
    with asking(service, http.build_request("GET", f"/v1/deals/{HARD}?rules=cadogan-1914&wait=60")):
        pass

    assert done(deal(http, ONE_LEFT))["winnable"] == "yes", "the solver is free"


@pytest.mark.parametrize("question", QUESTIONS)
def test_a_question_that_nobody_waits_for_is_not_counted(
    service: Running, http: httpx.Client, guest: Guest, question: str
) -> None:
    session = guest.deal(HARD, rules="cadogan-1914")
    headers = {"Authorization": f"Bearer {guest.token}"}
    path = f"/v1/sessions/{session['id']}/{question}"

    with asking(service, http.build_request("POST", path, headers=headers, json=place(session))):
        pass
    assert guest.see(session) == session


def test_questions_have_limits_of_their_own() -> None:
    limits = Limits(Rates(hints=Rate(3, 3600.0), analyses=Rate(2, 3600.0)))
    app = create_app(MemoryStore(now, session_ttl=0), cached_sessions=10, limits=limits)
    hooks = {"response": [check_answer]}
    with served(app) as url, httpx.Client(base_url=url, timeout=PATIENCE, event_hooks=hooks) as here:
        guest = Guest(here)
        session = guest.deal(ONE_LEFT)
        path = f"/v1/sessions/{session['id']}"
        asked = [guest.command(session, "hint"), guest.get(f"{path}/winnable"), guest.command(session, "hint")]
        assert [answer.status_code for answer in asked] == [200] * 3
        assert asked[-1].headers["ratelimit-remaining"] == "0"
        refused(guest.command(session, "ask"), 429, "rate_limited")
        looked = [guest.get(f"{path}/analysis"), guest.get("/v1/deals/1"), guest.get("/v1/deals/1")]
        assert [answer.status_code for answer in looked] == [200, 200, 429]
        assert [deal(here, "1").status_code for _ in range(3)] == [200, 200, 429], "of an address"
        drawn = [guest.post("/v1/sessions", {"deal": "1", "winnable": True}) for _ in range(3)]
        assert [answer.status_code for answer in drawn] == [201, 201, 429]
        assert drawn[-1].headers["retry-after"] == "1800"
        assert guest.play(guest.see(session), "a1G")["status"] == "won", "moves are not limited by that"


@contextlib.contextmanager
def asking(service: Running, request: httpx.Request) -> Iterator[None]:
    """A client that is searched for, and goes away at the end of the context, whereupon the search ends."""
    searches = service.app.state.use_cases.deals._solver._searches
    head = "".join(f"{name}: {value}\r\n" for name, value in request.headers.items())
    with socket.create_connection((request.url.host, request.url.port)) as client:
        client.sendall(f"{request.method} {request.url.raw_path.decode()} HTTP/1.1\r\n{head}\r\n".encode())
        client.sendall(request.read())
        until(lambda: len(searches) == 1)
        yield
    until(lambda: not searches)
