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
        self.wants_winnable = False
        """Whether the client wanted then to be told if the session can still be won."""

    def __call__(self, news: Update | Aside | None) -> None:
        connection = self._connection
        if isinstance(news, Update):
            after = news.turn.after
            connection.feed(self.session, after.seq, after.crc, news.frame(self.seat, connection.wants_legal))
            if self.wants_winnable:
                self._look(self)
        elif news is None:
            connection.lost(self.session)
        else:
            connection.tell(self.session, news.frame)
        self._take_turn()

    def tell(self, winnable: bytes) -> None:
        """Passes on whether the session can still be won, if the client still wants that."""
        if self._connection.wants_winnable(self.session):
            self._connection.tell(self.session, winnable)
            self._take_turn()
