"""How often things may be done: who is counted together, what is answered, and what counting costs."""

import contextlib
import dataclasses
import itertools
import json
import time
from collections.abc import Callable, Iterator
from http import HTTPStatus
from random import Random

import httpx
import pytest
from websockets.exceptions import InvalidStatus
from websockets.sync.client import connect

from service.app import create_app
from service.store.memory import MemoryStore
from service.web.limits import Limits
from service.web.rates import MAX_KEYS, Rate, Rates, address_of
from tests.conftest import now
from tests.contract.documents import check_answer
from tests.web.playing import Guest, refused
from tests.web.running import PATIENCE, served

Open = Callable[..., Callable[..., httpx.Client]]
SCHEMES = (b"Bearer ", b"bearer ", b"BEARER  ", b"Bearer \xa0")
LIMITED = ("ratelimit-limit", "ratelimit-remaining", "ratelimit-reset")


class HandClock:
    """A clock that a test turns."""

    def __init__(self) -> None:
        self.time = 1_234_567.891  # no power of two, so that sums are rounded as those of real times are

    def __call__(self) -> float:
        return self.time


@pytest.fixture
def clock() -> HandClock:
    return HandClock()


def of(answer: httpx.Response) -> tuple[int, ...]:
    """What the answer says of its limit: how often at once, how often now, and when as often again."""
    return tuple(int(answer.headers[name]) for name in LIMITED)


@pytest.fixture
def limited() -> Iterator[Open]:
    """Starts a service with some rates, and answers with what makes its clients, each from an address."""
    with contextlib.ExitStack() as stack:

        def opened(**rates: Rate) -> Callable[..., httpx.Client]:
            app = create_app(MemoryStore(now, session_ttl=0), cached_sessions=10, limits=Limits(Rates(**rates)))
            url = stack.enter_context(served(app))

            def client(address: str = "127.0.0.1") -> httpx.Client:
                transport = httpx.HTTPTransport(local_address=address)
                hooks = {"response": [check_answer]}
                return stack.enter_context(
                    httpx.Client(base_url=url, transport=transport, timeout=PATIENCE, event_hooks=hooks)
                )

            return client

        yield opened


def test_a_rate_lets_all_through_at_once_and_then_one_at_a_time(clock: HandClock) -> None:
    rate = Rate(4, 60.0, clock)

    def take(times: int) -> list[float]:
        return [round(rate.take("me"), 6) for _ in range(times)]

    assert take(6) == [0.0, 0.0, 0.0, 0.0, 15.0, 15.0], "a refusal counts for nothing"
    clock.time += 5
    assert take(1) == [10.0]
    clock.time += 10
    assert take(2) == [0.0, 15.0]
    clock.time += 60
    assert take(5) == [0.0, 0.0, 0.0, 0.0, 15.0]


@pytest.mark.parametrize("limit", [1, 3, 7, 1000])
def test_all_that_a_limit_says_may_be_done_at_once_at_any_time(limit: int, clock: HandClock) -> None:
    rate = Rate(limit, 3600.0, clock)
    for key in range(100):
        clock.time += 0.1
        assert [rate.take(key) for _ in range(limit)] == [0.0] * limit
        assert rate.take(key) > 0


def test_a_rate_tells_what_is_left_and_when_all_is_back(clock: HandClock) -> None:
    rate = Rate(4, 60.0, clock)
    told = []
    for seconds in (0, 0, 10, 0, 0, 100):
        clock.time += seconds
        rate.take("me")
        told.append(" ".join(rate.headers("me").values()))

    assert told == ["4 3 15", "4 2 30", "4 1 35", "4 0 50", "4 0 50", "4 3 15"]


def test_a_limit_of_0_is_none_and_keeps_nothing(clock: HandClock) -> None:
    rate = Rate(0, 60.0, clock)

    assert {rate.take("me") for _ in range(1000)} == {0.0}
    assert rate.headers("me") == {}
    assert not rate._back_at


@pytest.mark.parametrize("seed", range(20))
def test_what_a_rate_forgets_in_time_makes_no_difference(seed: int, clock: HandClock) -> None:
    chance = Random(seed)
    limit, seconds = chance.randint(1, 4), 8.0
    rate = Rate(limit, seconds, clock)
    back_at: dict[str, float] = {}
    for _ in range(500):
        clock.time += chance.randint(0, 3)
        key = chance.choice("abc")
        would_be = max(clock.time, back_at.get(key, 0.0)) + seconds / limit
        wait = would_be - clock.time - seconds
        if wait < 1e-3:
            back_at[key] = would_be
        assert rate.take(key) == pytest.approx(max(0.0, wait), abs=1e-3)


def test_a_rate_forgets_whoever_does_nothing_any_more(clock: HandClock) -> None:
    rate = Rate(10, 60.0, clock)
    rate.take("gone")
    for _ in range(2):
        clock.time += 61
        rate.take("here")

    assert {*rate._back_at, *rate._older} == {"here"}


def test_a_rate_holds_no_more_keys_than_it_says_and_the_latest_of_them(clock: HandClock) -> None:
    rate = Rate(1, 3600.0, clock)
    for key in range(3 * MAX_KEYS):
        rate.take(key)

    assert len(rate._back_at) + len(rate._older) <= 2 * MAX_KEYS
    assert rate.take(3 * MAX_KEYS - 1) > 0
    assert rate.take(2 * MAX_KEYS) > 0


@pytest.mark.parametrize(
    ("method", "path", "rate"),
    [
        ("POST", "/v1/players", "players"),
        ("POST", "/v1/players/recover", "recoveries"),
        ("PATCH", "/v1/players/me", "commands"),
        ("GET", "/v1/players/me", "reads"),
        ("POST", "/v1/sessions", "sessions"),
        ("POST", "/v1/tickets", "tickets"),
        ("POST", "/v1/sessions/a/moves", "commands"),
        ("POST", "/v1/sessions/a/undo", "commands"),
        ("POST", "/v1/sessions/a/hint", "hints"),
        ("POST", "/v1/sessions/a/ask", "hints"),
        ("GET", "/v1/sessions/a/winnable", "hints"),
        ("GET", "/v1/sessions/a/analysis", "analyses"),
        ("GET", "/v1/deals/1", "analyses"),
        ("DELETE", "/v1/anything/else", "commands"),
        ("GET", "/v1/sessions", "reads"),
        ("GET", "/v1/sessions/a", "reads"),
        ("HEAD", "/v1/sessions/a/record", "reads"),
        ("GET", "/v1/sessions/a/history", "reads"),
        ("GET", "/v1/sessions/a/events", "polls"),
        ("GET", "/v1/sessions/a/stream", "polls"),
    ],
)
def test_each_kind_of_request_has_its_rate(method: str, path: str, rate: str) -> None:
    rates = Rates(**{field.name: Rate(1, 1.0) for field in dataclasses.fields(Rates)})

    assert rates.of(method, path) is getattr(rates, rate)


@pytest.mark.parametrize(
    ("client", "address"),
    [
        (("192.0.2.7", 5000), "192.0.2.7"),
        (("2001:db8:1:2:3:4:5:6", 5000), "2001:db8:1:2::/64"),
        (("2001:db8:1:2::ffff", 5000), "2001:db8:1:2::/64"),
        (("fe80::1%eth0", 5000), "fe80::/64"),
        (("::ffff:192.0.2.7", 5000), "192.0.2.7"),
        (("somebody", 0), "somebody"),
        (("x" * 10_000, 0), "x" * 64),
        (None, ""),
    ],
)
def test_an_address_is_the_peers_and_of_ipv6_that_of_its_home(client: tuple[str, int] | None, address: str) -> None:
    assert address_of({"type": "http", "client": client}) == address


def test_who_makes_players_too_fast_is_told_how_long_to_wait_and_may_then_go_on(limited: Open) -> None:
    http = limited(players=Rate(3, 3.0))()
    answers = [http.post("/v1/players") for _ in range(4)]

    assert [answer.status_code for answer in answers] == [201, 201, 201, 429]
    assert [of(answer)[0] for answer in answers] == [3, 3, 3, 3]
    assert of(answers[0])[1:] == (2, 1)
    refusal = answers[-1]
    assert of(refusal)[1:] == (0, 3)
    assert refused(refusal, 429, "rate_limited") == {
        "type": "urn:british-constitution:problem:rate_limited",
        "title": "Too Many Requests",
        "status": 429,
        "detail": "That is too often; it may be done again in 1 s.",
        "code": "rate_limited",
    }
    assert refusal.headers["retry-after"] == "1"

    time.sleep(int(refusal.headers["retry-after"]))
    assert http.post("/v1/players").status_code == 201


def test_two_addresses_are_counted_apart(limited: Open) -> None:
    client = limited(players=Rate(1, 3600.0))
    one, two = client("127.0.0.1"), client("127.0.0.2")

    assert [http.post("/v1/players").status_code for http in (one, two, one, two)] == [201, 201, 429, 429]


def test_two_players_at_one_address_are_counted_apart_and_one_at_two_addresses_is_not(limited: Open) -> None:
    client = limited(commands=Rate(2, 3600.0))
    here, there = client("127.0.0.1"), client("127.0.0.2")
    one, two = Guest(here), Guest(here)
    session, other = one.deal(), two.deal()

    assert one.move(session, "b1G").status_code == 200
    there.headers["Authorization"] = f"Bearer {one.token}"
    path, place = f"/v1/sessions/{session['id']}/undo", {"at": 1}
    assert [there.post(path, json=place).status_code for _ in range(2)] == [200, 429]
    refused(one.move(session, "b1G"), 429, "rate_limited")
    assert two.move(other, "b1G").status_code == 200


def test_who_has_no_token_is_counted_by_the_address(limited: Open) -> None:
    client = limited(reads=Rate(2, 3600.0))
    here, there = client("127.0.0.1"), client("127.0.0.2")
    session = Guest(here).deal()
    path = f"/v1/sessions/{session['id']}"

    assert [here.get(path).status_code for _ in range(3)] == [200, 200, 429]
    assert there.get(path).status_code == 200


def test_tokens_that_are_made_up_do_not_help(limited: Open) -> None:
    http = limited(reads=Rate(100, 3600.0), requests=Rate(5, 3600.0))()
    answers = [http.get("/v1/sessions", headers={"Authorization": f"Bearer {number}"}) for number in range(6)]

    assert [answer.status_code for answer in answers] == [401] * 5 + [429]
    assert [of(answer)[0] for answer in answers] == [100] * 5 + [5]


def test_a_player_is_counted_once_however_the_scheme_is_written(limited: Open) -> None:
    http = limited(reads=Rate(2, 3600.0))()
    token = Guest(http).token.encode()
    answers = [http.get("/v1/sessions", headers={b"Authorization": before + token}) for before in SCHEMES]

    assert [answer.status_code for answer in answers] == [200, 200, 429, 429]


def test_players_are_made_from_an_address_whatever_token_comes_along(limited: Open) -> None:
    http = limited(players=Rate(1, 3600.0))()
    answers = [http.post("/v1/players", headers={"Authorization": f"Bearer {number}"}) for number in range(2)]

    assert [answer.status_code for answer in answers] == [201, 429]


def test_recovery_codes_are_tried_from_an_address_whatever_token_comes_along(limited: Open) -> None:
    client = limited(recoveries=Rate(2, 3600.0))
    here, there = client("127.0.0.1"), client("127.0.0.2")
    tried = [
        http.post("/v1/players/recover", json={"recovery_code": "x"}, headers={"Authorization": f"Bearer {number}"})
        for number, http in enumerate((here, here, here, there))
    ]

    assert [answer.status_code for answer in tried] == [401, 401, 429, 401]


def test_probes_pages_and_preflights_are_never_refused(limited: Open) -> None:
    http = limited(requests=Rate(1, 3600.0), reads=Rate(1, 3600.0))()
    http.get("/v1/sessions/none")
    asked = {"Origin": "https://example.com", "Access-Control-Request-Method": "POST"}

    for path in ("/livez", "/readyz", "/docs", "/openapi.json"):
        answers = [http.get(path) for _ in range(3)]
        assert {answer.status_code for answer in answers} == {200}
        assert not set(LIMITED) & set(answers[0].headers)
    assert http.options("/v1/players", headers=asked).status_code == 200
    refused(http.get("/v1/sessions/none"), 429, "rate_limited")


def test_a_socket_counts_as_a_request_of_its_address(limited: Open) -> None:
    http = limited(requests=Rate(1, 3600.0))()
    http.get("/v1/sessions/none")

    with pytest.raises(InvalidStatus) as refusal:
        connect(str(http.base_url.copy_with(scheme="ws", path="/v1/live")))
    response = refusal.value.response
    assert response.status_code == HTTPStatus.TOO_MANY_REQUESTS
    assert response.headers["retry-after"] == "3600"
    assert json.loads(response.body)["code"] == "rate_limited"


def test_a_browser_may_read_a_refusal(limited: Open) -> None:
    http = limited(players=Rate(1, 3600.0))()
    *_, refusal = (http.post("/v1/players", headers={"Origin": "https://example.com"}) for _ in range(2))

    assert refusal.status_code == HTTPStatus.TOO_MANY_REQUESTS
    assert refusal.headers["access-control-allow-origin"] == "*"
    exposed = refusal.headers["access-control-expose-headers"].lower().split(", ")
    assert {"retry-after", *LIMITED} <= set(exposed)


def test_a_refusal_leaves_the_connection_usable_also_where_a_body_was_not_read(limited: Open) -> None:
    http = limited(commands=Rate(1, 3600.0))()
    guest = Guest(http)
    session = guest.deal()
    bodies = itertools.repeat({"move": "x" * 10_000, "at": 0}, 3)

    statuses = [guest.post(f"/v1/sessions/{session['id']}/moves", body).status_code for body in bodies]
    assert statuses == [422, 429, 429]
    assert guest.see(session) == session
