"""A rival and a stranger try to reach the run of another, by every way there is, until the day is final."""

import contextlib
from collections.abc import AsyncIterator, Iterator
from typing import Any, NamedTuple

import httpx
import pytest

from service.usecases.closing import MARGIN_MS
from service.usecases.days import closes, ends
from tests.conftest import Emptied
from tests.live.client import PATIENCE, Guest, Message, bearer, guest, opened, place, resume, topic, welcomed
from tests.live.ear import parts
from tests.usecases.daily_world import DAY, plan
from tests.web.challenge import Challenge, challenging

MOVES = 10
TELLING = {"rows", "piles", "legal", "points", "seq", "crc", "moves", "line", "deal"}
"""Members that would tell something of a run."""
WHEN = {"in the day": 0, "in the grace": closes(DAY.date) + 1, "before it is final": ends(DAY.date) + MARGIN_MS - 1}


@pytest.fixture
def service(emptied: Emptied) -> Iterator[Challenge]:
    with challenging(emptied("valkey"), DAY) as started:
        yield started


class Target(NamedTuple):
    """A run that is attacked, the player it belongs to, and the last move made in it."""

    run: Message
    owner: Guest
    last: str


@contextlib.asynccontextmanager
async def attacked(service: Challenge, when: str, is_over: bool) -> AsyncIterator[tuple[Target, Guest]]:
    """Ann's run, over or not, and a rival who has a run of the same day."""
    async with guest(service.url) as ann, guest(service.url) as bob:
        run = (await ann.http.post(f"/v1/daily/{DAY}/run", json={})).json()
        await bob.http.post(f"/v1/daily/{DAY}/run", json={})
        run = await ann.play(run, *plan()[:MOVES])
        if is_over:
            run = await ann.command("resign", run)
        service.clock.time = max(service.clock.time, WHEN[when])
        path = f"/v1/sessions/{run['id']}"
        before = (await ann.http.get(path)).text
        yield Target(run, ann, plan()[MOVES - 1]), bob
        assert (await ann.http.get(path)).text == before, "nothing has changed for its player"


def stranger(url: str) -> httpx.AsyncClient:
    return httpx.AsyncClient(base_url=url, timeout=PATIENCE)


def tells_nothing(message: Any) -> bool:
    return not any(TELLING & {*part} for part in parts(message))


def refused(answer: httpx.Response, *codes: str) -> bool:
    """Whether it is a refusal with one of these codes that tells nothing of a run."""
    return "etag" not in answer.headers and answer.json()["code"] in codes and tells_nothing(answer.json())


times = pytest.mark.parametrize(
    ("when", "is_over"), [(when, is_over) for when in WHEN for is_over in (False, True)], ids=str
)


@times
async def test_nobody_else_reads_a_run_over_http(service: Challenge, when: str, is_over: bool) -> None:
    async with (
        attacked(service, when, is_over) as ((run, _, _), bob),
        httpx.AsyncClient(base_url=service.url) as public,
    ):
        seq, crc = run["seq"], run["crc"]
        pages = ["", "/record", "/winnable", "/analysis", "/analysis?from=0", "/stream"]
        pages += [f"/events?after={after}" for after in (0, seq, seq + 1)]
        pages += [f"/{page}?after={seq}&crc={known}" for page in ("events", "stream") for known in (crc, "00000000")]
        tags: list[dict[str, str]] = [{}, {"If-None-Match": "*"}, {"If-None-Match": f'"{seq}-{crc}"'}]
        tags += [{"Last-Event-ID": f"{seq}-{crc}"}]
        for client in (bob.http, public):
            for page in pages:
                for headers in tags:
                    answer = await client.get(f"/v1/sessions/{run['id']}{page}", headers=headers)
                    assert refused(answer, "not_for_spectators"), (page, answer.text)
        ticket = await bob.ticket()
        assert refused(await public.get(f"/v1/sessions/{run['id']}/stream?ticket={ticket}"), "not_for_spectators")
        assert run["id"] not in (await bob.http.get("/v1/sessions")).text


@times
async def test_nobody_else_does_anything_in_a_run_over_http(service: Challenge, when: str, is_over: bool) -> None:
    async with (
        attacked(service, when, is_over) as ((run, _, last), bob),
        httpx.AsyncClient(base_url=service.url) as public,
    ):
        places: list[Message] = [{"at": 0}, place(run), {"at": MOVES - 1}, place(run) | {"crc": "00000000"}]
        commands: dict[str, Message] = {"moves": {"move": last}, "consent": {"count": 1}}
        for name in ("moves", "undo", "redo", "restart", "resign", "consent", "hint", "ask"):
            for at in places:
                body = commands.get(name, {}) | at
                path = f"/v1/sessions/{run['id']}/{name}"
                assert refused(await bob.http.post(path, json=body), "not_your_seat")
                assert refused(await public.post(path, json=body), "unauthorised")
        for name, body in {"join": {"invite": "7KQ2M-9XV"}, "leave": {}}.items():
            path = f"/v1/sessions/{run['id']}/{name}"
            assert refused(await bob.http.post(path, json=body), "wrong_invite", "not_your_seat", "solo_session")
            assert refused(await public.post(path, json=body), "unauthorised")


@times
async def test_nobody_else_is_told_of_a_run_or_plays_in_it_by_a_socket(
    service: Challenge, when: str, is_over: bool
) -> None:
    async with attacked(service, when, is_over) as ((run, _, last), bob):
        places: list[Message] = [{}, resume(run), {"seq": 0}, resume(run) | {"crc": "00000000"}]
        for player in (bob, None):
            for at in places:
                async with opened(service.url, run["id"], additional_headers=bearer(player)) as socket:
                    await socket.say("hello", v=1, **at)
                    (welcome, bye), _ = await socket.farewell()
                assert (welcome["type"], bye) == ("welcome", {"type": "bye", "code": "forbidden", "retry_ms": None})
                assert tells_nothing(welcome)
            async with welcomed(service.url, player) as socket:
                for at in places:
                    await socket.say("sub", topic=topic(run), **at)
                    told = await socket.hear()
                    assert (told["type"], told["code"], tells_nothing(told)) == ("refused", "not_for_spectators", True)
                commands: dict[str, Message] = {"play": {"move": last}, "undo": {}, "redo": {}, "consent": {"count": 1}}
                for kind, body in commands.items():
                    told = await socket.ask(kind, session=run["id"], **place(run), **body)
                    assert (told["type"], told["code"], tells_nothing(told)) == ("refused", "not_your_seat", True)
                await socket.say("react", session=run["id"], phrase="well_played")
                told = await socket.hear()
                assert (told["type"], socket.presence) == ("refused", {})


@times
async def test_a_run_stays_sealed_for_its_own_player(service: Challenge, when: str, is_over: bool) -> None:
    async with attacked(service, when, is_over) as ((run, ann, _), _):
        path = f"/v1/sessions/{run['id']}"
        for page in ("/record", "/winnable", "/analysis"):
            assert refused(await ann.http.get(path + page), "still_secret")
        seen = (await ann.http.get(path)).json()
        assert (seen["deal"], seen["secret"], seen["spectators"]) == (None, True, False)
        (listed,) = (await ann.http.get("/v1/sessions")).json()["sessions"]
        assert (listed["id"], listed["deal"], listed["secret"]) == (run["id"], None, True)
        async with welcomed(service.url, ann) as socket:
            await socket.say("sub", topic=topic(run), winnable=True)
            assert (await socket.hear())["code"] == "still_secret"
        again = await ann.http.post(f"/v1/daily/{DAY}/run", json={})
        assert (again.status_code == 200) == (not is_over and when != "before it is final")
        assert again.json().get("deal") is None
