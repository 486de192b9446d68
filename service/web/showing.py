"""The boards that a socket's client is shown."""

from collections.abc import Callable
from functools import partial

from msgspec.structs import replace

from service.ports import StoreUnavailable
from service.protocol.connection import Connection
from service.protocol.messages import board_of
from service.usecases.board_watch import BoardWatch, Watcher
from service.usecases.boards import DayBoard, read_board
from service.usecases.errors import UseCaseError
from service.web.wording import refusal


class Showing:
    """Has a connection told of boards, by their topics."""

    def __init__(self, watch: BoardWatch, connection: Connection, take_turn: Callable[[], None]) -> None:
        self._watch, self._connection, self._take_turn = watch, connection, take_turn
        self._shown: dict[str, tuple[DayBoard, Watcher]] = {}

    async def show(self, topic: str) -> None:
        """Has the client told of the board now and whenever it has changed, or why it cannot be."""
        try:
            shown = self._shown.setdefault(topic, (read_board(board_of(topic)), partial(self._tell, topic)))
            await self._watch.watch(*shown)
        except (UseCaseError, StoreUnavailable) as error:
            self._shown.pop(topic, None)
            self._connection.withheld(replace(refusal(error), topic=topic))

    def hide(self, topic: str) -> None:
        """Has the client told of the board no more, if it was."""
        if shown := self._shown.pop(topic, None):
            self._watch.unwatch(*shown)

    def end(self) -> None:
        """Has the client told of nothing more."""
        for topic in tuple(self._shown):
            self.hide(topic)

    def _tell(self, topic: str, frame: bytes) -> None:
        self._connection.show(topic, frame)
        self._take_turn()
