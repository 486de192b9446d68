"""What is counted: each number of `/metrics` moves when its thing happens, and by as much."""

import contextlib
from collections.abc import Iterator
from http import HTTPStatus

import httpx
import pytest
from websockets.exceptions import InvalidStatus
from websockets.sync.client import connect
from websockets.typing import Origin

from service.app import create_app
from service.store.memory import MemoryStore
from service.store.redis.store import RedisStore
from service.usecases import keeper
from service.web.limits import Limits
from service.web.rates import Rate, Rates
from tests.conftest import Emptied, now
from tests.live.client import guest as player_at
from tests.live.client import place, watching, welcomed
from tests.servers import Server
from tests.usecases.daily_world import DAY
from tests.web.challenge import challenging
from tests.web.measuring import Meter, numbers
from tests.web.playing import ONE_LEFT, Guest, done, refused
from tests.web.running import Running, running, served, until
from tests.web.test_stream import Stream, streaming


@pytest.fixture
def meter(service: Running, http: httpx.Client) -> Meter:
    """Counts from a first move on: a store that does not know a script yet has its commits sent again."""
    other = Guest(http)
    other.play(other.deal(), "b1G")
    return Meter(service.url)


@contextlib.contextmanager
def limited(limits: Limits) -> Iterator[str]:
    """The URL of a service with these limits."""
    with served(create_app(MemoryStore(now, session_ttl=0), cached_sessions=10, limits=limits)) as url:
        yield url


def test_a_move_is_counted_with_its_commit(meter: Meter, guest: Guest) -> None:
    guest.play(guest.deal(), "b1G", "a2b1")

    assert meter.more("commands_total kind=play outcome=ack") == 2
    for name in ("commit_seconds", "commit_batch_size"):
        assert meter.more(f"{name}_count") == 2
    assert meter.more("commit_batch_size_sum") == 2
    assert 0 < meter.more("commit_seconds_sum") < 2
    assert meter.more("commit_errors_total") == 0


def test_each_kind_of_command_is_counted_by_its_name(meter: Meter, guest: Guest) -> None:
    session = guest.play(guest.deal(), "b1G")
    for kind in ("undo", "redo", "restart", "hint", "ask", "resign"):
        session = done(guest.command(session, kind))
        assert meter.more(f"commands_total kind={kind} outcome=ack") == 1, kind


def test_what_the_rules_refuse_and_what_comes_too_late_are_counted_apart(meter: Meter, guest: Guest) -> None:
    session = guest.deal()
    refused(guest.move(session, "a1G"), 422, "illegal_move")
    guest.play(session, "b1G")
    refused(guest.command(session, "resign"), 409, "stale")

    assert meter.more("commands_total kind=play outcome=refused") == 1
    assert meter.more("commands_total kind=resign outcome=stale") == 1
    assert meter.more("commands_total kind=play outcome=ack") == 1


def test_a_retry_is_an_ack_again_and_no_second_commit(meter: Meter, guest: Guest) -> None:
    session = guest.deal()
    for _ in range(2):
        assert guest.move(session, "b1G").status_code == 200

    assert meter.more("commands_total kind=play outcome=ack") == 2
    assert meter.more("commit_seconds_count") == 1


def test_who_has_no_seat_is_refused_by_either_way_to_the_log(meter: Meter, guest: Guest, rival: Guest) -> None:
    session = guest.deal()
    refused(rival.move(session, "b1G"), 403, "not_your_seat")
    refused(rival.move({**session, "id": "nothing"}, "b1G"), 404, "no_such_session")

    assert meter.more("commands_total kind=play outcome=refused") == 2


async def test_a_commit_that_the_store_does_not_answer_is_an_error_and_its_command_has_failed(
    private_server: Server,
) -> None:
    with running(private_server) as one:
        meter = Meter(one.url)
        async with player_at(one.url) as player:
            session = await player.play(await player.deal(), "b1G")
            async with watching(one.url, session, player) as socket:
                private_server.kill()
                answer = await socket.ask("play", session=session["id"], move="a2b1", **place(session))
        assert answer["code"] == "unavailable"

        assert meter.more("commit_errors_total") == 1
        assert meter.more("commands_total kind=play outcome=failed") == 1
        assert meter.more("commands_total kind=play outcome=ack") == 1
        assert meter.more("commit_seconds_count") == 1


async def test_a_socket_is_counted_and_how_it_came_to_know_its_session(service: Running, meter: Meter) -> None:
    async with player_at(service.url) as player:
        session = await player.deal()
        later = await player.play(session, "b1G")
        async with watching(service.url, later, player):
            assert meter.more("sockets") == 1
            assert meter.more("watchers topic=session") == 1
            assert meter.more("subscriptions_total how=snapshot") == 1
        async with watching(service.url, session, seq=0, crc=session["crc"]):
            assert meter.more("subscriptions_total how=resumed") == 1
        async with watching(service.url, session, seq=1, crc="00000000"):
            assert meter.more("subscriptions_total how=reset") == 1
    meter.until("sockets", 0)
    meter.until("watchers topic=session", 0)


async def test_commands_over_a_socket_are_counted_as_those_over_http(service: Running, meter: Meter) -> None:
    async with player_at(service.url) as player:
        session = await player.deal()
        async with watching(service.url, session, player) as socket:
            named = {"session": session["id"], "at": 0, "crc": session["crc"]}
            assert (await socket.ask("play", move="a1G", **named))["type"] == "refused"
            assert (await socket.ask("play", move="b1G", **named))["type"] == "ack"
            assert (await socket.ask("undo", **named))["type"] == "stale"

    assert meter.more("commands_total kind=play outcome=refused") == 1
    assert meter.more("commands_total kind=play outcome=ack") == 1
    assert meter.more("commands_total kind=undo outcome=stale") == 1


def test_a_stream_is_counted_apart_from_sockets(service: Running, meter: Meter, guest: Guest) -> None:
    session = guest.deal()
    later = guest.play(session, "b1G")
    with streaming(service.url, session) as stream:
        stream.message("snapshot")
        assert meter.more("streams") == 1
        assert meter.more("sockets") == 0
        assert meter.more("subscriptions_total how=snapshot") == 1
    with streaming(service.url, session, after=0) as stream:
        stream.message("event")
        assert meter.more("subscriptions_total how=resumed") == 1
    with streaming(service.url, session, after=later["seq"], crc="00000000") as stream:
        stream.message("reset")
        assert meter.more("subscriptions_total how=reset") == 1
    meter.until("streams", 0)


async def test_what_another_process_commits_is_told_with_a_lag_and_ones_own_is_not(emptied: Emptied) -> None:
    server = emptied("valkey")
    with running(server) as one, running(server) as other:
        here, there = Meter(one.url), Meter(other.url)
        async with player_at(one.url) as player:
            session = await player.deal()
            async with watching(other.url, session) as spectator, watching(one.url, session, player):
                await player.play(session, "b1G", "a2b1")
                await spectator.reach(2)
                assert there.more("fanout_lag_seconds_count") == 2
                assert 0 <= there.more("fanout_lag_seconds_sum") < 2
                assert here.more("fanout_lag_seconds_count") == 0


async def test_a_session_is_kept_in_memory_once(service: Running, meter: Meter) -> None:
    async with player_at(service.url) as player:
        await player.play(await player.deal(), "b1G")
    assert meter.more("cached_sessions") == 1


def test_boards_are_counted_when_they_are_read_and_when_a_change_is_told(emptied: Emptied) -> None:
    board = f"/v1/leaderboards/daily/{DAY}"
    with challenging(emptied("valkey"), DAY) as challenge, challenge.client() as http:
        meter, guest, asked = Meter(challenge.url), Guest(http), {"field": "newcomers"}
        with httpx.stream("GET", f"{challenge.url}{board}/stream", params=asked) as answer:
            stream = Stream(answer)
            stream.blocks(2)
            assert meter.more("watchers topic=board") == 1
            assert meter.more("board_reads_total") == 1
            run = guest.post(f"/v1/daily/{DAY}/run", {}).json()
            done(guest.command(guest.play(run, run["legal"][0]["move"]), "resign"))
            challenge.sweep()
            assert '"size":1' in stream.block()["data"]
            assert meter.more("board_updates_total") == 1
        before = meter.more("board_reads_total")
        assert http.get(board).status_code == 200
        assert meter.more("board_reads_total") == before + 1


def test_a_search_is_counted_by_what_it_found_and_what_is_known_is_no_search(meter: Meter, guest: Guest) -> None:
    for _ in range(2):
        assert guest.command(guest.deal(ONE_LEFT), "hint").status_code == 200

    assert meter.more("searches_total outcome=won") <= 1
    assert meter.more("search_seconds_count") == meter.more("searches_total outcome=won")
    assert meter.more("searches_waiting") == 0


def test_days_that_are_prepared_are_counted_up_to_the_first_gap_and_rounds_by_how_they_ended(
    emptied: Emptied, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(keeper, "ROUND_SECONDS", 0.05)
    with challenging(emptied("valkey"), DAY, DAY._replace(date="2026-12-02")) as challenge:
        assert numbers(challenge.url)["days_prepared rules=modern"] == 1
        challenge.keep(DAY._replace(date="2026-12-01"))
        told = numbers(challenge.url)
        assert told["days_prepared rules=modern"] == 3
        assert told["days_prepared rules=cadogan"] == 0
        assert told["daily_job_runs_total outcome=done"] == 0, "it keeps nothing ahead"
        for rules in ("modern", "cadogan"):
            for date in ("2026-11-30", "2026-12-01"):
                challenge.keep(DAY._replace(date=date, rules=rules))
        app = create_app(
            RedisStore(challenge.store_url, session_ttl=0), cached_sessions=1, clock=challenge.clock, days_ahead=1
        )
        with served(app) as url:
            until(lambda: numbers(url)["daily_job_runs_total outcome=done"] >= 3)
            assert numbers(url)["daily_job_success_timestamp_seconds"] == challenge.clock.time / 1000
            assert numbers(url)["daily_job_runs_total outcome=failed"] == 0


def test_rounds_that_fail_are_counted(private_server: Server, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(keeper, "ROUND_SECONDS", 0.05)
    app = create_app(RedisStore(private_server.url, session_ttl=0), cached_sessions=1, days_ahead=1)
    private_server.kill()
    with served(app) as url:
        until(lambda: numbers(url)["daily_job_runs_total outcome=failed"] >= 2)
        assert numbers(url)["daily_job_success_timestamp_seconds"] == 0


def test_what_comes_too_often_is_counted_over_http_and_over_a_socket_s_opening() -> None:
    with limited(Limits(Rates(reads=Rate(1, 3600.0), requests=Rate(4, 3600.0)))) as url:
        meter = Meter(url)
        for _ in range(3):
            httpx.get(f"{url}/v1/sessions/x")
        assert meter.more("refused_total code=rate_limited") == 2
        httpx.get(f"{url}/v1/sessions/x")
        with pytest.raises(InvalidStatus):
            connect(url.replace("http", "ws") + "/v1/live")
        assert meter.more("refused_total code=rate_limited") == 4
        for _ in range(3):
            numbers(url)
        assert meter.more("refused_total code=rate_limited") == 4, "nobody is kept from measuring"


async def test_what_is_said_too_often_on_a_socket_is_counted_and_is_no_command() -> None:
    with limited(Limits(Rates(commands=Rate(1, 3600.0)))) as url:
        meter = Meter(url)
        async with player_at(url) as player:
            session = await player.deal()
            async with watching(url, session, player) as socket:
                named = {"session": session["id"], "at": 0, "crc": session["crc"]}
                for _ in range(2):
                    await socket.ask("play", move="b1G", **named)
                await socket.say("react", session=session["id"], phrase="thanks")
                assert (await socket.hear())["code"] == "rate_limited"
        assert meter.more("refused_total code=rate_limited") == 2
        assert meter.more("commands_total kind=play outcome=ack") == 1


async def test_sockets_too_many_or_of_a_foreign_page_and_bodies_too_large_are_counted_by_their_codes() -> None:
    with limited(Limits(sockets=1)) as url:
        meter = Meter(url)
        async with welcomed(url):
            with pytest.raises(InvalidStatus):
                connect(url.replace("http", "ws") + "/v1/live")
        with pytest.raises(InvalidStatus):
            connect(url.replace("http", "ws") + "/v1/live", origin=Origin("https://elsewhere.example"))
        async with httpx.AsyncClient(base_url=url) as http:
            refused(await http.post("/v1/players", content=b"x" * 20_000), 413, "too_large")

        for code in ("too_many_sockets", "foreign_origin", "too_large"):
            assert meter.more(f"refused_total code={code}") == 1, code


def test_requests_are_counted_by_the_templates_of_their_paths(service: Running, meter: Meter, guest: Guest) -> None:
    for _ in range(2):
        guest.play(guest.deal(), "b1G")
    for path in ("/v1/sessions/x/y/z", "/made/up", "/wp-login.php"):
        httpx.get(service.url + path)
    httpx.get(f"{service.url}/docs")
    httpx.request("PROPFIND", f"{service.url}/livez")
    httpx.delete(f"{service.url}/livez")

    def answers(method: str, route: str, status: int) -> float:
        return meter.more(f"http_requests_total method={method} route={route} status={status}")

    assert answers("POST", "/v1/sessions/{session}/moves", 200) == 2
    assert answers("POST", "/v1/sessions", 201) == 2
    assert answers("GET", "other", 404) == 3
    assert answers("GET", "pages", 200) == 1
    assert answers("other", "/livez", 405) == 1
    assert answers("DELETE", "/livez", 405) == 1
    assert answers("GET", "/metrics", 200) > 0
    assert meter.more("http_request_seconds_count method=POST route=/v1/sessions/{session}/moves") == 2
    assert meter.more("http_request_seconds_sum method=POST route=/v1/sessions/{session}/moves") > 0


def test_a_mistake_of_ours_is_counted_as_what_it_is_answered_with() -> None:
    app = create_app(MemoryStore(now, session_ttl=0), cached_sessions=1)

    async def broken() -> None:
        raise LookupError("a mistake")

    app.add_api_route("/broken", broken)
    with served(app) as url:
        meter = Meter(url)
        assert httpx.get(f"{url}/broken").status_code == HTTPStatus.INTERNAL_SERVER_ERROR
        assert meter.more("http_requests_total method=GET route=/broken status=500") == 1


async def test_a_consent_is_counted_by_its_name(service: Running, meter: Meter) -> None:
    async with player_at(service.url) as one, player_at(service.url) as two:
        session = await one.deal(mode="free_hands", seats=2)
        joined = f"/v1/sessions/{session['id']}/join"
        assert (await two.http.post(joined, json={"invite": session["invite"]})).is_success
        session = await one.play(session, "b1G")
        named = {"at": session["seq"], "crc": session["crc"], "count": 1}
        answer = await two.http.post(f"/v1/sessions/{session['id']}/consent", json=named)
    assert answer.is_success, answer.text
    assert meter.more("commands_total kind=consent outcome=ack") == 1
