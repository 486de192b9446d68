"""Hears every byte that one viewer of a day's challenge is sent, also of runs that are not theirs."""

import re
from dataclasses import dataclass, field
from typing import Any

import httpx

from service.ports.daily import StoredDay
from tests.live.ear import Ear, parts, values

MOVE = re.compile("(?<![0-9A-Za-z])(?:(?:[a-h][1-4]|W)(?:[a-h][1-4]|G)|S)(?![0-9A-Za-z])")
CHECKSUM = re.compile("(?<![0-9A-Za-z])[0-9a-f]{8}(?![0-9A-Za-z])")
STEPS = 2
"""Moves of the solver's line in its order that are no accident; a hint may tell one."""


@dataclass(frozen=True)
class Secrets:
    """What there is to be kept of a day: `runs` and `places` (by their checksums) are all that anybody was told of."""

    stored: StoredDay
    runs: set[str] = field(default_factory=set)
    places: set[str] = field(default_factory=set)

    @property
    def steps(self) -> list[list[str]]:
        """What follows upon each other in the solver's line, but turns, of which a hint says twice that it is one."""
        line = self.stored.plan.split()
        return [line[at : at + STEPS] for at in range(len(line) - STEPS + 1) if {*line[at : at + STEPS]} != {"S"}]


class DayEar(Ear):
    """One viewer's: objects also to the solver's line, and to any run or place but the viewer's own."""

    def __init__(self, secrets: Secrets) -> None:
        super().__init__(secrets.stored.deal, secrets.stored.day.rules, secret=True)
        self._secrets = secrets
        self.runs: set[str] = set()
        self.places: set[str] = set()

    def answer(self, answer: httpx.Response) -> None:
        if answer.is_success and answer.request.url.path.endswith("/run"):
            self.runs.add(answer.json()["id"])
            self._secrets.runs.update(self.runs)
        if "json" in answer.headers.get("content-type", ""):
            self._learn(answer.json())  # whose checksum is in the headers too
        super().answer(answer)

    def line(self, text: str) -> None:
        """Hears a line of text."""
        self._hear(text, None)

    def _hear(self, text: str, message: Any) -> None:
        super()._hear(text, message)
        self._learn(message)
        assert not [run for run in self._secrets.runs - self.runs if run in text]
        assert not set(CHECKSUM.findall(text)) & (self._secrets.places - self.places)
        said = MOVE.findall(text if message is None else "\n".join(values(without_moves(message))))
        told = [said[at : at + STEPS] for at in range(len(said) - STEPS + 1)]
        assert not [steps for steps in self._secrets.steps if steps in told]

    def _learn(self, message: Any) -> None:
        """Notes the places of the viewer's own runs that a message tells of."""
        for part in parts(message):
            if "crc" in part and part.get("session", part.get("id")) in self.runs:
                self.places.add(part["crc"])
        self._secrets.places.update(self.places)


def without_moves(message: Any) -> Any:
    """The message but for what tells of moves that the viewer made, or may make by the rules."""
    match message:
        case dict():
            left = {name: value for name, value in message.items() if name != "legal"}
            return {name: without_moves(value) for name, value in left.items() if name != "move" or "seq" not in left}
        case list():
            return [without_moves(part) for part in message]
        case _:
            return message
