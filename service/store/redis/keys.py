"""Every key and channel. What stands in braces decides the slot: keys that one script touches share it."""

from hashlib import sha256


def session_meta(session: str) -> str:
    """A hash: what a session is."""
    return f"bc:{{s:{session}}}:meta"


def session_log(session: str) -> str:
    """A string: the bytes of a session's log."""
    return f"bc:{{s:{session}}}:log"


def session_plans(session: str) -> str:
    """A list: winning lines of a session."""
    return f"bc:{{s:{session}}}:plans"


def session_channel(session: str) -> str:
    """The sharded channel on which a session's commits ring."""
    return f"bc:{{s:{session}}}"


def report(digest: str) -> str:
    """A string: what a solver found of the problem with this digest."""
    return f"bc:{{a:{digest}}}"


SOLVER_JOBS = "bc:{solver}:jobs"
"""A stream: problems for the workers."""
DONE = "bc:{solver}:done"
"""A stream: the names of the last problems that workers were done with."""


def solver_wanted(name: str) -> str:
    """A string: where on the list the problem with this name is, while somebody waits for it."""
    return f"bc:{{solver}}:wanted:{name}"


def player(player: str) -> str:
    """A hash: who a player is."""
    return f"bc:{{p:{player}}}"


def player_sessions(player: str) -> str:
    """A sorted set: the cursors of the player's sessions, all with one score, so that they sort as texts."""
    return f"bc:{{p:{player}}}:sessions"


def player_claim(player: str, key: str) -> str:
    """A string: the claim that an idempotency key stands for."""
    return f"bc:{{p:{player}}}:claim:{sha256(key.encode()).hexdigest()}"


def token(digest: str) -> str:
    """A string: the player whose token this is."""
    return f"bc:{{t:{digest}}}"


def recovery(digest: str) -> str:
    """A string: the player whose recovery code this is."""
    return f"bc:{{r:{digest}}}"


def ticket(digest: str) -> str:
    """A string: the player whom a ticket names, until it is used or expires."""
    return f"bc:{{k:{digest}}}"
