"""The door: questions for the solver are begun one by one, and whoever moves does not wait for them."""

import asyncio

import pytest
from starlette.types import Message, Receive, Scope, Send

from service.telemetry.meters import Meters
from service.web.door import PAUSE_SECONDS, WAITING, Door

HINT = "/v1/sessions/x/hint"
FOR_THE_SOLVER = (HINT, "/v1/sessions/x/ask", "/v1/sessions/x/winnable", "/v1/sessions/x/analysis", "/v1/deals/42")
CLOCK_ERROR = 0.001  # seconds
OTHERS = ("/v1/sessions/x/moves", "/v1/sessions/x", "/v1/sessions", "/v1/players", "/docs")


class Inside:
    """An application that notes when a request to which path is begun, and answers nothing."""

    def __init__(self) -> None:
        self.begun: list[tuple[str, float]] = []

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        self.begun.append((scope["path"], asyncio.get_running_loop().time()))

    @property
    def paths(self) -> list[str]:
        return [path for path, _ in self.begun]


class Come:
    """Requests that come to a door, and what they are answered by it."""

    def __init__(self, door: Door) -> None:
        self._door = door
        self.answers: list[Message] = []
        self.tasks: list[asyncio.Task[None]] = []

    def __call__(self, path: str, kind: str = "http") -> "asyncio.Task[None]":
        task = asyncio.create_task(self._door({"type": kind, "path": path}, self._receive, self._send))
        self.tasks.append(task)
        return task

    async def _receive(self) -> Message:
        raise AssertionError("nothing of a request is read at the door")

    async def _send(self, message: Message) -> None:
        self.answers.append(message)


@pytest.fixture
def inside() -> Inside:
    return Inside()


@pytest.fixture
def come(inside: Inside) -> Come:
    return Come(Door(inside, Meters()))


async def test_questions_are_begun_one_by_one_in_order(come: Come, inside: Inside) -> None:
    now = asyncio.get_running_loop().time
    come_at = now()
    await asyncio.gather(*map(come, FOR_THE_SOLVER))

    assert inside.paths == list(FOR_THE_SOLVER)
    for pauses, (_, begun_at) in enumerate(inside.begun):
        assert begun_at - come_at > pauses * PAUSE_SECONDS - CLOCK_ERROR


async def test_all_others_pass_those_who_wait(come: Come, inside: Inside) -> None:
    questions = [come(HINT) for _ in range(3)]
    others = [come(path) for path in OTHERS]
    await asyncio.gather(*others, come("/v1/sessions/x/live", "websocket"))

    assert inside.paths == [HINT, *OTHERS, "/v1/sessions/x/live"]
    await asyncio.gather(*questions)
    assert inside.paths[-2:] == [HINT, HINT]


async def test_who_comes_when_too_many_wait_is_told_when_to_try_again(come: Come, inside: Inside) -> None:
    waiting = [come(HINT) for _ in range(1 + WAITING)]
    await come(HINT)

    start, _ = come.answers
    assert (start["status"], (b"retry-after", b"1") in start["headers"]) == (503, True)
    assert inside.paths == [HINT]
    for one in waiting:
        one.cancel()
    await asyncio.gather(*waiting, return_exceptions=True)


async def test_who_goes_away_makes_room(come: Come, inside: Inside) -> None:
    waiting = [come(HINT) for _ in range(1 + WAITING)]
    await asyncio.sleep(0)
    for one in waiting[1:]:
        one.cancel()
    await asyncio.gather(*waiting, return_exceptions=True)
    await come(HINT)

    assert not come.answers
    assert inside.paths == [HINT, HINT]
