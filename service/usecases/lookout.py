"""The lookout: whoever wants to is told, entry by entry, whether a session can still be won, where that is no secret.

All in this process who want it for the same place share one look; a place that is past is looked at no more.
"""

import asyncio
import logging
from collections.abc import Callable
from typing import Final, TypeAlias

from service.ports import SolverBusy, StoreUnavailable
from service.protocol import messages
from service.usecases.history import History
from service.usecases.live import Live
from service.usecases.solutions import Solutions
from service.usecases.views import is_secret, winnable_word

PAUSE_SECONDS: Final = 0.1
"""How long a session has to stay as it is before it is looked at: a move and the fills that it causes are one look."""

Tell: TypeAlias = Callable[[bytes], None]
"""Is given the message, encoded."""

_log = logging.getLogger(__name__)


class _Look:
    """A look at a place, who waits for it, and what there was to be seen."""

    def __init__(self, history: History) -> None:
        self.history = history
        self.tells: set[Tell] = set()
        self.seen: bytes | None = None
        self.task: asyncio.Task[None] | None = None


class Lookout:
    """The looks of this process."""

    def __init__(self, live: Live, solutions: Solutions) -> None:
        self._live, self._solutions = live, solutions
        self._looks: dict[str, _Look] = {}

    def look(self, session: str, tell: Tell) -> None:
        """Has `tell` told whether a session that is watched here can be won as it is now, unless it goes on first.

        What cannot be found out just now is not told, nor what is a secret again since a failover lost the end.
        """
        room = self._live.room(session)
        if room is None or is_secret(room.history.meta, room.history.game):
            return
        look = self._looks.get(session)
        if look is None or look.history.log != room.history.log:
            self._end(session)
            look = self._looks[session] = _Look(room.history)
            look.task = asyncio.create_task(self._find(session, look))
        look.tells.add(tell)
        if look.seen:
            tell(look.seen)

    def leave(self, session: str, tell: Tell) -> None:
        """Has `tell` told no more; it need not be waiting."""
        if look := self._looks.get(session):
            look.tells.discard(tell)
            if not look.tells:
                self._end(session)

    def _end(self, session: str) -> None:
        look = self._looks.pop(session, None)
        if look and look.task:
            look.task.cancel()

    async def _find(self, session: str, look: _Look) -> None:
        meta, game = look.history.meta, look.history.game
        try:
            await asyncio.sleep(PAUSE_SECONDS)
            outlook = await self._solutions.outlook(meta, game)
        except (SolverBusy, StoreUnavailable) as error:
            _log.warning("whether it can be won is not told: %r", error, extra={"session": session})
            del self._looks[session]
            return
        crc, winnable = messages.format_crc(game.crc), winnable_word(outlook.winnable)
        look.seen = messages.encode(messages.Winnable(session, game.seq, crc, winnable))
        for tell in tuple(look.tells):
            tell(look.seen)
