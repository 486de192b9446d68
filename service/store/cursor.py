"""Where a page of a player's sessions ends: the time of creation and the id, so that texts sort as sessions do."""

import re
from typing import Final

LISTED: Final = 1000
"""The most sessions that a player's list holds; the oldest fall out of it."""

_CURSOR: Final = re.compile(r"[0-9]{13}:[0-9a-f]{32}")


def cursor_of(created: int, session: str) -> str:
    """The cursor of a session that was created at these milliseconds since the epoch."""
    return f"{created:013d}:{session}"


def session_at(cursor: str) -> str:
    """The session's id in a cursor."""
    return cursor.partition(":")[2]


def check_cursor(cursor: str | None) -> None:
    """Raises ValueError for a text that is no cursor."""
    if cursor is not None and not _CURSOR.fullmatch(cursor):
        raise ValueError("there should be the `next` of a page before")
