"""Who is there: which seats of a session are connected, and how many spectators watch, over all processes.

Each process says on a session's channel whom it has, when that changes, and remembers for a while what the others said.
Where others have spoken it repeats itself, so that a process that died is forgotten.
"""

import asyncio
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Final

from service.ports import Clock, Doorbells
from service.protocol.messages import Presence
from service.protocol.notes import Here, encode

TELL_SECONDS: Final = 1.0
"""How often at most anybody is told of a session."""
REPEAT_MS: Final = 20_000
FORGET_MS: Final = 50_000
"""How long what another process said holds, unless it says it again."""


@dataclass(slots=True)
class _Session:
    """here: viewers in this process by seat, None for spectators; others: what processes said, and when."""

    here: Counter[int | None] = field(default_factory=Counter)
    others: dict[str, tuple[Here, int]] = field(default_factory=dict)
    said: Here | None = None
    said_at: int = 0
    told: Presence | None = None


class Presences:
    """The presence of every session that is watched in this process, whose name is `process`.

    `tell` is given what the viewers of a session here should know; whoever is alone is not told so.
    """

    def __init__(self, process: str, doorbells: Doorbells, clock: Clock, tell: Callable[[Presence], None]) -> None:
        self._process, self._doorbells, self._clock, self._tell = process, doorbells, clock, tell
        self._sessions: dict[str, _Session] = {}
        self._changed: set[str] = set()
        self._has_changed = asyncio.Event()

    def enter(self, session: str, seat: int | None) -> None:
        """Somebody watches the session: from a seat, or as a spectator (None)."""
        self._sessions.setdefault(session, _Session()).here[seat] += 1
        self._change(session)

    def exit(self, session: str, seat: int | None) -> None:
        """Somebody who entered watches it no more."""
        here = self._sessions[session].here
        here[seat] -= 1
        if not here[seat]:
            del here[seat]
        self._change(session)

    def hear(self, session: str, here: Here) -> None:
        """A process says whom it has."""
        if here.process == self._process or (one := self._sessions.get(session)) is None:
            return
        one.others[here.process] = here, self._clock.now()
        if here.asks:
            one.said_at = 0
        self._change(session)

    async def run(self) -> None:
        """Tells what has changed, until it is cancelled."""
        while True:
            await self._has_changed.wait()
            self._has_changed.clear()
            while self._changed:
                self._settle(self._changed.pop())
            await asyncio.sleep(TELL_SECONDS)

    def go_round(self) -> None:
        """Says again what others should remember, and forgets what they have not said again."""
        for session, one in self._sessions.items():
            if one.others:
                self._change(session)

    def _change(self, session: str) -> None:
        self._changed.add(session)
        self._has_changed.set()

    def _settle(self, session: str) -> None:
        one, now = self._sessions[session], self._clock.now()
        here = Here(
            self._process,
            seats=sorted(seat for seat in one.here if seat is not None),
            spectators=one.here[None],
            asks=one.said is None,
        )
        is_new = one.said is None or (here.seats, here.spectators) != (one.said.seats, one.said.spectators)
        if is_new or now - one.said_at >= REPEAT_MS:
            one.said, one.said_at = here, now
            self._doorbells.send(session, encode(here))
        if not one.here:
            del self._sessions[session]
            return
        one.others = {process: (said, at) for process, (said, at) in one.others.items() if now - at < FORGET_MS}
        everywhere = [here, *(said for said, _ in one.others.values())]
        presence = Presence(
            session,
            seats=sorted({seat for said in everywhere for seat in said.seats}),
            spectators=sum(said.spectators for said in everywhere),
        )
        is_alone = one.told is None and len(presence.seats) + presence.spectators < 2
        if presence != one.told and not is_alone:
            one.told = presence
            self._tell(presence)
