"""One session that a socket watches."""

from collections.abc import Callable

from service.protocol.connection import Connection
from service.usecases.live import Aside, Update


class Viewer:
    """Tells a connection what happens in one of its sessions, as it is seen from a seat, or by a spectator."""

    def __init__(
        self,
        session: str,
        connection: Connection,
        take_turn: Callable[[], None],
        look: Callable[["Viewer"], None],
    ) -> None:
        self.session, self._connection, self._take_turn, self._look = session, connection, take_turn, look
        self.seat: int | None = None
        self.unlogged: object = None
        """What the session's meta said of it when the client was last brought up to date; None before that."""

    def __call__(self, news: Update | Aside | None) -> None:
        connection = self._connection
        match news:
            case Update():
                after = news.turn.after
                connection.feed(self.session, after.seq, after.crc, news.frame(self.seat, connection.wants_legal))
                self._look(self)
            case Aside(frame):
                connection.tell(self.session, frame)
            case None:
                connection.lost(self.session)
        self._take_turn()

    def tell(self, winnable: bytes) -> None:
        """Passes on whether the session can still be won, if the client still wants that."""
        if self._connection.wants_winnable(self.session):
            self._connection.tell(self.session, winnable)
            self._take_turn()
