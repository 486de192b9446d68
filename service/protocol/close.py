"""Why the server closes a socket. 40xx: come back. 45xx: do not, the same would happen again."""

from enum import IntEnum


class Close(IntEnum):
    GOING_AWAY = 4000
    """The server stops; another is there, or it will be back."""
    UNAVAILABLE = 4003
    """The store cannot be reached just now."""
    NO_HELLO = 4008
    """Nothing, or something else than a hello, came first or in time."""
    FAILED = 4011
    """The server made a mistake, of which its own log tells."""

    WRONG_VERSION = 4500
    """The hello asked for a version that this server does not speak."""
    UNAUTHORISED = 4501
    """The ticket or token is unknown, used or too old."""
    FORBIDDEN = 4503
    """The session does not let you watch."""
    NO_SUCH_SESSION = 4504
    """There is no session with this id, or no more."""
    CORRUPT = 4510
    """The session's log cannot be read."""

    @property
    def come_back(self) -> bool:
        """Whether the client should connect again by itself."""
        return self < Close.WRONG_VERSION
