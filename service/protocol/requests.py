"""What a connection asks of its driver."""

from typing import TypeAlias

from msgspec import Struct

from service.protocol import messages


class Admit(Struct, frozen=True):
    """Find out who the client is: by its ticket, or by how the socket was opened where there is none."""

    ticket: str | None


class CatchUp(Struct, frozen=True):
    """Watch the session, and bring the client up to date from `(seq, crc)`, or from nothing where seq is None."""

    session: str
    seq: int | None
    crc: int | None


class Unwatch(Struct, frozen=True):
    """Watch the session no more."""

    session: str


class ShowBoard(Struct, frozen=True):
    """Show the client a board, now and whenever it has changed."""

    topic: str


class HideBoard(Struct, frozen=True):
    """Show the client the board no more."""

    topic: str


Request: TypeAlias = Admit | CatchUp | Unwatch | ShowBoard | HideBoard | messages.Command | messages.React
"""The last two are to be carried out as they came: a command, and a phrase for all who watch."""
