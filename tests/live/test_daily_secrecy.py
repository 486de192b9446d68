"""A day of the challenge from the day before to its end: no byte tells anybody what they may not know yet."""

import asyncio
import contextlib
import logging
import random
from collections.abc import Iterator

import httpx
import pytest

from service.ports.daily import Day
from service.usecases.days import closes, ends, opens
from tests.conftest import Emptied
from tests.live.client import PATIENCE, Message, guest
from tests.live.day_ear import DayEar, Secrets
from tests.live.day_viewer import Viewer
from tests.live.ear import RUN
from tests.usecases.daily_world import DAY, plan, prepared
from tests.usecases.world import Clock
from tests.web.challenge import Challenge, challenging

DAY_MS = 24 * 3_600_000
ALL = 1_000
STEPS = 60
TOLD_BEFORE = {
    *("date", "rules", "number", "difficulty", "opens_at", "closes_at", "ends_at", "late_until"),
    *("commitment", "committed_at"),
}
"""What the page of a day says before it is final."""


class Log(logging.Handler):
    """Every line that the service logs."""

    def __init__(self) -> None:
        super().__init__()
        self.lines: list[str] = []

    def emit(self, record: logging.LogRecord) -> None:
        if not record.name.startswith("http"):  # those of the test's own clients
            self.lines.append(self.format(record))


@pytest.fixture
def log() -> Iterator[Log]:
    root, log = logging.getLogger(), Log()
    before = root.level
    root.addHandler(log)
    root.setLevel(logging.INFO)
    yield log
    root.setLevel(before)
    root.removeHandler(log)


@pytest.fixture
def service(emptied: Emptied) -> Iterator[Challenge]:
    with challenging(emptied("valkey"), DAY, Day(DAY.date, "cadogan")) as started:
        yield started


async def all_is_told(url: str, secrets: Secrets, unread: set[str]) -> None:
    """Asserts that everybody may see all of the day's runs but those that cannot be read, or go on."""
    day, deal = secrets.stored.day, secrets.stored.deal
    async with httpx.AsyncClient(base_url=url, timeout=PATIENCE) as public:
        page = (await public.get(f"/v1/daily/{day}")).json()
        assert (page["deal"], page["par"]) == (deal, secrets.stored.par)
        assert page["record"].count(deal) == 1
        assert page["summary"]["players"] > 1
        for run in secrets.runs - unread:
            session = (await public.get(f"/v1/sessions/{run}")).json()
            assert (session["deal"], session["secret"]) == (deal, False)
            assert f'[Deal "{deal}"]' in (await public.get(f"/v1/sessions/{run}/record")).text.splitlines()
        rows = (await public.get(f"/v1/leaderboards/daily/{day}?field=newcomers")).json()["rows"]
        assert {row["session"] for row in rows} <= secrets.runs


async def the_day_before(viewers: list[Viewer], day: Day) -> None:
    for one in viewers:
        page = (await one.http.get(f"/v1/daily/{day}")).json()
        assert {name for name, value in page.items() if value not in {None, False}} == TOLD_BEFORE
        assert (await one.begin()).status_code in {401, 409}
        assert (await one.http.get(f"/v1/leaderboards/daily/{day}/stream")).status_code == 404
        await one.look(ALL)


async def the_day(viewers: list[Viewer], clock: Clock, chance: random.Random) -> None:
    """Ann plays as the solver would, Bob gives up and plays on, Cem and Fay end nothing, and others look on."""
    ann, bob, cem, fay, *_ = viewers
    line = plan(ann.day)
    for step in range(STEPS):
        clock.time += DAY_MS // STEPS - 1
        for move in line[step * len(line) // STEPS : (step + 1) * len(line) // STEPS]:
            ann.run = await ann.play(ann.run, move)
        await ann.hear_socket()
        await chance.choice([bob, cem, fay]).act()
        if step == STEPS // 2:
            bob.run = await bob.command("resign", bob.run)
        await chance.choice(viewers).blunder()
        await chance.choice(viewers).look(3)
    assert (ann.run["status"], ann.run["deal"]) == ("won", None)
    assert all(RUN < one.ear.left < len(one.ear.stock) for one in (bob, cem))


async def the_grace(viewers: list[Viewer], late: Viewer) -> None:
    assert (await late.begin()).status_code == 201
    for one in viewers:
        if one.run and one.run["status"] != "won":
            await one.act()


@pytest.mark.parametrize(("rules", "seed"), [("modern", 1), ("cadogan", 2), ("modern", 3)])
async def test_no_byte_of_a_day_tells_what_its_reader_may_not_know_yet(
    service: Challenge, log: Log, capfd: pytest.CaptureFixture[str], rules: str, seed: int
) -> None:
    day, chance, clock = Day(DAY.date, rules), random.Random(seed), service.clock
    secrets = Secrets(prepared(day))
    async with contextlib.AsyncExitStack() as stack:
        viewers = [await stack.enter_async_context(Viewer(service.url, secrets, day, chance)) for _ in range(7)]
        _, _, cem, fay, dot, eve, anybody = viewers
        for one in viewers[:-1]:
            await one.sign_up(bot=one is cem)
        clock.time = opens(day.date) - 1
        await the_day_before(viewers, day)

        clock.time = opens(day.date)
        tasks = await stack.enter_async_context(asyncio.TaskGroup())
        for one in viewers[:4]:
            assert (await one.begin()).status_code == 201
            await stack.enter_async_context(one.watch_run())
        streams = [(one, f"/v1/sessions/{one.run['id']}/stream") for one in viewers[:4]]
        streams += [(one, f"/v1/leaderboards/daily/{day}/stream?field=newcomers") for one in (dot, anybody)]
        listening = [tasks.create_task(one.listen(path)) for one, path in streams]
        listening.append(tasks.create_task(dot.watch_boards()))
        await the_day(viewers, clock, chance)
        clock.time = closes(day.date)
        await the_grace(viewers, late=eve)
        log_of_fay = service.log(fay.run["id"])
        service.set_log(fay.run["id"], log_of_fay[:-1] + bytes([log_of_fay[-1] ^ 1]))
        clock.time = ends(day.date)
        for one in viewers:
            await one.look(ALL)
            await one.blunder()
        for task in listening:
            task.cancel()
        assert all(one.told > 1 for one in viewers if one is not eve), "each stream told of changes"

    await asyncio.to_thread(service.close, day)
    await all_is_told(service.url, secrets, {fay.run["id"], eve.run["id"]})
    operator = DayEar(secrets)
    operator.runs, operator.places = secrets.runs, secrets.places
    for text in [*log.lines, *capfd.readouterr()]:
        operator.line(text)
    assert any("does not count" in line for line in log.lines)


async def test_an_ear_would_hear_what_nobody_may_know_of_a_day(service: Challenge) -> None:
    day, chance = DAY, random.Random(1)
    secrets = Secrets(prepared(day))
    async with Viewer(service.url, secrets, day, chance) as ann, Viewer(service.url, secrets, day, chance) as bob:
        for one in (ann, bob):
            await one.sign_up()
            await one.begin()
        run = ann.run = await ann.play(ann.run, *plan(day)[:4])
        first, second = plan(day)[4:6]
        leaks: list[dict[str, object]] = [
            {"deal": secrets.stored.deal},
            {"run": run["id"]},
            {"etag": f'"4-{run["crc"]}"'},
            {"detail": f"play {first}, then {second}"},
            {"line": [{"move": first}, {"move": second}]},
            {"rows": [{"rank": 1, "session": run["id"]}]},
            {"rows": [{"rank": 1, "next": "".join(bob.ear.stock[40:43])}]},
        ]
        for leak in leaks:
            with pytest.raises(AssertionError):
                bob.ear.message(leak)
        for header in ({"x-run": run["id"]}, {"etag": f'"4-{run["crc"]}"'}):
            with pytest.raises(AssertionError):
                bob.ear.answer(httpx.Response(204, headers=header, request=httpx.Request("GET", service.url)))
        ann.ear.message({"run": run["id"], "etag": f'"4-{run["crc"]}"', "move": first})


def first_moves(run: Message) -> set[str]:
    return {move["move"] for move in run["legal"]}


async def test_an_etag_names_what_was_done_on_whatever_deal(service: Challenge) -> None:
    async with guest(service.url) as ann, guest(service.url) as bob:
        one, other = [(await player.http.post(f"/v1/daily/{DAY}/run", json={})).json() for player in (ann, bob)]
        another = await bob.deal("secret")
        while not (shared := first_moves(one) & first_moves(another)):
            another = await bob.deal("secret")
        assert another["rows"] != one["rows"]
        done = [("moves", {"move": min(shared)}), ("undo", {"by": "step"}), ("resign", {})]
        told = []
        for player, run in ((ann, one), (bob, other), (bob, another)):
            path, tags = f"/v1/sessions/{run['id']}", [f'"0-{run["crc"]}"']
            for name, body in done:
                answer = await player.http.post(f"{path}/{name}", json=body, headers={"If-Match": tags[-1]})
                tags.append(answer.headers["etag"])
            told.append(tags)
        assert told[0] == told[1] == told[2]
        assert len({*told[0]}) == len(done) + 1
