"""A row on a board comes from the log of a run, and nothing that anybody sends makes it better than that."""

import random
from collections.abc import Iterator
from typing import Any, NamedTuple

import httpx
import pytest

from service.ports.boards import Result
from tests.conftest import Emptied
from tests.contract.documents import DOCUMENT, operations
from tests.live.today import reckoned
from tests.usecases.daily_world import DAY, plan
from tests.web.challenge import Challenge, challenging
from tests.web.playing import Guest, Json, done, place, refused

RUN = f"/v1/daily/{DAY}/run"
BOARD = f"/v1/leaderboards/daily/{DAY}"
RESULTS = ("score", "points", "rank", "key", "tempo", "assists", "won", "result", "promoted", "seconds", "time")
"""Words that a body would have in a member by which one could say what a run came to."""
HOSTILE = 150
MOVES = 40


@pytest.fixture
def service(emptied: Emptied) -> Iterator[Challenge]:
    with challenging(emptied("valkey"), DAY) as started:
        yield started


class Sent(NamedTuple):
    """A command as it was sent: the session it was for, its name, and its body."""

    session: str
    name: str
    body: Json


def rows(guest: Guest, scope: str = "first") -> list[Json]:
    return list(done(guest.get(f"{BOARD}?view=me&field=newcomers&scope={scope}"))["rows"])


def own_row(guest: Guest, scope: str = "first") -> Json | None:
    return next((row for row in rows(guest, scope) if row["you"]), None)


def agrees(row: Json | None, result: Result | None) -> bool:
    """Whether a row says what a log came to."""
    if row is None or result is None:
        return row is None and result is None
    return all(row[name] == getattr(result, name) for name in ("session", "won", "points", "assists", "promoted"))


# No endpoint takes a score.


def members(schema: Any) -> Iterator[str]:
    """The name of every member that a schema allows, however deep."""
    if isinstance(schema, list):
        schema = dict(enumerate(schema))
    if not isinstance(schema, dict):
        return
    if "$ref" in schema:
        yield from members(DOCUMENT["components"]["schemas"][schema["$ref"].rpartition("/")[2]])
    yield from schema.get("properties", {})
    for part in schema.values():
        yield from members(part)


def test_no_request_has_a_place_for_what_a_run_came_to() -> None:
    bodies = {
        where: {*members(operation["requestBody"]["content"])}
        for where, operation in operations(DOCUMENT).items()
        if "requestBody" in operation
    }
    assert bodies["/v1/sessions/{session}/moves", "post"] >= {"move", "at", "crc"}
    assert bodies["/v1/daily/{date}/{rules}/run", "post"] == {"kind", "timed"}
    for where, names in bodies.items():
        assert not {word for name in names for word in name.split("_")} & {*RESULTS}, where
    for operation in operations(DOCUMENT).values():
        asked = {one["name"] for one in operation.get("parameters", ()) if one["in"] == "query"}
        assert not asked & {*RESULTS}


def test_nothing_writes_to_a_board() -> None:
    for path, method in operations(DOCUMENT):
        assert method == "get" or "leaderboards" not in path


@pytest.mark.parametrize("name", RESULTS)
def test_a_request_that_claims_a_result_is_refused(guest: Guest, name: str) -> None:
    refused(guest.post(RUN, {name: 9_000}), 422, "bad_request")
    session = guest.post(RUN, {}).json()
    for command, body in {"moves": {"move": plan()[0]}, "resign": {}, "undo": {}}.items():
        refused(guest.command(session, command, **body, **{name: 9_000}), 422, "bad_request")
    assert guest.see(session)["seq"] == 0


# Requests that are replayed, reordered, doubled and edited.


class Forger:
    """Sends what it has seen sent again, as it was or changed, by whoever it has the token of."""

    def __init__(self, chance: random.Random, players: list[Guest], sessions: list[str]) -> None:
        self._chance, self._players, self._sessions = chance, players, sessions
        self.tape: list[Sent] = []
        self.statuses: set[int] = set()

    def forge(self, count: int) -> None:
        for _ in range(count):
            sent = self._changed(self._chance.choice(self.tape))
            for _ in range(self._chance.choice((1, 1, 2))):
                player = self._chance.choice(self._players)
                answer = player.post(f"/v1/sessions/{sent.session}/{sent.name}", sent.body)
                self.statuses.add(answer.status_code)

    def _changed(self, sent: Sent) -> Sent:
        session, body, chance = sent.session, dict(sent.body), self._chance
        match chance.choice(("as it was", "place", "checksum", "no checksum", "move", "session")):
            case "place":
                body["at"] = max(0, body["at"] + chance.choice((-1, 1, 5)))
            case "checksum":
                body["crc"] = f"{chance.randrange(1 << 32):08x}"
            case "no checksum":
                del body["crc"]
            case "move" if "move" in body:
                body["move"] = chance.choice(plan())
            case "session":
                session = chance.choice(self._sessions)
                body = {name: value for name, value in body.items() if name != "crc"}
        return Sent(session, sent.name, body)


def played(service: Challenge, guest: Guest, run: Json, forger: Forger, chance: random.Random) -> bytes:
    """Plays a run to its end among forged requests, and tells its log then."""
    path = f"/v1/sessions/{run['id']}"
    for _ in range(MOVES):
        seen = guest.see(run)
        moves = [legal["move"] for legal in seen["legal"]]
        command: tuple[str, Json] = ("moves", {"move": chance.choice(moves)}) if moves else ("undo", {"by": "step"})
        if seen["can_undo"] and chance.random() < 0.1:
            command = ("undo", {"by": chance.choice(("step", "group"))})
        name, body = command[0], command[1] | place(seen)
        assert guest.post(f"{path}/{name}", body).is_success
        forger.tape.append(Sent(run["id"], name, body))
        forger.forge(1)
    body = place(guest.see(run))
    done(guest.post(f"{path}/resign", body))
    forger.tape.append(Sent(run["id"], "resign", body))
    return service.log(run["id"])


@pytest.mark.parametrize("seed", range(3))
def test_a_row_is_what_the_log_says_whatever_is_sent_again_or_changed(
    service: Challenge, guest: Guest, rival: Guest, seed: int
) -> None:
    chance = random.Random(seed)
    run, other = (player.post(RUN, {}).json() for player in (guest, rival))
    forger = Forger(chance, [guest, rival], [run["id"], other["id"], guest.deal()["id"]])
    log = played(service, guest, run, forger, chance)
    service.sweep()
    first = own_row(guest)
    assert first
    assert agrees(first, reckoned(service.redis, run["id"], DAY.rules))

    forger.forge(HOSTILE)
    assert forger.statuses >= {200, 403, 409}
    for step in (service.sweep, service.recompute, service.close):
        step()
        assert own_row(guest) == first
        assert service.log(run["id"]) == log
    assert agrees(own_row(rival), reckoned(service.redis, other["id"], DAY.rules))


# One player, one first run.


def test_no_idempotency_key_and_no_second_device_makes_another_first_run(
    service: Challenge, http: httpx.Client
) -> None:
    made = http.post("/v1/players").json()
    token = http.post("/v1/players/recover", json={"recovery_code": made["recovery_code"]}).json()["token"]
    headers = [{"Authorization": f"Bearer {one}"} for one in (made["token"], token)]
    headers += [one | {"Idempotency-Key": key} for one in headers for key in ("a", "b")]
    begun = [http.post(RUN, json={}, headers=one).json()["id"] for one in headers]
    assert len({*begun}) == 1
    done(http.post(f"/v1/sessions/{begun[0]}/resign", json={"at": 0}, headers=headers[0]))
    for one in headers:
        refused(http.post(RUN, json={}, headers=one), 409, "run_over")


def test_open_runs_leave_the_first_board_as_it_is(service: Challenge, guest: Guest) -> None:
    first = guest.post(RUN, {}).json()
    done(guest.command(guest.play(first, *plan()[:20]), "resign"))
    service.sweep()
    row = own_row(guest)
    best = guest.play(guest.post(RUN, {"kind": "open"}).json(), *plan())
    assert best["status"] == "won"
    for step in (service.sweep, service.recompute, service.close):
        step()
        assert own_row(guest) == row
        assert agrees(own_row(guest, "open"), reckoned(service.redis, best["id"], DAY.rules))


def test_a_timed_run_is_on_the_speed_board_only_if_that_was_said_when_it_began(
    service: Challenge, guest: Guest
) -> None:
    run = guest.post(RUN, {}).json()
    assert guest.post(RUN, {"timed": True}).json()["id"] == run["id"]
    done(guest.move(guest.play(run, *plan()[:-1]), plan()[-1]))
    service.close()
    assert own_row(guest)
    assert own_row(guest, "speed") is None


def test_time_that_a_client_claims_is_no_time(service: Challenge, guest: Guest) -> None:
    run = guest.post(RUN, {"timed": True}).json()
    service.clock.time += 60_000
    for number, move in enumerate(plan()):
        date = {"Date": "Mon, 30 Nov 2026 00:00:00 GMT"}
        done(guest.post(f"/v1/sessions/{run['id']}/moves", {"move": move, "at": number}, **date))
    service.close()
    row = own_row(guest, "speed")
    assert row
    assert row["seconds"] == 60
