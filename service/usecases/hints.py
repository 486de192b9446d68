"""Hints and questions: the answer is found first, and then counted as an assist, by an entry of the log.

A hint has three steps: where, which card, which move. Each that is asked for while the board stays as it is goes one
further. The same request at the same place again is a retry, as of any command, and has the same answer.
"""

from msgspec.structs import replace

from service.engine.log import ENTRY_BYTES, HINT_LEVELS, crc_of, unpack
from service.engine.moves import Kind
from service.protocol import messages, shapes
from service.usecases.commands import Accepted, Ask, Commands, Hint
from service.usecases.errors import NotYourSeat, StillSecret
from service.usecases.history import History, Place
from service.usecases.live import Live
from service.usecases.solutions import Outlook, Solutions
from service.usecases.views import hint_view, is_secret, viewing_seat, winnable_word


class Hints:
    """What players ask about their boards. Every method raises as `Commands.submit` and as `Solutions`."""

    def __init__(self, live: Live, commands: Commands, solutions: Solutions) -> None:
        self._live, self._commands, self._solutions = live, commands, solutions

    async def hint(self, session: str, player: str, at: Place) -> shapes.Session:
        """The session with the next step of a hint; it is for the board, whoever may play now."""
        history = await self._live.read(session)
        level = next_level(history.log[: at.seq * ENTRY_BYTES])
        accepted, outlook = await self._asked(history, player, Hint(level), at)
        move = outlook.line[0] if outlook.line else None
        hint = hint_view(level, outlook.winnable, move, accepted.game.position)
        return replace(accepted.view, hint=hint)

    async def ask(self, session: str, player: str, at: Place) -> shapes.Session:
        """The session with the answer whether it can still be won."""
        history = await self._live.read(session)
        accepted, outlook = await self._asked(history, player, Ask(), at)
        return replace(accepted.view, winnable=winnable_word(outlook.winnable))

    async def winnable(self, session: str, player: str | None) -> shapes.Outlook:
        """Whether the session can still be won, without an entry; raises NotForSpectators or StillSecret."""
        history = await self._live.read(session)
        meta, game = history.meta, history.game
        viewing_seat(meta, player)
        if is_secret(meta, game):
            raise StillSecret
        outlook = await self._solutions.outlook(meta, game)
        return shapes.Outlook(game.seq, messages.format_crc(game.crc), winnable_word(outlook.winnable))

    async def _asked(self, history: History, player: str, command: Hint | Ask, at: Place) -> tuple[Accepted, Outlook]:
        """The command as it stands in the log, and the answer, which is there before the entry is."""
        meta, game = history.meta, history.game
        if not history.ends_at(at):
            accepted = await self._commands.submit(meta.id, player, command, at)
            return accepted, await self._solutions.outlook(meta, accepted.game)
        if meta.seat_of(player) is None:
            raise NotYourSeat
        self._commands.check_open(meta, game)
        outlook = await self._solutions.outlook(meta, game)
        return await self._commands.submit(meta.id, player, command, at), outlook


def next_level(log: bytes) -> int:
    """Which step of a hint the next one is, where a log ends: one further than the last since the board changed."""
    for end in range(len(log), 0, -ENTRY_BYTES):
        start = end - ENTRY_BYTES
        [(entry, _)] = unpack(log[start:end], crc=crc_of(log[:start]))
        if entry.kind is Kind.HINT:
            return min(entry.count + 1, HINT_LEVELS[-1])
        if entry.kind not in {Kind.ASK, Kind.CONSENT}:
            break
    return HINT_LEVELS[0]
